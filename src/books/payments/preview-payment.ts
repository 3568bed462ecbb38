// What a payment of a foreign document would come to, before it is booked: its value in the base
// currency, and the realised gain or loss. Booking computes the same with the same functions.
import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findRate } from '../currencies/exchange-rate-store.ts'
import { findDocument } from '../documents/document-store.ts'
import { amountText, minorOf, rateText } from '../input/amount-input.ts'
import { bookDay } from '../input/day-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { carriedBaseMinor, convertMinor } from './open-item.ts'
import { listOpenItems } from './open-item-store.ts'
import { rateBetween } from './payment.ts'

export type PaymentPreview = {
  readonly baseCurrency: string
  // Decimal text; null if no rate is known for the day.
  readonly fxRate: string | null
  readonly baseMinor: bigint
  // A gain is positive.
  readonly gainMinor: bigint
  // Above what is due; it stays as a credit.
  readonly excessMinor: bigint
}

export const previewPayment = defineOperation({
  name: 'preview-payment',
  summary: 'Show what a payment of a document would come to in the base currency',
  kind: 'read',
  input: z.strictObject({
    documentId: uuid(),
    date: bookDay(),
    amount: amountText(),
    rate: rateText().optional(),
    // What the bank states in the base currency, instead of the rate.
    baseAmount: amountText().optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { documentId, date, amount, rate, baseAmount }) {
    const document = await findDocument(sql, actor, documentId)
    if (!document) throw notFound('document')
    const { currency, contactId } = document
    const items = await listOpenItems(sql, actor, contactId)
    const item = items.find(({ id }) => id === documentId)
    const { baseCurrency } = await findOrganisation(sql, actor)
    const amountMinor = minorOf('amount', amount, currency)
    const openMinor = item ? magnitude(item.openMinor) : 0n
    const usedMinor = amountMinor < openMinor ? amountMinor : openMinor
    const statedMinor =
      baseAmount === undefined ? undefined : minorOf('baseAmount', baseAmount, baseCurrency)
    const fxRate =
      currency === baseCurrency
        ? '1'
        : statedMinor === undefined
          ? (rate ?? (await findRate(sql, actor, currency, date)) ?? null)
          : rateBetween(amountMinor, currency, statedMinor, baseCurrency)
    const excessMinor = amountMinor - usedMinor
    if (fxRate === null || !item || usedMinor === 0n) {
      return { baseCurrency, fxRate, baseMinor: 0n, gainMinor: 0n, excessMinor }
    }
    const baseMinor = statedMinor ?? convertMinor(amountMinor, currency, fxRate, baseCurrency)
    // All that is paid leaves at its own value; a part of it at the rate, like an open item.
    const paidBaseMinor =
      excessMinor === 0n ? baseMinor : convertMinor(usedMinor, currency, fxRate, baseCurrency)
    const isDebit = item.amountMinor > 0n
    const carriedMinor = magnitude(
      carriedBaseMinor(item, isDebit ? usedMinor : -usedMinor, baseCurrency),
    )
    const gainMinor = isDebit ? paidBaseMinor - carriedMinor : carriedMinor - paidBaseMinor
    return { baseCurrency, fxRate, baseMinor, gainMinor, excessMinor }
  },
})

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}
