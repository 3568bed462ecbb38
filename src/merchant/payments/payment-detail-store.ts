import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { PaymentDetail } from './payment.ts'

// What the payments of a page have beside their own row: how they were paid, and the merchant's
// notes on the link or code.
export async function listPaymentDetails(
  sql: Sql | Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<PaymentDetail[]> {
  return sql<PaymentDetail[]>`
    select
      payment.id,
      payment.method,
      payment.card_brand,
      payment.card_last4,
      coalesce(link.reference, code.reference) as reference,
      coalesce(link.metadata, code.metadata, '{}') as metadata
    from merchant.payments as payment
    left join merchant.payment_links as link
      on link.business_id = payment.business_id
      and link.environment = payment.environment
      and link.id = payment.payment_link_id
    left join merchant.qr_codes as code
      on code.business_id = payment.business_id
      and code.environment = payment.environment
      and code.id = payment.qr_code_id
    where payment.business_id = ${tenant.businessId}
      and payment.environment = ${tenant.environment}
      and payment.id = any (${[...ids]})`
}
