import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { Decimal } from '../../kernel/money/decimal.ts'
import { currencyCode, day } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { decimalText } from '../input/decimal-text.ts'
import { requireRole } from '../operations/permissions.ts'
import { updateWaitingDue } from '../service-money/movement-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type ExchangeRate, insertRate } from './exchange-rate-store.ts'

// A hundred millionth, and a hundred million: beyond every pair of currencies there is.
const rateMin = new Decimal(1n, 8)
const rateMax = new Decimal(100_000_000n, 0)
const ratePlacesMax = 10

export const exchangeRateInput = z.strictObject({
  currency: currencyCode(),
  date: day(),
  rate: decimalText(rateMin, rateMax, ratePlacesMax),
})

// What one unit of the currency is worth in the base currency, from this day on.
export async function setExchangeRate(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof exchangeRateInput>,
): Promise<ExchangeRate> {
  requireRole(actor, 'write')
  const rate = validated(exchangeRateInput, input)
  return context.database.transaction(async (tx) => {
    const { baseCurrency } = await findOrganisation(tx, actor)
    if (rate.currency === baseCurrency) {
      throw invalidField('currency', `${baseCurrency} is the base currency; its rate is 1.`)
    }
    const now = context.clock.now()
    await insertRate(tx, actor, { ...rate, createdAt: now })
    // What the payment service did in that currency may wait for this.
    await updateWaitingDue(tx, actor, now, rate.currency)
    await recordAct(tx, context, actor, {
      action: 'exchange_rate.set',
      objectKind: 'exchange_rate',
      objectId: `${rate.currency} ${rate.date}`,
      detail: rate,
    })
    return rate
  })
}
