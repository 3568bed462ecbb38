// The file with the one-time code of a new server, readable by its owner only. The log names the
// file, never the code.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { listBusinesses } from '../kernel/auth/business-store.ts'
import { createPeople } from '../kernel/auth/people.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'

function setupCodeFile({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'setup-code')
}

// Written at every start until there is a business, and removed afterwards.
export async function offerSetUp(context: ServiceContext, settings: Settings): Promise<void> {
  const file = setupCodeFile(settings)
  if ((await listBusinesses(context.database.sql)).length > 0) return removeSetupCode(settings)
  const { setUpCode } = await createPeople(context, context)
  const hint = { url: `${settings.publicUrl}/set-up`, command: 'cli setup-code' }
  try {
    // With your own database, the directory may not exist.
    mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
    // An older file may be open to others; a new one is not.
    rmSync(file, { force: true })
    writeFileSync(file, `${setUpCode}\n`, { mode: 0o600, flag: 'wx' })
    context.log.info(
      { ...hint, file },
      'no business yet: set this server up with the one-time code',
    )
  } catch (error) {
    context.log.warn({ ...hint, err: error }, 'the file with the one-time code was not written')
  }
}

export function removeSetupCode(settings: Pick<Settings, 'dataDir'>): void {
  rmSync(setupCodeFile(settings), { force: true })
}
