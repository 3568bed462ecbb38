// @module-tag long
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/kernel/db/database.ts'
import { readPostmaster, serverProcesses } from '../../src/kernel/db/embedded-processes.ts'
import { findEmbeddedServer } from '../../src/kernel/db/embedded-server.ts'
import {
  dataDirectory,
  eventually,
  preparedDataDirectory,
  type Service,
  startService,
} from '../support/processes.ts'

test('after a kill -9 the next start ends the orphaned database and loses nothing', async () => {
  const { dataDir, serverDir, service } = await killableService()
  await commitRow(dataDir)
  const orphan = readPostmaster(serverDir)?.pid
  service.kill('SIGKILL')
  await service.ended
  expect(serverProcesses(serverDir)).toContain(orphan)

  const next = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await next.ready()
  expect(serverProcesses(serverDir)).not.toContain(orphan)
  expect(await readRows(dataDir)).toEqual(['kept'])
  await endsCleanly(next)
})

test('a transaction that was open at the kill -9 does not hold up the next start', async () => {
  const { dataDir, service } = await killableService()
  await commitRow(dataDir)
  const database = connect({ url: embeddedUrl(dataDir), poolSize: 1 })
  const connection = await database.sql.reserve()
  await connection`begin`
  await connection`update kept set text = 'lost'`
  const refused = expect(connection`select pg_sleep(600)`.execute()).rejects.toThrow()
  service.kill('SIGKILL')
  await service.ended

  const next = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await next.ready()
  await refused
  await database.close()
  expect(await readRows(dataDir)).toEqual(['kept'])
  await endsCleanly(next)
})

test('after a kill -9 of the service and its database nothing committed is lost', async () => {
  const { dataDir, serverDir, service } = await killableService()
  await commitRow(dataDir)
  const postmaster = readPostmaster(serverDir)
  service.kill('SIGKILL')
  process.kill(postmaster?.pid ?? 0, 'SIGKILL')
  await service.ended

  const next = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await next.ready()
  expect(await readRows(dataDir)).toEqual(['kept'])
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('not properly shut down')
  await endsCleanly(next)
})

test('a kill -9 in the middle of the very first start is made up for by the next', async () => {
  const dataDir = dataDirectory()
  const first = await startService({ env: { DATA_DIR: dataDir } })
  // Or a moment later, where this process comes too late to see it.
  const begun = '{postgres.unfinished-*,postgres}/PG_VERSION'
  await eventually(() => globSync(join(dataDir, begun)).length > 0)
  first.kill('SIGKILL')
  await first.ended

  const next = await startService({ env: { DATA_DIR: dataDir } })
  await next.until('Try it:')
  await endsCleanly(next)
})

test('a pid file left by a crash does not block, though its number is in use again', async () => {
  const { dataDir, serverDir, service } = await killableService()
  await commitRow(dataDir)
  const pidFile = readFileSync(join(serverDir, 'postmaster.pid'), 'utf8')
  await endsCleanly(service)
  const stranger = spawn('sleep', ['600'])
  onTestFinished(() => void stranger.kill())
  const stale = pidFile.replace(/^\d+/, String(stranger.pid))
  writeFileSync(join(serverDir, 'postmaster.pid'), stale)

  const next = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await next.ready()
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  expect(await readRows(dataDir)).toEqual(['kept'])
  await endsCleanly(next)
})

test('a database that dies under the service ends it, and the next start recovers', async () => {
  const { dataDir, serverDir, service } = await killableService()
  await commitRow(dataDir)
  process.kill(readPostmaster(serverDir)?.pid ?? 0, 'SIGKILL')
  expect(await service.ended).toBe(1)
  expect(service.stdout()).toContain('the embedded database stopped unexpectedly')

  const next = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await next.ready()
  expect(await readRows(dataDir)).toEqual(['kept'])
  await endsCleanly(next)
})

test('remains of an interrupted creation are cleared away', async () => {
  const dataDir = dataDirectory()
  mkdirSync(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.unfinished', 'PG_VERSION'), '18\n')
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await service.ready()
  await endsCleanly(service)
})

test('a directory restored with open permissions is closed again', async () => {
  const { dataDir, serverDir, service } = await killableService()
  await endsCleanly(service)
  chmodSync(serverDir, 0o755)
  const next = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await next.ready()
  expect(statSync(serverDir).mode & 0o777).toBe(0o700)
  await endsCleanly(next)
})

test('a server that cannot start is told with what its log says', async () => {
  const { dataDir, serverDir, service } = await killableService()
  await endsCleanly(service)
  appendFileSync(join(serverDir, 'postgresql.conf'), "no_such_setting = 'x'\n")
  const next = await startService({ env: { DATA_DIR: dataDir } })
  expect(await next.ended).toBe(1)
  expect(next.stderr()).toContain('the embedded database did not start')
  expect(next.stderr()).toContain('no_such_setting')
})

test('a lost key is told before anything is done with another one', async () => {
  const { dataDir, service } = await killableService()
  await endsCleanly(service)
  rmSync(join(dataDir, 'secrets.key'))
  const next = await startService({ env: { DATA_DIR: dataDir } })
  expect(await next.ended).toBe(1)
  expect(next.stderr()).toContain('secrets.key is missing')
  expect(findFile(join(dataDir, 'secrets.key'))).toBeUndefined()
})

test('data files of another major version are left alone', async () => {
  const { dataDir, serverDir, service } = await killableService()
  await endsCleanly(service)
  writeFileSync(join(serverDir, 'PG_VERSION'), '17\n')
  const next = await startService({ env: { DATA_DIR: dataDir } })
  expect(await next.ended).toBe(1)
  expect(next.stderr()).toContain('was created by PostgreSQL 17')
})

async function killableService(): Promise<{
  dataDir: string
  serverDir: string
  service: Service
}> {
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await service.ready()
  return { dataDir, serverDir: join(dataDir, 'postgres'), service }
}

async function endsCleanly(service: Service): Promise<void> {
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
}

function embeddedUrl(dataDir: string): string {
  const url = findEmbeddedServer(dataDir, 'tillbook')
  if (!url) throw new Error('the embedded database does not run')
  return url
}

async function commitRow(dataDir: string): Promise<void> {
  const database = connect({ url: embeddedUrl(dataDir), poolSize: 1 })
  await database.sql`create table kept as select 'kept' as text`
  await database.close()
}

async function readRows(dataDir: string): Promise<string[]> {
  const database = connect({ url: embeddedUrl(dataDir), poolSize: 1 })
  const rows = await database.sql<{ text: string }[]>`select text from kept`
  await database.close()
  return rows.map(({ text }) => text)
}

function findFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
