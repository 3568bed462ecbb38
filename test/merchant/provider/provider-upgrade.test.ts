// Payments of an earlier version get the provider that collected them.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { connect, type Database } from '../../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../../src/kernel/db/migrate.ts'
import { manualClock } from '../../support/clock.ts'
import { administer, serverUrl } from '../../support/database.ts'

const migrations = readMigrations('migrations')
const before = migrations.findIndex(({ name }) => name.includes('money-belongs-to-its-provider'))
const clock = manualClock()
const businessId = randomUUID()

let database: Database

beforeEach(async () => {
  const name = `old_${randomUUID().replaceAll('-', '')}`
  await administer((sql) => sql`create database ${sql(name)} template template0`)
  database = connect({ url: serverUrl(name), poolSize: 2 })
  const { sql } = database
  await migrate(sql, migrations.slice(0, before), clock)
  const createdAt = clock.now()
  await sql`
    insert into kernel.businesses (id, name, is_demo, created_at)
    values (${businessId}, 'Shop', false, ${createdAt})`
  await sql`insert into merchant.profiles ${sql(profile(createdAt))}`
  return async () => {
    await database.close()
    await administer((admin) => admin`drop database ${admin(name)} with (force)`)
  }
})

function profile(createdAt: Date) {
  const contact = { contactEmail: 'a@example.com', contactPhone: null }
  const moments = { createdAt, updatedAt: createdAt }
  return { businessId, country: 'NG', ...contact, kycStatus: 'verified', ...moments }
}

it.each([
  ['https://checkout.flutterwave.com/v3/hosted/pay/1', null],
  ['https://pay.example.com/simulator/pay/1', 'simulator'],
  [null, 'simulator'],
])('a collected payment whose page was %s belongs to %s', async (checkoutUrl, provider) => {
  const { sql } = database
  await insertPayment(checkoutUrl)
  await migrate(sql, migrations, clock)
  expect(await sql`select provider from merchant.payments`).toEqual([{ provider }])
  const live = await sql`select name, separated_at from merchant.live_provider`
  // A database with real money never goes back to the simulator.
  const known = { name: 'flutterwave', separatedAt: null }
  expect(live).toEqual(provider === null ? [known] : [])
})

it('a charge that the simulator knows is its own, whatever page it had', async () => {
  const { sql } = database
  const reference = await insertPayment('https://checkout.flutterwave.com/v3/hosted/pay/1')
  await sql`
    insert into simulator.checkouts
      (business_id, environment, id, tx_ref, amount, currency, customer_email, meta, subaccounts,
       retries_max, status, expires_at, created_at)
    values
      (${businessId}, 'live', ${randomUUID()}, ${reference}, 10, 'NGN', 'a@example.com', '{}', '[]',
       1, 'completed', ${clock.now()}, ${clock.now()})`
  await migrate(sql, migrations, clock)
  const rows = await sql`select provider from merchant.payments`
  expect(rows).toEqual([{ provider: 'simulator' }])
})

it('recipients and verifications of an earlier version are told apart', async () => {
  const { sql } = database
  const at = clock.now()
  const registering = migrations.findIndex(({ name }) =>
    name.includes('registrations-of-a-provider'),
  )
  await migrate(sql, migrations.slice(0, registering), clock)
  for (const subaccountId of ['RS_SIMULATED', 'RS_REAL', null]) {
    await sql`
      insert into merchant.split_recipients
        (business_id, environment, id, external_reference, name, bank_code, account_number_sealed,
         split_percent, subaccount_id, verified, disabled, created_at, updated_at)
      values
        (${businessId}, 'live', ${randomUUID()}, ${subaccountId ?? 'new'}, 'Stall', '044', '',
         10, ${subaccountId}, true, false, ${at}, ${at})`
  }
  await sql`
    insert into simulator.subaccounts
      (business_id, environment, subaccount_id, account_bank, account_number, full_name, bank_name,
       business_name, business_mobile, country, meta, split_type, split_value, is_changed,
       created_at)
    values
      (${businessId}, 'live', 'RS_SIMULATED', '044', '0690000031', 'A', 'B', 'C', '0800', 'NG', '',
       'percentage', 0.1, false, ${at})`
  await sql`
    insert into merchant.verification_sessions
      (business_id, environment, id, status, token_hash, token_sealed, identity_attempts,
       identity_status, created_at, updated_at,
       expires_at, submitted_at, decided_at)
    values
      (${businessId}, 'live', ${randomUUID()}, 'verified', ${Buffer.alloc(32)}, '', 1, 'passed',
       ${at}, ${at},
       ${at}, ${at}, ${at})`
  await migrate(sql, migrations, clock)
  const recipients = await sql`
    select external_reference, provider
    from merchant.split_recipients
    order by external_reference`
  expect(recipients).toEqual([
    { externalReference: 'RS_REAL', provider: 'flutterwave' },
    { externalReference: 'RS_SIMULATED', provider: 'simulator' },
    { externalReference: 'new', provider: null },
  ])
  expect(await sql`select kyc_simulated from merchant.profiles`).toEqual([{ kycSimulated: true }])
})

async function insertPayment(checkoutUrl: string | null): Promise<string> {
  const { sql } = database
  const at = clock.now()
  const linkId = randomUUID()
  await sql`
    insert into merchant.payment_links
      (business_id, environment, id, state, title, currency, created_at)
    values (${businessId}, 'live', ${linkId}, 'active', 'Order', 'NGN', ${at})`
  const reference = randomUUID()
  await sql`
    insert into merchant.payments
      (business_id, environment, id, status, currency, amount_minor, fee_minor, net_minor,
       payment_link_id, payer_email, provider_reference, provider_transaction_id, checkout_url,
       checkout_expires_at, created_at, updated_at, succeeded_at)
    values
      (${businessId}, 'live', ${randomUUID()}, 'succeeded', 'NGN', 1000, 0, 1000, ${linkId},
       'a@example.com', ${reference}, '123', ${checkoutUrl}, ${at}, ${at}, ${at}, ${at})`
  return reference
}
