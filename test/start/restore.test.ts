// @module-tag long
// The drill of docs/operations.md: a backup is restored into an empty server, checked, and served.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Sql } from '../../src/kernel/db/database.ts'
import { spawnCli } from '../support/cli.ts'
import { postgresProgram, startOldestPostgres } from '../support/postgres-server.ts'
import { eventually, startService, temporaryDirectory } from '../support/processes.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'

const settings = {
  SECRETS_KEY: secretsKeyOf(1).toString('base64'),
  PUBLIC_URL: 'http://127.0.0.1:4000',
}

test('a restored backup holds every invariant and chain, and goes on where it was', async () => {
  const [first, second] = [await startOldestPostgres(), await startOldestPostgres()]
  const service = await startService({
    env: { ...settings, DATABASE_URL: first, DEMO: 'empty' },
  })
  await service.until('Try it:')
  const headers = {
    authorization: `Bearer ${/acct_live_\S+/.exec(service.stdout())?.[0]}`,
    'content-type': 'application/json',
  }
  const contacts = (url: string) => `${url}/books/api/v1/contacts`
  const body = JSON.stringify({ name: 'A customer', is_customer: true })
  const created = await fetch(contacts(service.url), { method: 'POST', headers, body })
  expect(created.status).toBe(201)
  // While it runs: a dump is of one moment.
  const file = join(temporaryDirectory(), 'tillbook.dump')
  execFileSync(postgresProgram('pg_dump'), ['--format=custom', `--file=${file}`, first])
  service.kill('SIGTERM')
  await service.ended

  execFileSync(postgresProgram('pg_restore'), ['--exit-on-error', `--dbname=${second}`, file])
  const env = { ...settings, DATABASE_URL: second }
  const verified = await spawnCli(env, 'verify')
  expect([verified.status, verified.stderr]).toEqual([0, ''])
  const restored = await startService({ env })
  await restored.ready()
  const listed = await fetch(contacts(restored.url), { headers })
  expect(await listed.text()).toContain('A customer')

  // A changed backup does not pass. The log is sealed within seconds.
  const { sql, close } = connect({ url: second, poolSize: 1 })
  onTestFinished(close)
  await sql`set session_replication_role = replica`
  await eventually(async () => (await changeSealed(sql)) > 0)
  expect((await spawnCli(env, 'verify')).status).toBe(1)
})

async function changeSealed(sql: Sql): Promise<number> {
  const changed = await sql`
    update kernel.audit_log
    set object_id = 'changed'
    where hash is not null
    returning id`
  return changed.length
}
