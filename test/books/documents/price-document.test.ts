import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LineToPrice, priceDocument } from '../../../src/books/documents/price-document.ts'
import { storedDecimal } from '../../../src/books/input/decimal-text.ts'
import { type Currency, findCurrency } from '../../../src/kernel/money/currency.ts'
import { Decimal, negate } from '../../../src/kernel/money/decimal.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'

type Code = NonNullable<LineToPrice['taxCode']>
type Written = { price: string; quantity?: string; discount?: string; code?: Code | null }

const eur = currency('EUR')

function currency(code: string): Currency {
  const found = findCurrency(code)
  if (!found) throw new Error(code)
  return found
}

function tax(rate: string, isInclusive = false): Code {
  return { id: rate, isInclusive, components: [{ name: 'VAT', rate, isCompound: false }] }
}

function lines(written: readonly Written[], code: Code | null): LineToPrice[] {
  return written.map((line) => ({
    quantity: storedDecimal(line.quantity ?? '1'),
    unitPrice: storedDecimal(line.price),
    discountPct: storedDecimal(line.discount ?? '0'),
    taxCode: line.code === undefined ? code : line.code,
  }))
}

function priced(
  rounding: 'line' | 'document',
  code: Code | null,
  written: readonly Written[],
  of = eur,
) {
  const price = priceDocument(of, rounding, lines(written, code))
  const text = (minor: bigint) => majorText(minor, of.decimals)
  return {
    nets: price.lines.map((line) => text(line.netMinor)),
    taxes: price.lines.map((line) => text(line.taxMinor)),
    components: price.lines.map((line) => line.taxes.map((one) => text(one.taxMinor))),
    subtotal: text(price.subtotalMinor),
    tax: text(price.taxTotalMinor),
    total: text(price.totalMinor),
  }
}

describe('the cases from public bug reports', () => {
  const both = ['line', 'document'] as const

  it('25.06, 25.61 and 25.63 at 15 %', () => {
    const sold = [{ price: '25.06' }, { price: '25.61' }, { price: '25.63' }]
    expect(priced('line', tax('15'), sold)).toMatchObject({ tax: '11.44', total: '87.74' })
    expect(priced('document', tax('15'), sold)).toMatchObject({
      tax: '11.45',
      total: '87.75',
      taxes: ['3.76', '3.84', '3.85'],
    })
  })

  it('three lines of 0.83 at 20 %', () => {
    const sold = [{ price: '0.83' }, { price: '0.83' }, { price: '0.83' }]
    expect(priced('line', tax('20'), sold)).toMatchObject({ tax: '0.51', total: '3.00' })
    expect(priced('document', tax('20'), sold)).toMatchObject({ tax: '0.50', total: '2.99' })
  })

  it.each(both)('57.48 less 10 %% at 21 %%, rounded by %s', (rounding) => {
    expect(priced(rounding, tax('21'), [{ price: '57.48', discount: '10' }])).toMatchObject({
      nets: ['51.73'],
      tax: '10.86',
      total: '62.59',
    })
  })

  it('55.55 and 11.11 at 23 %', () => {
    const sold = [{ price: '55.55' }, { price: '11.11' }]
    expect(priced('line', tax('23'), sold)).toMatchObject({ tax: '15.34', total: '82.00' })
    expect(priced('document', tax('23'), sold)).toMatchObject({ tax: '15.33', total: '81.99' })
  })

  it.each(both)('8500 less 7500 at 19 %%, rounded by %s', (rounding) => {
    const sold = [{ price: '8500' }, { price: '7500', quantity: '-1' }]
    expect(priced(rounding, tax('19'), sold).total).toBe('1190.00')
  })

  it.each(both)('2.25 of 64.22 less 100 %%, rounded by %s', (rounding) => {
    const sold = [{ price: '64.22', quantity: '2.25', discount: '100' }]
    expect(priced(rounding, tax('19'), sold)).toMatchObject({ tax: '0.00', total: '0.00' })
  })

  it.each(both)('340.00 and 13.90 with 19 %% inside, rounded by %s', (rounding) => {
    const sold = [{ price: '340.00' }, { price: '13.90' }]
    const figures = { tax: '56.51', total: '353.90', subtotal: '297.39' }
    expect(priced(rounding, tax('19', true), sold)).toMatchObject(figures)
  })

  it.each(both)('2120.44 less 10 %%, rounded by %s', (rounding) => {
    const sold = [{ price: '2120.44', discount: '10' }]
    expect(priced(rounding, null, sold).total).toBe('1908.40')
  })

  it.each([
    ['JPY', '1234.5', '1235'],
    ['KWD', '1.2345', '1.235'],
    ['EUR', '-2.665', '-2.67'],
  ])('in %s, %s is %s', (code, price, amount) => {
    expect(priced('line', null, [{ price }], currency(code)).nets).toEqual([amount])
  })
})

