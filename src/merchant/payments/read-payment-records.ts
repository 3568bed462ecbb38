// Payments as the interface shows them, with what belongs to them.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { listRefundsOfPayments } from '../refunds/refund-store.ts'
import { presentRefund } from '../refunds/shown-refund.ts'
import { type Payment, presentPayment } from './payment.ts'
import { listPaymentDetails } from './payment-detail-store.ts'

export type PaymentRecord = Awaited<ReturnType<typeof readPaymentRecord>>

export async function readPaymentRecords(sql: Sql, tenant: Tenant, payments: readonly Payment[]) {
  if (payments.length === 0) return []
  const ids = payments.map(({ id }) => id)
  const [details, refunds] = await Promise.all([
    listPaymentDetails(sql, tenant, ids),
    listRefundsOfPayments(sql, tenant, ids),
  ])
  const detailOf = new Map(details.map((detail) => [detail.id, detail]))
  return payments.map((payment) => ({
    ...presentPayment(payment, assertDefined(detailOf.get(payment.id), 'a payment vanished')),
    refunds: refunds.filter(({ paymentId }) => paymentId === payment.id).map(presentRefund),
  }))
}

export async function readPaymentRecord(sql: Sql, tenant: Tenant, payment: Payment) {
  const [presented] = await readPaymentRecords(sql, tenant, [payment])
  return assertDefined(presented, 'a payment vanished')
}
