// The uploaded file of an import: encrypted, and deleted after thirty days. An import can still be
// undone then, because what it made is listed by itself.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { BooksContext } from '../context.ts'
import { findImportFile, updateFilesDeleted } from './import-store.ts'

const keptSeconds = 30 * 24 * 60 * 60
const batchSize = 100

// The associated data of the encrypted content.
export function importFileRow(id: string): string {
  return `books.imports/${id}`
}

export async function readImportFile(
  { database, secrets }: Pick<BooksContext, 'database' | 'secrets'>,
  tenant: Tenant,
  id: string,
): Promise<Buffer> {
  const { content, contentSealed } = await findImportFile(database.sql, tenant, id)
  if (contentSealed) return Buffer.from(secrets.open(contentSealed, importFileRow(id)))
  if (content) return content
  throw new Fault('conflict', 'The file was deleted after 30 days. Upload it again.')
}

export const expireImportFilesSchedule = defineSchedule({
  name: 'expire-import-files',
  everySeconds: 60 * 60,
  async run({ database, clock }: BooksContext, signal) {
    const before = addSeconds(clock.now(), -keptSeconds)
    while (!signal.aborted) {
      if ((await updateFilesDeleted(database.sql, before, batchSize)) < batchSize) return
    }
  },
})