describe('a tax code of several components', () => {
  const canadian: Code = {
    id: 'gst-qst',
    isInclusive: false,
    components: [
      { name: 'GST', rate: '5', isCompound: false },
      { name: 'QST', rate: '9.5', isCompound: true },
    ],
  }

  it('charges a compound component on the net and the components before it', () => {
    // 9.5 % of 105.
    expect(priced('line', canadian, [{ price: '100' }])).toMatchObject({
      components: [['5.00', '9.98']],
      total: '114.98',
    })
  })

  it('charges one that is not compound on the net alone, wherever it stands', () => {
    const city = { name: 'City', rate: '1', isCompound: false }
    const code = { ...canadian, components: [...canadian.components, city] }
    expect(priced('line', code, [{ price: '100' }]).components).toEqual([['5.00', '9.98', '1.00']])
  })

  it('takes the same components out of a price that includes them', () => {
    const inside = { ...canadian, isInclusive: true }
    expect(priced('line', inside, [{ price: '114.98' }])).toMatchObject({
      nets: ['100.00'],
      components: [['5.00', '9.98']],
      total: '114.98',
    })
  })
})

describe('tax that is withheld', () => {
  const code = (isInclusive: boolean, ...rates: string[]): Code => ({
    id: 'withheld',
    isInclusive,
    components: rates.map((rate) => ({ name: rate, rate, isCompound: false })),
  })

  it('is less to pay', () => {
    expect(priced('line', code(false, '7.5', '-5'), [{ price: '1000' }])).toMatchObject({
      components: [['75.00', '-50.00']],
      tax: '25.00',
      total: '1025.00',
    })
    expect(priced('line', code(false, '-10'), [{ price: '99.99' }])).toMatchObject({
      tax: '-10.00',
      total: '89.99',
    })
  })

  it('is inside a price like any other', () => {
    expect(priced('line', code(true, '7.5', '-5'), [{ price: '1025' }])).toMatchObject({
      nets: ['1000.00'],
      components: [['75.00', '-50.00']],
    })
    expect(priced('line', code(true, '5', '-5'), [{ price: '100' }])).toMatchObject({
      nets: ['100.00'],
      components: [['5.00', '-5.00']],
      tax: '0.00',
    })
  })
})

it('rounds together only what has the same tax code', () => {
  const sold = [
    { price: '0.83', code: tax('20') },
    { price: '0.83', code: { ...tax('20'), id: 'other' } },
    { price: '0.83', code: null },
  ]
  expect(priced('document', null, sold).taxes).toEqual(['0.17', '0.17', '0.00'])
})

