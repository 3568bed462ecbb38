import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ApprovalOperation } from './approval.ts'

export type Threshold = {
  readonly operation: ApprovalOperation
  readonly currency: string
  readonly amountMinor: bigint
}

export async function findThresholdMinor(
  sql: Sql | Tx,
  businessId: string,
  operation: ApprovalOperation,
  currency: string,
): Promise<bigint | undefined> {
  const [row] = await sql<{ amountMinor: bigint }[]>`
    select amount_minor
    from merchant.approval_thresholds
    where business_id = ${businessId}
      and operation = ${operation}
      and currency = ${currency}`
  return row?.amountMinor
}

export async function insertOrUpdateThreshold(
  tx: Tx,
  businessId: string,
  { operation, currency, amountMinor }: Threshold,
  updatedAt: Date,
): Promise<void> {
  await tx`
    insert into merchant.approval_thresholds
      (business_id, operation, currency, amount_minor, updated_at)
    values (${businessId}, ${operation}, ${currency}, ${amountMinor}, ${updatedAt})
    on conflict (business_id, operation, currency) do update
    set amount_minor = excluded.amount_minor,
      updated_at = excluded.updated_at`
}
