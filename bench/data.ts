// Businesses and payments, created by the database itself within seconds. The ids are computed from
// numbers, so that requests.lua and pgbench can name a row without a query. Like the service's ids,
// they sort by creation time.
import { connect, type Database, type Sql } from '../src/kernel/db/database.ts'
import { databaseUrl } from './servers.ts'

const businessPrefix = '018e0000-0000-7000-8000-'
const paymentPrefix = '018f0000-0000-7000-8000-'

export const businessId = (number: number) => numbered(businessPrefix, number)
export const paymentId = (number: number) => numbered(paymentPrefix, number)
// The customer of draft invoices. requests.lua has the same id.
export const invoiceContactId = '018d0000-0000-7000-8000-000000000001'
export const providerReference = (number: number) => `bench-${number}`

function numbered(prefix: string, number: number): string {
  return prefix + String(number).padStart(12, '0')
}

// A million rows take longer than the service's time limits allow.
export function loadingConnection(dataDir: string): Database {
  return connect({ url: databaseUrl(dataDir), poolSize: 1, withoutTimeLimits: true })
}

export async function insertBusinesses(sql: Sql, count: number): Promise<void> {
  await sql`
    insert into kernel.businesses (id, name, is_demo, created_at)
    select (${businessPrefix} || lpad(n::text, 12, '0'))::uuid, 'Business ' || n, true, now()
    from generate_series(0, ${count - 1}::int) as n`
  await sql`
    insert into merchant.profiles (
      business_id, country, contact_email, kyc_status, created_at, updated_at
    )
    select id, 'NG', 'owner@example.com', 'verified', now(), now()
    from kernel.businesses`
  await sql`
    insert into merchant.payment_links (
      business_id, environment, id, state, title, currency, created_at
    )
    select id, 'live', id, 'active', 'Order', 'NGN', now()
    from kernel.businesses`
  // Only these tables: PostgreSQL would plan for empty tables if it analysed the others now, and
  // settling would be measured with plans that no real database has.
  await sql`analyze kernel.businesses, merchant.profiles, merchant.payment_links`
}

// Two per business. Nothing is sent to them, so their secrets are not valid.
export async function insertEndpoints(sql: Sql): Promise<void> {
  await sql`
    insert into kernel.webhook_endpoints (
      business_id, environment, id, service, url, secret_sealed, state, failures_in_row, created_at,
      state_since, told_since
    )
    select id, 'live', gen_random_uuid(), 'merchant', 'https://hooks.example.com/' || n, '', 'on',
      0, now(), now(), now()
    from kernel.businesses
    cross join generate_series(1, 2) as n`
}

// Payments of one business, old enough that no job looks at them.
export async function insertSucceededPayments(
  sql: Sql,
  business: string,
  count: number,
): Promise<void> {
  await sql`
    insert into merchant.payment_links (
      business_id, environment, id, state, title, currency, created_at
    )
    values (${business}, 'live', ${business}, 'active', 'Order', 'NGN', now())`
  await sql.begin(async (tx) => {
    // Skips foreign key checks: every row names the same link.
    await tx`set local session_replication_role = replica`
    await tx`
      insert into merchant.payments (
        business_id, environment, id, status, currency, amount_minor, fee_minor, net_minor,
        payment_link_id, payer_email, provider_reference, provider_transaction_id,
        checkout_expires_at, created_at, updated_at, succeeded_at, settled_at
      )
      select
        ${business}::uuid, 'live', (${paymentPrefix} || lpad(n::text, 12, '0'))::uuid,
        'succeeded', 'NGN', 100000 + n, 1500, 98500 + n,
        ${business}::uuid, 'payer' || n || '@example.com', 'bench-' || n, n::text,
        at, at, at, at, at
      from generate_series(1, ${count}::int) as n
      cross join lateral (select now() - interval '400 days' + n * interval '1 second') as t (at)`
  })
  await sql`vacuum analyze merchant.payments`
}

// Payments of one business over 400 days, with ids of their time and some that failed. Returns the
// id of the newest.
export async function insertPaymentsOverTime(
  sql: Sql,
  business: string,
  count: number,
): Promise<string> {
  await sql`
    insert into merchant.payment_links (
      business_id, environment, id, state, title, currency, created_at
    )
    values (${business}, 'live', ${business}, 'active', 'Order', 'NGN', now())`
  await sql.begin(async (tx) => {
    // Skips foreign key checks: every row names the same link.
    await tx`set local session_replication_role = replica`
    await tx`
      insert into merchant.payments (
        business_id, environment, id, status, currency, amount_minor, fee_minor, net_minor,
        payment_link_id, payer_email, provider_reference, checkout_expires_at, created_at,
        updated_at, succeeded_at, settled_at, failure_reason
      )
      select
        ${business}::uuid, 'live',
        (
          lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
          || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
        case when n % 12 = 0 then 'failed' else 'succeeded' end, 'NGN', 100000 + n,
        case when n % 12 <> 0 then 1500 end, case when n % 12 <> 0 then 98500 + n end,
        ${business}::uuid, 'payer' || n % 50000 || '@example.com', 'bench-' || n, at, at, at,
        case when n % 12 <> 0 then at end, case when n % 12 <> 0 then at end,
        case when n % 12 = 0 then 'declined' end
      from generate_series(1, ${count}::int) as n
      cross join lateral (
        select now() - (${count}::int - n) * interval '400 days' / ${count}::int
      ) as t (at)`
  })
  await sql`vacuum analyze merchant.payments`
  const [newest] = await sql<{ id: string }[]>`
    select id
    from merchant.payments
    where business_id = ${business}
    order by id desc
    limit 1`
  return newest?.id ?? ''
}

// Pending payments, numbered from `first`, spread over the businesses.
export async function insertPendingPayments(
  sql: Sql,
  range: { first: number; count: number; businesses: number },
): Promise<void> {
  await sql`
    insert into merchant.payments (
      business_id, environment, id, status, currency, amount_minor, payment_link_id, payer_email,
      provider_reference, checkout_expires_at, created_at, updated_at
    )
    select
      business, 'live', (${paymentPrefix} || lpad(n::text, 12, '0'))::uuid, 'pending', 'NGN',
      100000, business, 'payer' || n || '@example.com', 'bench-' || n,
      now() + interval '1 day', now(), now()
    from generate_series(
      ${range.first}::int, ${range.first + range.count - 1}::int
    ) as n
    cross join lateral (
      select (${businessPrefix} || lpad((n % ${range.businesses}::int)::text, 12, '0'))::uuid
    ) as b (business)`
  await sql`vacuum analyze merchant.payments`
}