// Three components at most, which leave something together.
const anyRate = fc.integer({ min: -300_000, max: 1_000_000 }).map((digits) => `${digits / 10_000}`)
const anyCode: fc.Arbitrary<Code> = fc
  .record({
    isInclusive: fc.boolean(),
    components: fc.array(
      fc.record({ name: fc.constant('T'), rate: anyRate, isCompound: fc.boolean() }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map((code) => ({ id: JSON.stringify(code), ...code }))
const decimalOf = (min: bigint, max: bigint, scaleMax: number) =>
  fc
    .tuple(fc.bigInt({ min, max }), fc.integer({ min: 0, max: scaleMax }))
    .map(([digits, scale]) => new Decimal(digits, scale))
const anyLines = fc
  .array(fc.option(anyCode, { nil: null }), { minLength: 1, maxLength: 3 })
  .chain((codes) =>
    fc.array(
      fc.record({
        quantity: decimalOf(-10_000n, 10_000n, 3),
        unitPrice: decimalOf(-1_000_000n, 1_000_000n, 4),
        discountPct: fc
          .integer({ min: 0, max: 10_000 })
          .map((cents) => new Decimal(BigInt(cents), 2)),
        taxCode: fc.constantFrom(...codes),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  )
const anyRounding = fc.constantFrom('line' as const, 'document' as const)
const anyCurrency = fc.constantFrom(...['EUR', 'JPY', 'KWD', 'CLF'].map(currency))

describe('any document', () => {
  it('has lines that add up, across and down', () => {
    fc.assert(
      fc.property(anyCurrency, anyRounding, anyLines, (of, rounding, any) => {
        const price = priceDocument(of, rounding, any)
        for (const line of price.lines) {
          expect(line.netMinor + line.taxMinor).toBe(line.grossMinor)
          expect(sum(line.taxes.map(({ taxMinor }) => taxMinor))).toBe(line.taxMinor)
        }
        expect(sum(price.lines.map((line) => line.netMinor))).toBe(price.subtotalMinor)
        expect(sum(price.lines.map((line) => line.taxMinor))).toBe(price.taxTotalMinor)
        expect(price.totalMinor).toBe(price.subtotalMinor + price.taxTotalMinor)
      }),
    )
  })

  it('mirrors its credit: negative quantities give the negative of every amount', () => {
    fc.assert(
      fc.property(anyCurrency, anyRounding, anyLines, (of, rounding, any) => {
        const price = priceDocument(of, rounding, any)
        const mirrored = any.map((line) => ({ ...line, quantity: negate(line.quantity) }))
        const credit = priceDocument(of, rounding, mirrored)
        expect(credit.totalMinor).toBe(-price.totalMinor)
        expect(credit.taxTotalMinor).toBe(-price.taxTotalMinor)
        expect(credit.lines.map((line) => [-line.netMinor, -line.taxMinor])).toEqual(
          price.lines.map((line) => [line.netMinor, line.taxMinor]),
        )
      }),
    )
  })

  it('rounds the tax of a code once per document, or once per line', () => {
    const single = anyCode.map((code) => ({
      ...code,
      components: code.components.slice(0, 1).map((one) => ({ ...one, isCompound: false })),
    }))
    fc.assert(
      fc.property(anyRounding, single, anyLines, (rounding, code, any) => {
        const { lines: all, taxTotalMinor } = priceDocument(
          eur,
          rounding,
          any.map((line) => ({ ...line, taxCode: code })),
        )
        const rate = storedDecimal(code.components[0]?.rate ?? '0')
        const scale = 10n ** BigInt(rate.scale)
        const whole = 100n * scale + (code.isInclusive ? rate.digits : 0n)
        // Twice the distance from the exact tax, so that half a unit is a whole number.
        const twiceOff = (taxMinor: bigint, amountMinor: bigint) =>
          abs(2n * (taxMinor * whole - amountMinor * rate.digits))
        const amounts = all.map((line) => (code.isInclusive ? line.grossMinor : line.netMinor))
        if (rounding === 'document') {
          expect(twiceOff(taxTotalMinor, sum(amounts)) <= whole).toBe(true)
        }
        for (const [index, line] of all.entries()) {
          // Spread over the lines, no part is a unit or more away from its share.
          const bound = rounding === 'line' ? whole : 2n * whole - 1n
          expect(twiceOff(line.taxMinor, amounts[index] ?? 0n) <= bound).toBe(true)
        }
      }),
    )
  })

  it('whose prices include the tax comes to exactly what its lines say', () => {
    fc.assert(
      fc.property(anyRounding, anyCode, anyLines, (rounding, code, any) => {
        const withTax = any.map((line) => ({ ...line, taxCode: { ...code, isInclusive: true } }))
        const without = any.map((line) => ({ ...line, taxCode: null }))
        expect(priceDocument(eur, rounding, withTax).totalMinor).toBe(
          priceDocument(eur, rounding, without).totalMinor,
        )
      }),
    )
  })
})

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
