import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import type { Chargeback } from './chargeback.ts'

// Lock the payment first: its chargebacks change only under that lock.
export async function listChargebacksOfPayment(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<Chargeback[]> {
  return sql<Chargeback[]>`
    select
      id, payment_id, provider_chargeback_id, status, amount_minor, currency, merchant_minor,
      due_at, reason, is_contested, created_at, updated_at
    from merchant.chargebacks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}
    order by id`
}

export async function insertChargeback(
  tx: Tx,
  tenant: Tenant,
  chargeback: Chargeback,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.chargebacks ${tx({ businessId, environment, ...chargeback })}`
}

export async function updateChargeback(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Pick<Chargeback, 'status' | 'updatedAt'>,
): Promise<void> {
  await tx`
    update merchant.chargebacks
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function updateChargebackDetails(
  tx: Tx,
  tenant: Tenant,
  id: string,
  details: Pick<Chargeback, 'dueAt' | 'reason' | 'isContested'>,
): Promise<void> {
  await tx`
    update merchant.chargebacks
    set ${tx(details)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function listMisbookedChargebacks(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      chargeback.business_id, chargeback.environment, chargeback.id as chargeback_id,
      chargeback.status,
      count(*) filter (where entry.kind = 'chargeback.opened')::integer as opened_entries,
      count(*) filter (where entry.kind = 'chargeback.won')::integer as won_entries
    from merchant.chargebacks as chargeback
    left join kernel.ledger_entries as entry
      on entry.business_id = chargeback.business_id
      and entry.environment = chargeback.environment
      and entry.source_id = chargeback.id
    group by chargeback.business_id, chargeback.environment, chargeback.id
    having
      count(*) filter (where entry.kind = 'chargeback.opened') <> 1
      or count(*) filter (where entry.kind = 'chargeback.won')
        <> (chargeback.status = 'won')::integer
    order by chargeback.business_id, chargeback.environment, chargeback.id
    limit ${limit}`
}
