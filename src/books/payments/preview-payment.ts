// What a payment of a foreign document would come to, before it is booked: its value in the base
// currency, and the realised gain or loss. Booking computes the same with the same functions.
import { z } from 'zod'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findDocument } from '../documents/document-store.ts'
import { amountText, minorOf, rateText } from '../input/amount-input.ts'
import { bookDay } from '../input/day-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { carriedBaseMinor, convertMinor } from './open-item.ts'
import { listOpenItems } from './open-item-store.ts'
import { rateBetween } from './payment.ts'
import { findWorthOfDay, requirePlace, type Worth, worthAt } from './require-money.ts'

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
    // On an account in a third currency: what comes in or leaves there.
    accountId: uuid().optional(),
    accountAmount: amountText().optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { documentId, amount, ...stated }) {
    const document = await findDocument(sql, actor, documentId)
    if (!document) throw notFound('document')
    const { currency, contactId } = document
    const items = await listOpenItems(sql, actor, contactId)
    const item = items.find(({ id }) => id === documentId)
    const { baseCurrency } = await findOrganisation(sql, actor)
    const amountMinor = minorOf('amount', amount, currency)
    const openMinor = item ? magnitude(item.openMinor) : 0n
    const usedMinor = amountMinor < openMinor ? amountMinor : openMinor
    const wanted = { ...stated, currency, amountMinor }
    const worth = await findWorth(sql, actor, wanted, baseCurrency)
    const excessMinor = amountMinor - usedMinor
    if (!worth || !item || usedMinor === 0n) {
      const fxRate = worth?.fxRate ?? null
      return { baseCurrency, fxRate, baseMinor: 0n, gainMinor: 0n, excessMinor }
    }
    const { fxRate, baseMinor } = worth
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

type Wanted = {
  readonly date: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly rate?: string | undefined
  readonly baseAmount?: string | undefined
  readonly accountId?: string | undefined
  readonly accountAmount?: string | undefined
}

// As booking does it: what is stated, else what moved on the account, else the rate of the day.
async function findWorth(
  sql: Sql,
  tenant: Tenant,
  wanted: Wanted,
  baseCurrency: string,
): Promise<Worth | undefined> {
  const { currency, amountMinor, rate, baseAmount } = wanted
  const place = await findPlace(sql, tenant, wanted, baseCurrency)
  if (currency === baseCurrency) return worthAt('1', wanted, baseCurrency)
  if (baseAmount !== undefined) {
    const baseMinor = minorOf('baseAmount', baseAmount, baseCurrency)
    return { baseMinor, fxRate: rateBetween(amountMinor, currency, baseMinor, baseCurrency) }
  }
  if (rate !== undefined) return worthAt(rate, wanted, baseCurrency)
  return findWorthOfDay(sql, tenant, wanted, place, baseCurrency)
}

async function findPlace(
  sql: Sql,
  tenant: Tenant,
  { accountId, ...wanted }: Wanted,
  baseCurrency: string,
) {
  // Booking asks for the amount; until it is typed, the document's own currency is shown.
  if (wanted.accountAmount === undefined) return { accountCurrency: null, accountAmountMinor: null }
  if (accountId === undefined) {
    throw invalidField('accountId', 'State the account that it moved on.')
  }
  return requirePlace(sql, tenant, { ...wanted, accountId }, baseCurrency)
}
