import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Movement, MovementKind, MovementStatus, NewMovement } from './movement.ts'

export async function insertMovements(
  tx: Tx,
  tenant: Tenant,
  movements: readonly NewMovement[],
  takenAt: Date,
): Promise<void> {
  const { businessId, environment } = tenant
  const rows = movements.map((movement) => ({
    ...{ businessId, environment, ...movement },
    ...{ status: 'waiting', nextTryAt: takenAt, takenAt },
  }))
  await tx`
    insert into books.service_movements ${tx(rows)}
    on conflict (business_id, environment, id) do nothing`
}

// Of all tenants with automatic bookkeeping: those with movements to post now. The order leads to
// the index, one lookup per tenant; otherwise the whole backlog of one business may be read.
export async function listTenantsDue(sql: Sql, now: Date): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select setting.business_id, setting.environment
    from books.service_settings as setting
    cross join lateral (
      select
      from books.service_movements as movement
      where movement.business_id = setting.business_id
        and movement.environment = setting.environment
        and movement.status = 'waiting'
        and movement.next_try_at <= ${now}
      order by movement.next_try_at
      limit 1
    ) as due
    where setting.is_on
    order by setting.business_id, setting.environment`
}

export type DueMovement = Pick<Movement, 'id' | 'happenedAt'>

// The due movements of a tenant, in the order in which they happened, so that a payment comes
// before its refund.
export async function listDueMovements(
  sql: Sql,
  tenant: Tenant,
  wanted: {
    readonly now: Date
    readonly after: DueMovement | undefined
    readonly limit: number
  },
): Promise<DueMovement[]> {
  const { now, after, limit } = wanted
  const behind = after
    ? sql`and (happened_at, id) > (${after.happenedAt}::timestamptz, ${after.id}::uuid)`
    : sql``
  return sql<DueMovement[]>`
    select id, happened_at
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status = 'waiting'
      and next_try_at <= ${now}
      ${behind}
    order by happened_at, id
    limit ${limit}`
}

export async function lockMovement(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Movement | undefined> {
  const [row] = await tx<Movement[]>`
    select ${columns(tx)}
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// The last movement of these kinds of one object, before another movement or of all.
export async function findLastMovement(
  sql: Sql | Tx,
  tenant: Tenant,
  objectId: string,
  kinds: readonly MovementKind[],
  before?: DueMovement,
): Promise<Movement | undefined> {
  const [row] = await sql<Movement[]>`
    select ${columns(sql)}
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and object_id = ${objectId}
      and kind = any (${[...kinds]}::text[])
      ${before ? isBefore(sql, before) : sql``}
    order by happened_at desc, id desc
    limit 1`
  return row
}

// Whether an earlier movement of the same object is not posted yet.
export async function findIsBehind(tx: Tx, tenant: Tenant, movement: Movement): Promise<boolean> {
  const rows = await tx`
    select id
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and object_id = ${movement.objectId}
      and status = 'waiting'
      ${isBefore(tx, movement)}
    limit 1`
  return rows.length > 0
}

function isBefore(sql: Sql | Tx, { happenedAt, id }: DueMovement) {
  return sql`and (happened_at, id) < (${happenedAt}::timestamptz, ${id}::uuid)`
}

// How many refunds of a payment are not reversed.
export async function findRefundedCount(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (
      count(*) filter (where kind in ('refunded', 'charged_back'))
      - count(*) filter (where kind in ('refund_reversed', 'chargeback_won'))
    )::integer as count
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}`
  return row?.count ?? 0
}

// Newest first.
export async function listMovements(
  sql: Sql | Tx,
  tenant: Tenant,
  status: MovementStatus | undefined,
  limit: number,
): Promise<Movement[]> {
  return sql<Movement[]>`
    select ${columns(sql)}
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${status === undefined} or status = ${status ?? null})
    order by happened_at desc, id desc
    limit ${limit}`
}

export type WaitingFor = {
  readonly reason: string | null
  readonly currency: string
  readonly count: number
  readonly heldMinor: bigint
}

export async function listWaiting(sql: Sql | Tx, tenant: Tenant): Promise<WaitingFor[]> {
  return sql<WaitingFor[]>`
    select reason, currency, count(*)::integer as count, sum(held_minor)::bigint as held_minor
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status = 'waiting'
    group by reason, currency
    order by count(*) desc, currency, reason`
}

// Of all businesses with automatic bookkeeping.
export async function findWaitingTotals(
  sql: Sql,
): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  const [row] = await sql<{ count: number; oldestAt: Date | null }[]>`
    select count(*)::integer as count, min(movement.taken_at) as oldest_at
    from books.service_movements as movement
    join books.service_settings as setting
      on setting.business_id = movement.business_id
      and setting.environment = movement.environment
    where movement.status = 'waiting'
      and movement.environment = 'live'
      and setting.is_on`
  return row ?? { count: 0, oldestAt: null }
}

export async function updateMovement(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Movement, keyof NewMovement>>,
): Promise<void> {
  await tx`
    update books.service_movements
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Deletes recorded movements that are no longer posted automatically. They are recorded again if an
// earlier day is set. Returns how many there were.
export async function deleteWaitingBefore(tx: Tx, tenant: Tenant, moment: Date): Promise<number> {
  const deleted = await tx`
    delete from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status = 'waiting'
      and happened_at < ${moment}`
  return deleted.count
}

// All, or those in a currency. Returns how many are retried.
export async function updateWaitingDue(
  tx: Tx,
  tenant: Tenant,
  now: Date,
  currency?: string,
): Promise<number> {
  const updated = await tx`
    update books.service_movements
    set next_try_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status = 'waiting'
      and (${currency === undefined} or currency = ${currency ?? null})`
  return updated.count
}

function columns(sql: Sql | Tx) {
  return sql`
    id, kind, object_id, payment_id, happened_at, currency, held_minor, fee_minor, share_minor,
    offer_id, offer_text, status, reason, tries, next_try_at, booked_payment_id, first_sequence,
    last_sequence, taken_at, booked_at`
}
