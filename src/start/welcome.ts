// The lines that a person at the terminal sees when the service is up: its address and, the first
// time, what to try. Logs are for machines.
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { services } from '../app/services.ts'
import type { Settings } from '../config.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { firstStart, signInLines } from './first-start.ts'
import type { Storage } from './open-storage.ts'
import { reportUnknownOutcomes } from './report-unknown-outcomes.ts'
import { offerSetUp } from './setup-code-file.ts'

export async function listen(fastify: FastifyInstance, settings: Settings): Promise<void> {
  const { host, port } = settings
  try {
    await fastify.listen({ host, port })
  } catch (error) {
    const reason = listenProblems[errorCode(error)]
    if (!reason) throw error
    throw new StartError(`HOST ${host}, PORT ${port}: ${reason}`, { cause: error })
  }
}

// Checked even if the start fails at another port, so that all problems are shown at once.
export async function portProblem({ host, port }: Settings): Promise<string | undefined> {
  const probe = createServer()
  try {
    probe.listen({ host, port })
    await once(probe, 'listening')
    return undefined
  } catch (error) {
    const reason = listenProblems[errorCode(error)]
    return reason && `HOST ${host}, PORT ${port}: ${reason}`
  } finally {
    probe.close()
  }
}

const listenProblems: Record<string, string> = {
  EADDRINUSE: 'another program uses this port. Set PORT to a free one.',
  EACCES: 'no permission to listen on it. Set PORT to one above 1023.',
  EADDRNOTAVAIL: 'this machine does not have that address. Set HOST to one it has.',
  ENOTFOUND: 'there is no such host. Set HOST to an address of this machine.',
}

export type Started = {
  readonly storage: Storage
  // The migrations that this start applied.
  readonly applied: readonly string[]
  readonly simulatorUrl: string
}

// A stored marker, not the creation of the database, decides whether this is the first start. So
// the next start completes one that was killed half-way.
export async function welcome(
  context: MerchantContext,
  settings: Settings,
  { storage, applied, simulatorUrl }: Started,
): Promise<void> {
  const marker = join(settings.dataDir, 'first-start-done')
  const isFirst = storage.embedded ? !existsSync(marker) : isFresh(applied)
  const more = isFirst && settings.demo ? await firstStart(context, settings) : []
  const waiting = await reportUnknownOutcomes(context)
  const signIn = storage.embedded || isFirst ? await signInLines(context, settings) : []
  if (!settings.demo && settings.role !== 'worker') await offerSetUp(context, settings)
  if (storage.embedded) {
    const lines = [
      'Tillbook is running. Press Ctrl-C to stop it.',
      '',
      ...addresses(settings, simulatorUrl),
      '',
      ...(waiting.length > 0 ? [...waiting, ''] : []),
      ...signIn,
      ...more,
    ]
    process.stdout.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`)
    writeFileSync(marker, '')
  } else if (more.length > 0) {
    process.stdout.write(`${[...signIn, ...more].join('\n')}\n`)
  }
}

// The first migration was applied now, so the database was empty.
function isFresh(applied: readonly string[]): boolean {
  return applied[0]?.startsWith('0001-') ?? false
}

function addresses({ publicUrl, dataDir }: Settings, simulatorUrl: string): string[] {
  const rows = [
    ['Web', `${publicUrl}/`],
    ...services.map(({ title, basePath }) => [title, `${publicUrl}${basePath}`]),
    ['Provider simulator', simulatorUrl],
    ['Data', dataDir],
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return rows.map(([name = '', value]) => `${name.padEnd(width)}  ${value}`)
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
