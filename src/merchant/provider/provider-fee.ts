// The provider's expected fee on a charge: its price for a local card in naira, and for all others.
// The provider takes it first, so no more than the rest can be promised. If a payment method costs
// more, that shows as a discrepancy when the charge settles.
//
// Stored shares were limited by these figures and an invariant computes them again, so another
// price needs another split rule.
export const basisPointsOfNaira = 140n
export const basisPointsOfOthers = 380n

// Rounded up, so that a share is never one minor unit too high.
export function expectedProviderFee(currency: string, amountMinor: bigint): bigint {
  const basisPoints = currency === 'NGN' ? basisPointsOfNaira : basisPointsOfOthers
  return (amountMinor * basisPoints + 9_999n) / 10_000n
}
