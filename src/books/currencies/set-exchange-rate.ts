import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { Decimal } from '../../kernel/money/decimal.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { currencyCode } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { bookDay } from '../input/day-input.ts'
import { decimalText } from '../input/decimal-text.ts'
import { updateWaitingDue } from '../service-money/movement-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type ExchangeRate, insertRate } from './exchange-rate-store.ts'

// A hundred-millionth and a hundred million: beyond every pair of currencies.
const rateMin = new Decimal(1n, 8)
const rateMax = new Decimal(100_000_000n, 0)
const ratePlacesMax = 10

export const exchangeRateInput = z.strictObject({
  currency: currencyCode(),
  date: bookDay(),
  rate: decimalText(rateMin, rateMax, ratePlacesMax),
})

// The value of one unit of the currency in the base currency, from this day on.
export const setExchangeRate = defineOperation({
  name: 'set-exchange-rate',
  summary: 'Set the rate of a currency from a day on',
  kind: 'write',
  input: exchangeRateInput,
  scopes: [],
  roles: writerRoles,
  run: (context, actor, rate): Promise<ExchangeRate> =>
    context.database.transaction((tx) => addExchangeRate(tx, context, actor, rate)),
})

export async function addExchangeRate(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  rate: ExchangeRate,
): Promise<ExchangeRate> {
  const { baseCurrency } = await findOrganisation(tx, actor)
  if (rate.currency === baseCurrency) {
    throw invalidField('currency', `${baseCurrency} is the base currency; its rate is 1.`)
  }
  const now = context.clock.now()
  await insertRate(tx, actor, { ...rate, createdAt: now })
  // Movements of the merchant service in that currency may have waited for this.
  await updateWaitingDue(tx, actor, now, rate.currency)
  await recordAct(tx, context, actor, {
    action: 'exchange_rate.set',
    objectKind: 'exchange_rate',
    objectId: `${rate.currency} ${rate.date}`,
    detail: rate,
  })
  return rate
}
