import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { RowScope } from '../row-scope.ts'
import type { Refund } from './refund.ts'

// A new refund was never sent, so it has seen no list.
type SetLater = 'listedBefore' | 'namedEntry' | 'lookupOnly' | 'firstAbsentAt' | 'givenUpAt'
type Defaulted = 'thresholdMinor' | 'overdraftLeftMinor' | 'transactionId'
export type NewRefund = Omit<Refund, SetLater | Defaulted> & Partial<Pick<Refund, Defaulted>>

export type RefundOfTenant = { readonly tenant: Tenant; readonly refund: Refund }

export async function findRefund(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Refund | undefined> {
  const [row] = await sql<Refund[]>`
    select ${columns(sql)}
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Lock the payment first: its refunds change only under that lock.
export async function lockRefund(tx: Tx, tenant: Tenant, id: string): Promise<Refund | undefined> {
  const [row] = await tx<Refund[]>`
    select ${columns(tx)}
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

export async function listRefundsOfPayment(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<Refund[]> {
  return sql<Refund[]>`
    select ${columns(sql)}
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}
    order by id`
}

// Of several payments, each one's oldest first.
export async function listRefundsOfPayments(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentIds: readonly string[],
): Promise<Refund[]> {
  return sql<Refund[]>`
    select ${columns(sql)}
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = any (${[...paymentIds]})
    order by id`
}

// The provider's ids of refunds recorded since then.
export async function listProviderRefundIds(
  sql: Sql | Tx,
  tenant: Tenant,
  since: Date,
): Promise<string[]> {
  const rows = await sql<{ providerRefundId: string }[]>`
    select provider_refund_id
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and created_at >= ${since}
      and provider_refund_id is not null`
  return rows.map(({ providerRefundId }) => providerRefundId)
}

// Of all tenants: refunds that the resolver must ask the provider about now, the longest due first:
// open ones and those that were given up.
export async function listRefundsToLookAt(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<RefundOfTenant[]> {
  const rows = await sql<(Refund & Tenant)[]>`
    (select business_id, environment, ${columns(sql)}
    from merchant.refunds
    where status in ('pending', 'accepted')
      and (next_look_at is null or next_look_at <= ${now})
    order by next_look_at nulls first
    limit ${limit})
    union all
    (select business_id, environment, ${columns(sql)}
    from merchant.refunds
    where status = 'failed'
      and given_up_at is not null
      and next_look_at <= ${now}
    order by next_look_at
    limit ${limit})`
  return rows.map(({ businessId, environment, ...refund }) => ({
    tenant: { businessId, environment },
    refund,
  }))
}

// Of a scope: sent refunds that the provider has not answered, oldest first. Refused ones that wait
// for another try have their answer.
export async function listUnansweredRefunds(
  sql: Sql,
  scope: RowScope,
  limit: number,
): Promise<RefundOfTenant[]> {
  const rows = await sql<(Refund & Tenant)[]>`
    select business_id, environment, ${columns(sql)}
    from merchant.refunds
    where status = 'pending'
      and sends > 0
      and failure_reason is null
      and (${scope.businessId}::uuid is null or business_id = ${scope.businessId})
      and (${scope.environment}::text is null or environment = ${scope.environment})
    order by updated_at, id
    limit ${limit}`
  return rows.map(({ businessId, environment, ...refund }) => ({
    tenant: { businessId, environment },
    refund,
  }))
}

export async function insertRefund(tx: Tx, tenant: Tenant, refund: NewRefund): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.refunds ${tx({ businessId, environment, ...refund })}`
}

// Writes the given fields of a refund that the caller has locked.
export async function updateRefund(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Refund, 'id' | 'paymentId'>> & { updatedAt: Date },
): Promise<void> {
  await tx`
    update merchant.refunds
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Claims the look at a refund: of two resolvers that found it due, one moves its time, and the
// other finds it no longer due. False then, and if the refund has ended meanwhile.
export async function updateNextLook(
  sql: Sql,
  tenant: Tenant,
  refund: Pick<Refund, 'id' | 'status' | 'sends'>,
  at: { readonly now: Date; readonly nextLookAt: Date | null },
): Promise<boolean> {
  const rows = await sql`
    update merchant.refunds
    set next_look_at = ${at.nextLookAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${refund.id}
      and status = ${refund.status}
      and sends = ${refund.sends}
      and (next_look_at is null or next_look_at <= ${at.now})
    returning id`
  return rows.length > 0
}

// Of all tenants, since the provider names its transaction but not the tenant: the resolver looks
// at all open refunds of that transaction in its next round.
export async function updateNextLookOfTransaction(
  tx: Tx,
  environment: Environment,
  transactionId: string,
  now: Date,
): Promise<void> {
  await tx`
    update merchant.refunds as refund
    set next_look_at = ${now}
    from merchant.payments as payment
    where refund.environment = ${environment}
      and (
        (refund.status in ('pending', 'accepted') and refund.next_look_at > ${now})
        or (refund.status = 'failed' and refund.given_up_at is not null)
      )
      and payment.business_id = refund.business_id
      and payment.environment = refund.environment
      and payment.id = refund.payment_id
      and coalesce(refund.transaction_id, payment.provider_transaction_id) = ${transactionId}`
}

// Counts a send before it happens, and stores the entries of the provider's list at that time.
// False if another process sent it meanwhile, or it has ended. The last condition repeats
// `isOnlyLookedUp`: such a refund is never sent twice.
export async function updateSends(
  tx: Tx,
  tenant: Tenant,
  refund: Pick<Refund, 'id' | 'sends'>,
  at: { readonly now: Date; readonly nextLookAt: Date; readonly listedBefore: readonly string[] },
): Promise<boolean> {
  const rows = await tx`
    update merchant.refunds
    set sends = ${refund.sends + 1},
      failure_reason = null,
      listed_before = ${[...at.listedBefore]},
      next_look_at = ${at.nextLookAt},
      updated_at = ${at.now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${refund.id}
      and status = 'pending'
      and sends = ${refund.sends}
      and (
        sends = 0
        or not (lookup_only or (cause = 'requested' and approval_id is null))
      )
    returning id`
  return rows.length > 0
}

function columns(sql: Sql | Tx) {
  return sql`
    id, payment_id, status, amount_minor, currency, cause, transaction_id, requested_by_kind,
    requested_by, approval_id, provider_refund_id, failure_reason, sends, listed_before,
    named_entry, lookup_only, first_absent_at, given_up_at, threshold_minor, overdraft_left_minor,
    next_look_at, created_at, updated_at`
}
