// @module-tag long
// The oldest and the newest PostgreSQL, as an external server.
import { expect, test } from 'vitest'
import { connect } from '../../src/kernel/db/database.ts'
import { findServerVersion } from '../../src/kernel/db/server-store.ts'
import { createDatabase } from '../support/database.ts'
import { oldestInstalledVersion, startOldestPostgres } from '../support/postgres-server.ts'
import { dataDirectory, startService } from '../support/processes.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'

const settings = {
  PUBLIC_URL: 'https://pay.example.com',
  SECRETS_KEY: secretsKeyOf(1).toString('base64'),
}

test(`PostgreSQL ${oldestInstalledVersion()} is migrated and served`, async () => {
  const url = await startOldestPostgres()
  expect(await majorVersion(url)).toBe(oldestInstalledVersion())
  await servesOn(url)
})

test('PostgreSQL 18 is migrated and served', async ({ onTestFinished }) => {
  const database = await createDatabase(2)
  onTestFinished(() => database.drop())
  await database.sql.unsafe('drop schema if exists kernel, merchant, books, simulator cascade')
  expect(await majorVersion(database.url)).toBe(18)
  await servesOn(database.url)
})

test('one database serves separate api and worker processes', async ({ onTestFinished }) => {
  const database = await createDatabase(2)
  onTestFinished(() => database.drop())
  const env = { ...settings, DATABASE_URL: database.url }
  const [api, otherApi, worker] = await Promise.all([
    startService({ env, args: ['api'] }),
    startService({ env: { ...env, ROLE: 'api' } }),
    startService({ env, args: ['worker'] }),
  ])
  await Promise.all([api.ready(), otherApi.ready(), worker.ready()])
  for (const service of [api, otherApi, worker]) {
    await service.probed(200)
    service.kill('SIGTERM')
  }
  expect(await Promise.all([api.ended, otherApi.ended, worker.ended])).toEqual([0, 0, 0])
})

async function servesOn(url: string): Promise<void> {
  const env = { ...settings, DATABASE_URL: url, DATA_DIR: dataDirectory() }
  const migrated = await startService({ env, args: ['migrate'] })
  expect(await migrated.ended).toBe(0)
  expect(migrated.stdout()).toContain('0001-kernel')

  const service = await startService({ env })
  await service.ready()
  await service.probed(200)
  // Offers passkeys, whose package is loaded on first use.
  const signIn = await fetch(`${service.url}/sign-in`)
  expect(await signIn.text()).toContain('Sign in with a passkey')
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  // No one asked for a demo, and no file is made on this machine.
  expect(service.stdout()).not.toContain('curl')
}

async function majorVersion(url: string): Promise<number> {
  const database = connect({ url, poolSize: 1 })
  const version = await findServerVersion(database.sql)
  await database.close()
  return Math.trunc(version / 10_000)
}
