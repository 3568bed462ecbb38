import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import {
  add,
  compare,
  Decimal,
  decimalExponentMax,
  decimalTextLengthMax,
  divideRounded,
  multiply,
  negate,
  parseDecimal,
  roundHalfAway,
  subtract,
  toText,
  zeroDecimal,
} from '../../../src/kernel/money/decimal.ts'
import { amountMinorMax, fromMinor, toMinor } from '../../../src/kernel/money/minor-units.ts'

const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, scale]) => new Decimal(digits, scale))

describe('reading a decimal', () => {
  test.each([
    ['1e2', '100'],
    ['-0.10', '-0.1'],
    ['1E-7', '0.0000001'],
    ['-0', '0'],
    ['0.000', '0'],
    ['12.50e+1', '125'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['99999999999999999999.99', '99999999999999999999.99'],
  ])('reads %s as %s', (text, expected) => {
    expect(toText(decimal(text))).toBe(expected)
  })

  test.each(['', ' 1', '+1', '01', '.5', '5.', '1,000', '1e', 'NaN', 'Infinity', '0x10', '1_000'])(
    'refuses %j, which JSON does not call a number',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined()
    },
  )

  test('refuses numbers that would eat memory when written out', () => {
    for (const text of ['1e999999999', '-1e-999999999', `1e${'9'.repeat(50)}`, '1'.repeat(65)]) {
      expect(parseDecimal(text)).toBeUndefined()
    }
    expect(parseDecimal(`1e${decimalExponentMax + 1}`)).toBeUndefined()
    expect(parseDecimal(`1e-${decimalExponentMax + 1}`)).toBeUndefined()
    expect(decimal(`1e${decimalExponentMax}`).digits).toBe(10n ** 64n)
    expect(decimal('9'.repeat(decimalTextLengthMax)).digits).toBe(10n ** 64n - 1n)
  })

  test('reads back what it writes, whatever the value', () => {
    fc.assert(
      fc.property(anyDecimal, fc.integer({ min: 0, max: 25 }), (value, placesMin) => {
        expect(parseDecimal(toText(value, placesMin))).toEqual(value)
      }),
    )
  })

  test('an exponent moves the point and nothing else', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.integer({ min: 0, max: 30 }),
        (digits, exponent) => {
          expect(parseDecimal(`${digits}e${exponent}`)?.digits).toBe(
            digits * 10n ** BigInt(exponent),
          )
          expect(parseDecimal(`${digits}E-${exponent}`)).toEqual(new Decimal(digits, exponent))
        },
      ),
    )
  })

  test('equal values are equal data, however they were written', () => {
    expect(decimal('1.50')).toEqual(decimal('15e-1'))
    expect(decimal('0.00')).toEqual(zeroDecimal)
  })
})

describe('writing a decimal', () => {
  test('shows at least the places asked for', () => {
    expect(toText(decimal('1.5'), 2)).toBe('1.50')
    expect(toText(decimal('-0.005'), 2)).toBe('-0.005')
    expect(toText(zeroDecimal, 3)).toBe('0.000')
    expect(toText(decimal('7'))).toBe('7')
  })
})

describe('computing with decimals', () => {
  test('adds, subtracts, multiplies and compares exactly', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (left, right) => {
        const [a, b] = [fraction(left), fraction(right)]
        expectFraction(add(left, right), [a[0] * b[1] + b[0] * a[1], a[1] * b[1]])
        expectFraction(subtract(left, right), [a[0] * b[1] - b[0] * a[1], a[1] * b[1]])
        expectFraction(multiply(left, right), [a[0] * b[0], a[1] * b[1]])
        expect(BigInt(compare(left, right))).toBe(signOf(a[0] * b[1] - b[0] * a[1]))
        expectFraction(negate(left), [-a[0], a[1]])
      }),
    )
  })

  test('0.1 + 0.2 is 0.3', () => {
    expect(add(decimal('0.1'), decimal('0.2'))).toEqual(decimal('0.3'))
  })

  test('a rounded value is the nearest, and a tie goes away from zero', () => {
    fc.assert(
      fc.property(anyDecimal, fc.integer({ min: 0, max: 22 }), (value, places) => {
        expectNearest(roundHalfAway(value, places), fraction(value), places)
      }),
    )
  })

  test('ties are rounded away from zero on both sides', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.integer({ min: 0, max: 9 }),
        (n, p) => {
          const tie = new Decimal(n * 10n + 5n, p + 1)
          expect(roundHalfAway(tie, p)).toEqual(new Decimal(n + 1n, p))
          expect(roundHalfAway(negate(tie), p)).toEqual(new Decimal(-n - 1n, p))
        },
      ),
    )
  })

  test('a quotient is the nearest to the exact one', () => {
    const divisor = anyDecimal.filter((value) => value.digits !== 0n)
    fc.assert(
      fc.property(anyDecimal, divisor, fc.integer({ min: 0, max: 12 }), (left, right, places) => {
        const [a, b] = [fraction(left), fraction(right)]
        const sign = signOf(b[0])
        const exact = [a[0] * b[1] * sign, a[1] * b[0] * sign] as const
        expectNearest(divideRounded(left, right, places), exact, places)
      }),
    )
  })

  test('a division by zero is a bug', () => {
    expect(() => divideRounded(decimal('1'), zeroDecimal, 2)).toThrow('division by zero')
  })

  test.each([
    ['1234.5', 'JPY', '1235'],
    ['1.2345', 'KWD', '1.235'],
    ['-2.665', 'USD', '-2.67'],
    ['2.664999999999999999999', 'USD', '2.66'],
    ['1908.396', 'EUR', '1908.4'],
  ])('%s %s is rounded to %s', (text, code, expected) => {
    expect(toText(roundHalfAway(decimal(text), currency(code).decimals))).toBe(expected)
  })
})

