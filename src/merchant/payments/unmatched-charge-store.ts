import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import type { UnmatchedCharge } from './take-unexpected.ts'

// Lock the payment first: what is kept beside it changes only under that lock.
export async function findUnmatchedCharge(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
  transactionId: string,
): Promise<UnmatchedCharge | undefined> {
  const [row] = await tx<UnmatchedCharge[]>`
    select id, payment_id, transaction_id, cause, currency, amount_minor, created_at
    from merchant.unmatched_charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}
      and transaction_id = ${transactionId}`
  return row
}

export async function insertUnmatchedCharge(
  tx: Tx,
  tenant: Tenant,
  charge: UnmatchedCharge,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.unmatched_charges ${tx({ businessId, environment, ...charge })}`
}

export async function listMisbookedCharges(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      charge.business_id, charge.environment, charge.id as unmatched_charge_id,
      charge.amount_minor, coalesce(-sum(line.amount_minor), 0) as booked_minor
    from merchant.unmatched_charges as charge
    left join kernel.ledger_entries as entry
      on entry.business_id = charge.business_id
      and entry.environment = charge.environment
      and entry.source_id = charge.id
      and entry.kind in ('charge.unmatched', 'charge.late', 'charge.repeated')
    left join kernel.ledger_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.entry_id = entry.id
      and line.account = 'suspense:unmatched'
      and line.currency = charge.currency
    group by charge.business_id, charge.environment, charge.id
    having coalesce(charge.amount_minor, 0) <> coalesce(-sum(line.amount_minor), 0)
    order by charge.business_id, charge.environment, charge.id
    limit ${limit}`
}
