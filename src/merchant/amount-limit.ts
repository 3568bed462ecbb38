// The largest amount of one payment link or payout: the same number in every currency, in major
// units, as the interface says.
import type { z } from 'zod'
import { findCurrency } from '../kernel/money/currency.ts'
import { Decimal, toText } from '../kernel/money/decimal.ts'
import { toMinor } from '../kernel/money/minor-units.ts'
import { majorAmount } from '../kernel/operations/schemas.ts'

const amountMin = new Decimal(1n, 2)
export const amountMax = new Decimal(100_000_000n, 0)

export const limitedMajorAmount = () => majorAmount(amountMin, amountMax)

// For the refinement of an input in minor units.
export function checkAmountLimit<Field extends string>(
  input: { readonly currency: string } & { readonly [name in Field]?: bigint | null | undefined },
  field: Field,
  refinement: z.RefinementCtx,
): void {
  const amountMinor = input[field]
  const currency = findCurrency(input.currency)
  if (amountMinor === undefined || amountMinor === null || currency === undefined) return
  const maxMinor = toMinor(amountMax, currency)
  if (typeof maxMinor === 'bigint' && amountMinor <= maxMinor) return
  const message = `At most ${currency.code} ${toText(amountMax)}.`
  refinement.addIssue({ code: 'custom', path: [field], message })
}
