import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { OffersOfReference, PaymentFilter } from './payment-filter.ts'
import { findOffersOfReference } from './payment-store.ts'

// The links and codes whose reference is searched. They are looked up first, so that the search
// itself is a few ranges of indexes.
export async function readPaymentSearch(
  sql: Sql,
  tenant: Tenant,
  { text }: Pick<PaymentFilter, 'text'>,
): Promise<{ offers: OffersOfReference | undefined }> {
  return { offers: text ? await findOffersOfReference(sql, tenant, text) : undefined }
}
