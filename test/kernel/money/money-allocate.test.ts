import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocate, roundTogether } from '../../../src/kernel/money/allocate.ts'
import {
  add,
  compare,
  Decimal,
  digitsAt,
  multiply,
  negate,
  parseDecimal,
  powerOfTen,
  roundHalfAway,
  subtract,
  toText,
  zeroDecimal,
} from '../../../src/kernel/money/decimal.ts'

const anyAmount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const anyWeights = fc
  .array(fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 12n })), {
    minLength: 1,
    maxLength: 20,
  })
  .filter((weights) => weights.some((weight) => weight > 0n))

describe('allocating an amount by weights', () => {
  test('gives the units left over to the largest remainders, the first of equals first', () => {
    expect(allocate(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n])
    expect(allocate(-100n, [1n, 1n, 1n])).toEqual([-34n, -33n, -33n])
    expect(allocate(5n, [0n, 3n, 7n])).toEqual([0n, 2n, 3n])
    expect(allocate(9n, [1n, 5n, 4n])).toEqual([1n, 4n, 4n])
    expect(allocate(1n, [0n, 0n, 1n])).toEqual([0n, 0n, 1n])
    expect(allocate(1n, [1n, 1n])).toEqual([1n, 0n])
    expect(allocate(0n, [3n, 4n])).toEqual([0n, 0n])
    expect(allocate(7n, [2n])).toEqual([7n])
  })

  test('loses nothing, and no part is a unit away from its exact share', () => {
    fc.assert(
      fc.property(anyAmount, anyWeights, (amountMinor, weights) => {
        const parts = allocate(amountMinor, weights)
        expect(parts).toHaveLength(weights.length)
        expect(sum(parts)).toBe(amountMinor)
        const weightTotal = sum(weights)
        for (const [index, part] of parts.entries()) {
          const weight = weights[index] ?? 0n
          const distance = part * weightTotal - amountMinor * weight
          expect(distance < weightTotal && distance > -weightTotal).toBe(true)
          if (weight === 0n) expect(part).toBe(0n)
        }
      }),
    )
  })

  test('a larger weight never gets less, and a negative amount is the mirror image', () => {
    fc.assert(
      fc.property(anyAmount, anyWeights, (amountMinor, weights) => {
        const parts = allocate(amountMinor, weights)
        expect(allocate(-amountMinor, weights)).toEqual(parts.map((part) => -part))
        const sizes = parts.map((part) => (part < 0n ? -part : part))
        for (const [left, leftWeight] of weights.entries()) {
          for (const [right, rightWeight] of weights.entries()) {
            if (leftWeight > rightWeight) {
              expect((sizes[left] ?? 0n) >= (sizes[right] ?? 0n)).toBe(true)
            }
          }
        }
      }),
    )
  })

  test('weights that are all zero can share nothing but zero', () => {
    expect(allocate(0n, [0n, 0n])).toEqual([0n, 0n])
    expect(allocate(0n, [])).toEqual([])
    expect(() => allocate(1n, [0n, 0n])).toThrow('all zero')
    expect(() => allocate(1n, [2n, -1n])).toThrow('negative weight')
  })
})

describe('rounding values together', () => {
  test.each([
    ['15', ['25.06', '25.61', '25.63'], ['3.76', '3.84', '3.85']],
    ['20', ['0.83', '0.83', '0.83'], ['0.17', '0.17', '0.16']],
    ['19', ['8500', '-7500'], ['1615', '-1425']],
    ['19', ['8500', '-8500'], ['1615', '-1615']],
  ])('tax at %s per cent on %j is spread as %j', (rate, nets, expected) => {
    const exact = nets.map((net) =>
      multiply(multiply(decimal(net), decimal(rate)), decimal('0.01')),
    )
    expect(roundDecimals(exact, 2).map((part) => toText(part))).toEqual(expected)
  })

  test('the parts add up to the rounded total, each less than a unit from its value', () => {
    const anyValue = fc
      .tuple(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, scale]) => new Decimal(digits, scale))
    const unit = new Decimal(1n, 2)
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 12 }), (values) => {
        const parts = roundDecimals(values, 2)
        const total = values.reduce(add, zeroDecimal)
        expect(parts.reduce(add, zeroDecimal)).toEqual(roundHalfAway(total, 2))
        for (const [index, part] of parts.entries()) {
          const distance = subtract(part, values[index] ?? zeroDecimal)
          expect(compare(distance, unit)).toBe(-1)
          expect(compare(distance, negate(unit))).toBe(1)
        }
        expect(roundDecimals(values.map(negate), 2)).toEqual(parts.map(negate))
      }),
    )
  })

  test('the mirror image holds for values that cancel out', () => {
    const values = [decimal('0.005'), decimal('-0.005')]
    expect(roundDecimals(values.map(negate), 2)).toEqual(roundDecimals(values, 2).map(negate))
  })
})

// Decimals at cents, as numerators of one denominator.
function roundDecimals(values: readonly Decimal[], places: number): Decimal[] {
  const scale = Math.max(places, ...values.map((value) => value.scale))
  const numerators = values.map((value) => digitsAt(value, scale))
  const parts = roundTogether(numerators, powerOfTen(scale - places))
  return parts.map((part) => new Decimal(part, places))
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

function decimal(text: string): Decimal {
  const value = parseDecimal(text)
  if (!value) throw new Error(`not a decimal: ${text}`)
  return value
}
