// The platform's fee on a charge: a percentage and a fixed amount, per business and currency. The
// provider's own fee is separate: it is the platform's cost.
import { Decimal, digitsAt, divideRounded, multiply } from '../../kernel/money/decimal.ts'

// The whole charge.
export const basisPointsMax = 10_000

export type FeeSchedule = {
  readonly basisPoints: number
  readonly fixedMinor: bigint
}

// For a business and currency without a schedule: 1.5 %, a little more than the provider's fee for
// a local card.
export const defaultFeeSchedule: FeeSchedule = { basisPoints: 150, fixedMinor: 0n }

// Rounded half away from zero, and never more than the charge.
export function feeOf({ basisPoints, fixedMinor }: FeeSchedule, amountMinor: bigint): bigint {
  const feeMinor = shareOf(amountMinor, new Decimal(BigInt(basisPoints), 0), 10_000n) + fixedMinor
  return feeMinor < amountMinor ? feeMinor : amountMinor
}

// A recipient's percentage of the whole charge, before the limits of what is left of it.
export function splitOf(amountMinor: bigint, percent: Decimal): bigint {
  return shareOf(amountMinor, percent, 100n)
}

function shareOf(amountMinor: bigint, parts: Decimal, of: bigint): bigint {
  const product = multiply(new Decimal(amountMinor, 0), parts)
  return digitsAt(divideRounded(product, new Decimal(of, 0), 0), 0)
}
