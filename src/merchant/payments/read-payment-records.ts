// Payments as the interface shows them, with what belongs to them.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { OrderLine } from '../payment-links/payment-link-item.ts'
import { listPaymentItems } from '../payment-links/payment-link-item-store.ts'
import { listRefundsOfPayments } from '../refunds/refund-store.ts'
import { presentRefund } from '../refunds/shown-refund.ts'
import { orderedItems, type Payment, presentPayment } from './payment.ts'
import { listPaymentDetails } from './payment-detail-store.ts'

export type PaymentRecord = Awaited<ReturnType<typeof readPaymentRecord>>

export async function readPaymentRecords(sql: Sql, tenant: Tenant, payments: readonly Payment[]) {
  if (payments.length === 0) return []
  const ids = payments.map(({ id }) => id)
  const [details, items, refunds] = await Promise.all([
    listPaymentDetails(sql, tenant, ids),
    readPaymentItems(sql, tenant, payments),
    listRefundsOfPayments(sql, tenant, ids),
  ])
  const detailOf = new Map(details.map((detail) => [detail.id, detail]))
  return payments.map((payment) => ({
    ...presentPayment(payment, assertDefined(detailOf.get(payment.id), 'a payment vanished')),
    ...orderedItems(items.get(payment.id) ?? []),
    refunds: refunds.filter(({ paymentId }) => paymentId === payment.id).map(presentRefund),
  }))
}

// By the id of the payment. Most payments have none, and need no query.
export async function readPaymentItems(
  sql: Sql,
  tenant: Tenant,
  payments: readonly Payment[],
): Promise<Map<string, OrderLine[]>> {
  const ids = payments.filter(({ isItemised }) => isItemised).map(({ id }) => id)
  const lines = ids.length > 0 ? await listPaymentItems(sql, tenant, ids) : []
  return Map.groupBy(lines, ({ paymentId }) => paymentId)
}

export async function readPaymentRecord(sql: Sql, tenant: Tenant, payment: Payment) {
  const [presented] = await readPaymentRecords(sql, tenant, [payment])
  return assertDefined(presented, 'a payment vanished')
}
