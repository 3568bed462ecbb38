// Splits whole units into parts that add up to the whole. Largest remainder: every part is its
// exact share rounded down, and the remaining units go to the largest remainders (tie: the lowest
// position). No part is a whole unit or more away from its exact share.
import { assert } from '../basics/assert.ts'

// Splits an amount in proportion to the weights. A weight of zero gets nothing; if all weights are
// zero, the amount must be zero. A negative amount mirrors the split of the positive one.
export function allocate(amountMinor: bigint, weights: readonly bigint[]): bigint[] {
  assert(
    weights.every((weight) => weight >= 0n),
    'a negative weight',
  )
  const weightTotal = weights.reduce((total, weight) => total + weight, 0n)
  if (weightTotal === 0n) {
    assert(amountMinor === 0n, 'an amount to be shared by weights that are all zero')
    return weights.map(() => 0n)
  }
  const isNegative = amountMinor < 0n
  const magnitude = isNegative ? -amountMinor : amountMinor
  const shares = weights.map((weight) => magnitude * weight)
  const parts = largestRemainder(magnitude, shares, weightTotal)
  return isNegative ? parts.map((part) => -part) : parts
}

// Rounds each numerator / denominator so that the rounded values add up to their rounded total, as
// tax per document requires. Values can have either sign. Negated values give the negated result,
// so that a reversal mirrors its original.
export function roundTogether(numerators: readonly bigint[], denominator: bigint): bigint[] {
  assert(denominator > 0n, 'a denominator that is not positive')
  const sum = numerators.reduce((total, numerator) => total + numerator, 0n)
  const leading = sum !== 0n ? sum : (numerators.find((numerator) => numerator !== 0n) ?? 0n)
  const direction = leading < 0n ? -1n : 1n
  const total = (2n * sum * direction + denominator) / (2n * denominator)
  const parts = largestRemainder(
    total,
    numerators.map((numerator) => numerator * direction),
    denominator,
  )
  return parts.map((part) => part * direction)
}

// Whole numbers near numerator / denominator that add up to the total, which must be the sum of the
// exact shares, or that sum rounded.
function largestRemainder(
  total: bigint,
  numerators: readonly bigint[],
  denominator: bigint,
): bigint[] {
  const shares = numerators.map((numerator, position) => {
    const floor = floorQuotient(numerator, denominator)
    return { position, floor, remainder: numerator - floor * denominator }
  })
  const leftOver = total - shares.reduce((sum, share) => sum + share.floor, 0n)
  const parts = shares.map((share) => share.floor)
  const byRemainder = shares
    .filter((share) => share.remainder > 0n)
    .sort((left, right) => compareRemainders(right, left) || left.position - right.position)
  assert(
    leftOver >= 0n && leftOver <= BigInt(byRemainder.length),
    'the shares do not add up to the total',
  )
  for (const [index, share] of byRemainder.entries()) {
    if (BigInt(index) < leftOver) parts[share.position] = share.floor + 1n
  }
  return parts
}

function compareRemainders(left: { remainder: bigint }, right: { remainder: bigint }): number {
  if (left.remainder === right.remainder) return 0
  return left.remainder < right.remainder ? -1 : 1
}

function floorQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const isExact = numerator % denominator === 0n
  return numerator < 0n && !isExact ? quotient - 1n : quotient
}
