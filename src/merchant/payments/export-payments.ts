// All payments that a filter finds, as a file. It can be long, so it is read in pages and sent
// while it is read. No transaction and no connection is held while a slow caller reads.
import { z } from 'zod'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { csvLine } from '../../kernel/http/csv.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type OrderLine, orderText } from '../payment-links/payment-link-item.ts'
import type { Payment, PaymentDetail } from './payment.ts'
import { listPaymentDetails } from './payment-detail-store.ts'
import { paymentFilterInput, type WantedPayments } from './payment-filter.ts'
import { listPayments } from './payment-store.ts'
import { readPaymentItems } from './read-payment-records.ts'
import { readPaymentSearch } from './read-payment-search.ts'

const pageRows = 500

export const exportPayments = defineOperation({
  name: 'export-payments',
  summary: 'Write payments as CSV, newest first',
  kind: 'read',
  input: z.strictObject(paymentFilterInput),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, wanted): Promise<AsyncIterable<string>> {
    return csvPages(sql, actor, { ...wanted, ...(await readPaymentSearch(sql, actor, wanted)) })
  },
})

async function* csvPages(sql: Sql, tenant: Tenant, wanted: WantedPayments): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name))
  let startingAfter: string | undefined
  do {
    const page = await listPayments(sql, tenant, { ...wanted, limit: pageRows, startingAfter })
    const ids = page.map(({ id }) => id)
    const details = new Map(
      (await listPaymentDetails(sql, tenant, ids)).map((detail) => [detail.id, detail]),
    )
    const items = await readPaymentItems(sql, tenant, page)
    yield page
      .map((payment) => csvRow(payment, details.get(payment.id), items.get(payment.id)))
      .join('')
    startingAfter = page.length === pageRows ? ids.at(-1) : undefined
  } while (startingAfter)
}

type Cell = (
  payment: Payment,
  detail: PaymentDetail | undefined,
  items: readonly OrderLine[],
) => string | null | undefined

const major = ({ currency }: Payment, minor: bigint | null) =>
  minor === null ? null : majorText(minor, currencyOf(currency).decimals)

const columns: readonly (readonly [name: string, cell: Cell])[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['status', ({ status }) => status],
  ['currency', ({ currency }) => currency],
  ['amount', (payment) => major(payment, payment.amountMinor)],
  ['fee', (payment) => major(payment, payment.feeMinor)],
  ['net', (payment) => major(payment, payment.netMinor)],
  ['refunded', (payment) => major(payment, payment.refundedMinor)],
  ['payer_email', ({ payerEmail }) => payerEmail],
  ['payer_name', ({ payerName }) => payerName],
  ['method', (_payment, detail) => detail?.method],
  ['reference', (_payment, detail) => detail?.reference],
  ['payment_link_id', ({ paymentLinkId }) => paymentLinkId],
  ['qr_code_id', ({ qrCodeId }) => qrCodeId],
  ['subscription_id', ({ subscriptionId }) => subscriptionId],
  ['invoice_id', ({ invoiceId }) => invoiceId],
  ['provider_reference', ({ providerReference }) => providerReference],
  ['failure_reason', ({ failureReason }) => failureReason],
  ['succeeded_at', ({ succeededAt }) => succeededAt?.toISOString()],
  ['settled_at', ({ settledAt }) => settledAt?.toISOString()],
  ['items', (_payment, _detail, items) => orderText(items)],
  ['payer_phone', ({ payerAnswers }) => payerAnswers?.phone],
  ['payer_address', ({ payerAnswers }) => payerAnswers?.address],
  ['payer_note', ({ payerAnswers }) => payerAnswers?.note],
]

function csvRow(
  payment: Payment,
  detail: PaymentDetail | undefined,
  items: readonly OrderLine[] = [],
): string {
  return csvLine(columns.map(([, cell]) => cell(payment, detail, items) ?? ''))
}