describe('minor units', () => {
  test.each([
    ['10.5', 'USD', 1050n],
    ['10.500', 'USD', 1050n],
    ['-0.01', 'EUR', -1n],
    ['1e2', 'JPY', 100n],
    ['1.234', 'KWD', 1234n],
    ['0.0001', 'CLF', 1n],
    ['0', 'USD', 0n],
  ])('%s %s is %s minor units', (text, code, expected) => {
    expect(toMinor(decimal(text), currency(code))).toBe(expected)
  })

  test.each([
    ['10.005', 'USD'],
    ['0.1', 'JPY'],
    ['1.2345', 'KWD'],
    ['1e-64', 'USD'],
  ])('%s %s has too many decimals', (text, code) => {
    expect(toMinor(decimal(text), currency(code))).toBe('too_many_decimals')
  })

  test('an amount beyond the largest is refused, not cut', () => {
    const usd = currency('USD')
    expect(toMinor(fromMinor(amountMinorMax, usd), usd)).toBe(amountMinorMax)
    expect(toMinor(fromMinor(amountMinorMax + 1n, usd), usd)).toBe('out_of_range')
    expect(toMinor(fromMinor(-amountMinorMax - 1n, usd), usd)).toBe('out_of_range')
    expect(toMinor(decimal('1e64'), usd)).toBe('out_of_range')
  })

  test('minor units survive the way to major units, to text and back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -amountMinorMax, max: amountMinorMax }),
        fc.constantFrom('JPY', 'USD', 'KWD', 'CLF').map(currency),
        (amountMinor, unit) => {
          const text = toText(fromMinor(amountMinor, unit), unit.decimals)
          expect(toMinor(decimal(text), unit)).toBe(amountMinor)
        },
      ),
    )
  })
})

function decimal(text: string): Decimal {
  const value = parseDecimal(text)
  if (!value) throw new Error(`not a decimal: ${text}`)
  return value
}

function currency(code: string) {
  const found = findCurrency(code)
  if (!found) throw new Error(`not a currency: ${code}`)
  return found
}

// The independent account of what a value is: a numerator and a positive denominator.
type Fraction = readonly [bigint, bigint]

function fraction(value: Decimal): Fraction {
  const text = toText(value)
  const point = text.indexOf('.')
  if (point === -1) return [BigInt(text), 1n]
  return [BigInt(text.replace('.', '')), BigInt(`1${'0'.repeat(text.length - point - 1)}`)]
}

function expectFraction(value: Decimal, [numerator, denominator]: Fraction): void {
  const actual = fraction(value)
  expect(actual[0] * denominator).toBe(numerator * actual[1])
}

// Twice the distance is at most one unit of the last place, and exactly one only away from zero.
function expectNearest(rounded: Decimal, exact: Fraction, places: number): void {
  expect(rounded.scale).toBeLessThanOrEqual(places)
  const [numerator, denominator] = fraction(rounded)
  const distance = magnitude(numerator * exact[1] - exact[0] * denominator)
  const unit = denominator * exact[1]
  const twice = 2n * distance * 10n ** BigInt(places)
  expect(twice <= unit).toBe(true)
  if (twice === unit) {
    expect(magnitude(numerator) * exact[1] > magnitude(exact[0]) * denominator).toBe(true)
  }
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

function signOf(value: bigint): bigint {
  if (value === 0n) return 0n
  return value < 0n ? -1n : 1n
}
