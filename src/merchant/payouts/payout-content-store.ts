import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'

export type PaymentOfSource = {
  // The payment itself, a refund or a chargeback.
  readonly sourceId: string
  readonly paymentId: string
  readonly payerEmail: string
  readonly payerName: string | null
  readonly amountMinor: bigint
  readonly feeMinor: bigint | null
}

// The payments behind ledger entries, by the objects that the entries are about.
export async function listPaymentsOfSources(
  sql: Sql,
  tenant: Tenant,
  sourceIds: readonly string[],
): Promise<PaymentOfSource[]> {
  return sql<PaymentOfSource[]>`
    select
      source.source_id, payment.id as payment_id, payment.payer_email, payment.payer_name,
      payment.amount_minor, payment.fee_minor
    from (
      select unnest(${[...sourceIds]}::uuid[]) as source_id, unnest(${[...sourceIds]}::uuid[])
        as payment_id
      union all
      select id, payment_id
      from merchant.refunds
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and id = any (${[...sourceIds]})
      union all
      select id, payment_id
      from merchant.chargebacks
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and id = any (${[...sourceIds]})
    ) as source
    join merchant.payments as payment
      on payment.business_id = ${tenant.businessId}
      and payment.environment = ${tenant.environment}
      and payment.id = source.payment_id`
}
