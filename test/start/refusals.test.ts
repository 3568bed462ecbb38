// Each refusal is one clear message with an exit status other than 0, and damages nothing.
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { versionProblem } from '../../src/kernel/db/server-version.ts'
import { databaseForThisTest } from '../support/database.ts'
import {
  dataDirectory,
  freePort,
  preparedDataDirectory,
  startService,
} from '../support/processes.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'

const ownDatabase = {
  PUBLIC_URL: 'https://pay.example.com',
  SECRETS_KEY: secretsKeyOf(1).toString('base64'),
}

test('a second start on the same directory is refused, and the first goes on', {
  tags: ['long'],
}, async () => {
  const dataDir = await preparedDataDirectory()
  const first = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await first.ready()

  const second = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  expect(await second.ended).toBe(1)
  expect(second.stdout()).toBe('')
  expect(second.stderr().trim().split('\n')).toHaveLength(1)
  expect(second.stderr()).toContain(`is in use by another start`)
  expect(second.stderr()).toContain(`process ${first.process.pid}`)

  await first.probed(200)
  first.kill('SIGTERM')
  expect(await first.ended).toBe(0)
})

test('of several first starts at the same moment exactly one wins', {
  tags: ['long'],
}, async () => {
  const dataDir = dataDirectory()
  const env = { DATA_DIR: dataDir, DEMO: 'off' }
  const services = await Promise.all([1, 2, 3].map(() => startService({ env })))
  const outcomes = await Promise.all(
    services.map((service) => Promise.race([service.ready().then(() => 'ready'), service.ended])),
  )
  expect(outcomes.toSorted()).toEqual([1, 1, 'ready'])
  const losers = services.filter((_, index) => outcomes[index] !== 'ready')
  for (const loser of losers) expect(loser.stderr()).toContain('is in use by another start')
  const winner = services[outcomes.indexOf('ready')]
  winner?.kill('SIGTERM')
  expect(await winner?.ended).toBe(0)
})

test('a taken port is named', { tags: ['long'] }, async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, PORT: String(port) } })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toBe(
    `HOST 127.0.0.1, PORT ${port}: another program uses this port. Set PORT to a free one.\n`,
  )
})

test('a taken port of the simulator is named', { tags: ['long'] }, async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, SIMULATOR_PORT: String(port) } })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toBe(
    `SIMULATOR_PORT ${port}: another program uses this port. ` +
      'Set SIMULATOR_PORT to a free one.\n',
  )
})

test('both ports are named when both are taken', { tags: ['long'] }, async () => {
  const [port, simulatorPort] = [await freePort(), await freePort()]
  for (const taken of [port, simulatorPort]) {
    const other = createServer().listen(taken, '127.0.0.1')
    onTestFinished(() => void other.close())
  }
  const env = { PORT: String(port), SIMULATOR_PORT: String(simulatorPort) }
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, ...env } })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toBe(
    `SIMULATOR_PORT ${simulatorPort}: another program uses this port. ` +
      `Set SIMULATOR_PORT to a free one.\nHOST 127.0.0.1, PORT ${port}: another program uses ` +
      'this port. Set PORT to a free one.\n',
  )
})

test('an unreachable database is named, without its password', { tags: ['long'] }, async () => {
  const port = await freePort()
  const url = `postgres://someone:hush@127.0.0.1:${port}/shop`
  const service = await startService({ env: { ...ownDatabase, DATABASE_URL: url } })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toContain(`database shop at 127.0.0.1:${port}`)
  expect(service.stderr()).toContain('ECONNREFUSED')
  expect(service.stderr()).toContain('DATABASE_URL')
  expect(service.stderr() + service.stdout()).not.toContain('hush')
})

test('a database that does not exist is named', { tags: ['long'] }, async () => {
  const { url } = await databaseForThisTest()
  const missing = new URL(url)
  missing.pathname = '/no_such_database'
  const service = await startService({ env: { ...ownDatabase, DATABASE_URL: missing.href } })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toContain('"no_such_database" does not exist')
})

test('a server that is too old is refused before anything is written to it', {
  tags: ['long'],
}, async () => {
  const database = await databaseForThisTest()
  // This database answers the question for its version as PostgreSQL 14.11 would.
  await database.sql.unsafe(`
    drop schema kernel cascade;
    create function public.current_setting(text) returns text
      language sql as $$ select '140011' $$;
  `)
  const url = new URL(database.url)
  url.searchParams.set('search_path', 'public,pg_catalog')
  const service = await startService({ env: { ...ownDatabase, DATABASE_URL: url.href } })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toContain('PostgreSQL 14.11, which is too old')
  const schemas = await database.sql`select 1 from pg_namespace where nspname = 'kernel'`
  expect(schemas).toHaveLength(0)
})

test.each([
  [90_624, 'PostgreSQL 9.624'],
  [140_011, 'PostgreSQL 14.11'],
])('version %d is too old', (version, name) => {
  expect(versionProblem(version)).toContain(name)
})

test.each([150_000, 150_004, 180_004, 190_000])('version %d is let in', (version) => {
  expect(versionProblem(version)).toBeUndefined()
})

test('a database that was encrypted with another key is refused', { tags: ['long'] }, async () => {
  const database = await databaseForThisTest()
  const env = { ...ownDatabase, DATABASE_URL: database.url }
  const right = await startService({ env, args: ['migrate'] })
  expect(await right.ended).toBe(0)

  const otherKey = secretsKeyOf(2).toString('base64')
  const wrong = await startService({ env: { ...env, SECRETS_KEY: otherKey } })
  expect(await wrong.ended).toBe(1)
  expect(wrong.stderr()).toContain('SECRETS_KEY is not the key')

  const rotated = `2:${otherKey},1:${ownDatabase.SECRETS_KEY}`
  const both = await startService({ env: { ...env, SECRETS_KEY: rotated }, args: ['migrate'] })
  expect(await both.ended).toBe(0)
})

test('all bad settings are told together, with status 78, and nothing is made', async () => {
  const dataDir = dataDirectory()
  const env = { DATA_DIR: dataDir, PORT: 'http', LOG_LEVEL: 'loud', DATABASE_POOL_SIZE: '0' }
  const service = await startService({ env })
  expect(await service.ended).toBe(78)
  expect(service.stdout()).toBe('')
  const lines = service.stderr().trim().split('\n')
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'PORT',
    'DATABASE_POOL_SIZE',
    'LOG_LEVEL',
  ])
})
