// The mail to the people of the business about a customer's payment on the page of an invoice.
import { moneyText } from '../../kernel/money/money-text.ts'
import type { Notice } from '../../kernel/notices/notice.ts'

export type PaidInvoice = {
  // The payment at the payment service.
  readonly paymentId: string
  readonly documentId: string
  readonly number: string
  readonly currency: string
  readonly amountMinor: bigint
  // What the invoice did not need, because it was paid in another way meanwhile.
  readonly creditMinor: bigint
}

export function paidInvoiceNotice(paid: PaidInvoice): Notice {
  const { number, currency, amountMinor, creditMinor } = paid
  const amount = moneyText(amountMinor, currency)
  return {
    kind: 'paid_online',
    fact: `invoice.paid/${paid.paymentId}`,
    subject: `Invoice ${number}: ${amount} paid online`,
    lines: [
      `A customer paid ${amount} on the page of invoice ${number}.`,
      ...(creditMinor > 0n
        ? [`${moneyText(creditMinor, currency)} was no longer due. It is the customer's credit.`]
        : []),
    ],
    path: `/invoices/${paid.documentId}`,
  }
}
