// What the provider takes of a charge, as far as that is known before it is made: its price for a
// local card in naira, and for all others. It takes this first, so more than the rest cannot be
// promised to anybody; dearer means of payment show as a discrepancy when the charge settles.
//
// Stored shares were limited by these figures and an invariant computes them again, so another
// price needs another split rule.
export const basisPointsOfNaira = 140n
export const basisPointsOfOthers = 380n

// Rounded up: a minor unit too little left is a minor unit too much promised.
export function expectedProviderFee(currency: string, amountMinor: bigint): bigint {
  const basisPoints = currency === 'NGN' ? basisPointsOfNaira : basisPointsOfOthers
  return (amountMinor * basisPoints + 9_999n) / 10_000n
}
