import { expect, test } from 'vitest'
import { resealSecrets } from '../../src/app/reseal-secrets.ts'
import { createPeople } from '../../src/kernel/auth/people.ts'
import { createSecrets, parseSecretsRing } from '../../src/kernel/auth/secrets.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import { installation, installationOn, keyOf } from '../support/cli.ts'
import { totp } from '../support/totp.ts'

test('after a rotation and a reseal the old key can be dropped, and nothing is lost', async () => {
  const old = await installation(keyOf(1))
  const { database } = old
  const { sql } = database
  const demo = await old.json('demo')
  await sql`
    insert into merchant.split_recipients
      (business_id, environment, id, external_reference, name, bank_code, account_number_sealed,
       split_percent, verified, disabled, created_at, updated_at)
    values
      (${demo.business_id}, 'live', ${demo.business_id}, 'r', 'R', '044',
       ${secretsOf(keyOf(1)).seal('0690000031', `merchant.split_recipients/${demo.business_id}`)},
       10, true, false, now(), now())`

  const dropped = installationOn(database, keyOf(2))
  const tooEarly = await dropped.cli('businesses')
  expect(tooEarly.status).toBe(1)
  expect(tooEarly.stderr).toContain('After a rotation, list the old key after the new one.')

  const both = installationOn(database, `${keyOf(2)},${keyOf(1)}`)
  expect(await both.json('secrets', 'reseal')).toEqual({
    version: 2,
    resealed: [
      { column: 'kernel.secrets_canary.sealed', count: 1 },
      { column: 'kernel.people_secrets.sealed', count: 1 },
      { column: 'kernel.two_factors.secret_sealed', count: 2 },
      { column: 'kernel.two_factors.backup_codes_sealed', count: 2 },
      { column: 'kernel.webhook_endpoints.secret_sealed', count: 0 },
      { column: 'kernel.webhook_endpoints.old_secret_sealed', count: 0 },
      { column: 'merchant.settlement_accounts.account_number_sealed', count: 1 },
      { column: 'merchant.settlement_account_requests.account_sealed', count: 0 },
      { column: 'merchant.split_recipients.account_number_sealed', count: 1 },
      { column: 'merchant.payouts.account_sealed', count: 0 },
      { column: 'merchant.subscriptions.card_sealed', count: 0 },
      { column: 'merchant.provider_messages.body_sealed', count: 0 },
      { column: 'merchant.verification_sessions.token_sealed', count: 0 },
      { column: 'merchant.beneficial_owners.born_on_sealed', count: 0 },
      { column: 'merchant.verification_document_contents.content_sealed', count: 0 },
      { column: 'books.attachment_contents.content_sealed', count: 0 },
      { column: 'books.imports.content_sealed', count: 0 },
    ],
  })
  const again = await both.cli('secrets', 'reseal')
  expect(again.status).toBe(0)
  expect(again.stdout).toMatch(/^ {7}0 {2}kernel\.secrets_canary\.sealed\n/)
  expect(again.stdout).toContain('encrypted with version 2 of SECRETS_KEY')

  expect((await dropped.cli('verify')).status).toBe(0)
  const secrets = secretsOf(keyOf(2))
  const [account] = await sql<{ id: string; sealed: Buffer }[]>`
    select id, account_number_sealed as sealed
    from merchant.settlement_accounts`
  const boundTo = `merchant.settlement_accounts/${account?.id}`
  expect(secrets.open(account?.sealed ?? Buffer.alloc(0), boundTo).toString()).toBe('0690000031')
  const context = { clock: systemClock, ids: systemIds(systemClock), log: createLog('silent') }
  const publicUrl = 'https://pay.example.com'
  const people = await createPeople(
    { ...context, database, failpoint: createFailpoint() },
    { publicUrl, secrets },
  )
  const { email, password, totp_secret: seed } = demo.app.owner
  expect(await people.verifyPasswordAndCode(email, password, totp(seed, new Date()))).toBeDefined()
  expect((await old.cli('businesses')).status).toBe(1)
})

test('every sealed column is resealed', async () => {
  const { database } = await installation()
  const columns = await database.sql<{ name: string }[]>`
    select table_schema || '.' || table_name || '.' || column_name as name
    from information_schema.columns
    where column_name = 'sealed'
      or column_name like '%\\_sealed'
    order by 1`
  expect(columns.length).toBeGreaterThan(5)
  const resealed = await resealSecrets(database, secretsOf(keyOf(1)))
  const known = new Set(resealed.map(({ column }) => column))
  const forgotten = columns.filter(({ name }) => !known.has(name))
  expect(forgotten).toEqual([])
})

function secretsOf(text: string) {
  const ring = parseSecretsRing(text)
  if (!ring) throw new Error('no ring')
  return createSecrets(ring)
}
