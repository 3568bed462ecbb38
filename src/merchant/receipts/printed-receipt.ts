// A receipt for the PDF: finished texts. The books have the tools that draw it.
import type { Brand } from '../../kernel/brand/brand.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { titleOf } from '../checkout/offer.ts'
import { lineAmount } from '../payment-links/payment-link-item.ts'
import type { Receipt } from './receipt.ts'
import { receiptFacts, receiptStatus, refundRows } from './receipt-facts.ts'

export type PrintedReceipt = {
  readonly title: string
  readonly lead: string
  readonly merchantName: string
  readonly brand: Brand
  // What was paid for: name, quantity, price of one, amount.
  readonly items: { readonly head: readonly string[]; readonly rows: readonly PrintedLine[] }
  readonly refunds: { readonly heading: string; readonly rows: readonly (readonly string[])[] }
  readonly facts: readonly (readonly [string, string])[]
  readonly note: string
  // Of the time at which it was last changed, so that the same receipt is drawn once.
  readonly changedAt: Date
  readonly words: {
    readonly language: string
    // Says that nothing is real; empty if it is.
    readonly warning: string
    readonly page: string
    readonly continued: string
  }
}

type PrintedLine = { readonly cells: readonly string[]; readonly isTotal: boolean }

type Options = {
  readonly timeZone: string
  readonly language: PayerLanguage
  readonly warning: string
}

export function printedReceipt(receipt: Receipt, options: Options): PrintedReceipt {
  const { payment, offer } = receipt
  const { timeZone, language, warning } = options
  const { receiptPage: texts } = language.texts
  const { merchantName, brand } = offer
  return {
    title: texts.title,
    lead: `${receiptStatus(receipt, language)} · ${language.money(payment.amountMinor, payment.currency)}`,
    merchantName,
    brand,
    items: itemsOf(receipt, language),
    refunds: { heading: texts.refunds, rows: refundRows(receipt, { timeZone, language }) },
    facts: receiptFacts(receipt, { timeZone, language }),
    note: texts.questions(merchantName),
    changedAt: payment.updatedAt,
    words: { language: language.code, warning, page: texts.page, continued: texts.continued },
  }
}

function itemsOf({ payment, offer, lines }: Receipt, language: PayerLanguage) {
  const { receiptPage: texts, facts, order } = language.texts
  const money = (minor: bigint) => language.money(minor, payment.currency)
  const total = { cells: [order.total, '', '', money(payment.amountMinor)], isTotal: true }
  if (lines.length === 0) {
    return {
      head: [texts.item, facts.amount],
      rows: [
        { cells: [titleOf(offer, language), money(payment.amountMinor)], isTotal: false },
        { cells: [order.total, money(payment.amountMinor)], isTotal: true },
      ],
    }
  }
  const rows = lines.map((line) => ({
    cells: [line.name, String(line.quantity), money(line.unitAmountMinor), money(lineAmount(line))],
    isTotal: false,
  }))
  return { head: [texts.item, texts.quantity, texts.price, facts.amount], rows: [...rows, total] }
}
