import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { HeldOperation, Threshold, ThresholdKind } from './approval.ts'

// The threshold of the business, or else the operator's default.
export async function findThresholdMinor(
  sql: Sql | Tx,
  businessId: string,
  operation: HeldOperation,
  currency: string,
): Promise<bigint | undefined> {
  const ownMinor = await findOwnThresholdMinor(sql, businessId, operation, currency)
  return ownMinor ?? (await findDefaultThresholdMinor(sql, operation, currency))
}

// The operator's, for businesses without their own.
export async function listDefaultThresholds(sql: Sql | Tx): Promise<Threshold[]> {
  return sql<Threshold[]>`
    select operation, currency, amount_minor
    from merchant.default_thresholds
    order by operation, currency`
}

export async function listOwnThresholds(sql: Sql | Tx, businessId: string): Promise<Threshold[]> {
  return sql<Threshold[]>`
    select operation, currency, amount_minor
    from merchant.approval_thresholds
    where business_id = ${businessId}
    order by operation, currency`
}

async function findDefaultThresholdMinor(
  sql: Sql | Tx,
  operation: HeldOperation,
  currency: string,
): Promise<bigint | undefined> {
  const [row] = await sql<{ amountMinor: bigint }[]>`
    select amount_minor
    from merchant.default_thresholds
    where operation = ${operation}
      and currency = ${currency}`
  return row?.amountMinor
}

export async function insertOrUpdateDefaultThreshold(
  sql: Sql | Tx,
  { operation, currency, amountMinor }: Threshold,
  updatedAt: Date,
): Promise<void> {
  await sql`
    insert into merchant.default_thresholds (operation, currency, amount_minor, updated_at)
    values (${operation}, ${currency}, ${amountMinor}, ${updatedAt})
    on conflict (operation, currency) do update
    set amount_minor = excluded.amount_minor,
      updated_at = excluded.updated_at`
}

export async function findOwnThresholdMinor(
  sql: Sql | Tx,
  businessId: string,
  operation: ThresholdKind,
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

export async function deleteThreshold(
  tx: Tx,
  businessId: string,
  operation: ThresholdKind,
  currency: string,
): Promise<void> {
  await tx`
    delete from merchant.approval_thresholds
    where business_id = ${businessId}
      and operation = ${operation}
      and currency = ${currency}`
}
