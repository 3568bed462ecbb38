import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { UnmatchedCharge } from './unmatched-charge.ts'

// Lock the payment first: its unmatched charges change only under that lock.
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

export async function listUnmatchedChargesOfPayment(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<UnmatchedCharge[]> {
  return sql<UnmatchedCharge[]>`
    select id, payment_id, transaction_id, cause, currency, amount_minor, created_at
    from merchant.unmatched_charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}
    order by id`
}

export async function insertUnmatchedCharge(
  tx: Tx,
  tenant: Tenant,
  charge: UnmatchedCharge,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.unmatched_charges ${tx({ businessId, environment, ...charge })}`
}
