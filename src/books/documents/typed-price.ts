// What a document comes to while a person is typing it. The same pricing as for stored documents,
// from texts that may be unfinished. Runs on the server and in the browser.
import { currencyOf } from '../../kernel/money/currency.ts'
import { Decimal, parseDecimal, zeroDecimal } from '../../kernel/money/decimal.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'
import type { TaxRounding } from '../settings/organisation.ts'
import { taxLabel } from '../taxes/tax-label.ts'
import { type LinePrice, type LineToPrice, priceDocument } from './price-document.ts'

export type TypedLine = {
  readonly quantity: string
  readonly unitPrice: string
  readonly discountPct: string
  readonly taxCode: LineToPrice['taxCode']
}

export type TypedPrice = {
  // Undefined where a number can't be read yet.
  readonly lines: readonly (LinePrice | undefined)[]
  readonly subtotalMinor: bigint
  readonly taxTotalMinor: bigint
  readonly totalMinor: bigint
  readonly taxes: readonly { readonly label: string; readonly taxMinor: bigint }[]
}

const one = new Decimal(1n, 0)

export function priceTyped(
  currency: string,
  rounding: TaxRounding,
  lines: readonly TypedLine[],
): TypedPrice {
  const read = lines.map(readLine)
  const whole = read.filter((line) => line !== undefined)
  const price = priceDocument(currencyOf(currency), rounding, whole)
  let next = 0
  return {
    ...price,
    lines: read.map((line) => (line === undefined ? undefined : price.lines[next++])),
    taxes: taxSummary(price.lines),
  }
}

export function taxSummary(lines: readonly Pick<LinePrice, 'taxes'>[]) {
  const byLabel = new Map<string, bigint>()
  for (const { taxes } of lines) {
    for (const { name, rate, taxMinor } of taxes) {
      const label = taxLabel(name, rate)
      byLabel.set(label, (byLabel.get(label) ?? 0n) + taxMinor)
    }
  }
  return [...byLabel].map(([label, taxMinor]) => ({ label, taxMinor }))
}

function readLine({
  quantity,
  unitPrice,
  discountPct,
  taxCode,
}: TypedLine): LineToPrice | undefined {
  const read = {
    quantity: quantity.trim() === '' ? one : typedNumber(quantity),
    unitPrice: typedNumber(unitPrice),
    discountPct: discountPct.trim() === '' ? zeroDecimal : typedNumber(discountPct),
  }
  if (!read.quantity || !read.unitPrice || !read.discountPct) return undefined
  return {
    quantity: read.quantity,
    unitPrice: read.unitPrice,
    discountPct: read.discountPct,
    taxCode,
  }
}

// Quantities and prices may be negative and have more decimals than any currency.
const manyDecimals = { code: '', decimals: 6 }

export function typedNumber(text: string): Decimal | undefined {
  const trimmed = text.trim()
  const sign = /^[-\u2212]/.test(trimmed) ? '-' : ''
  const plain = parseDecimal(trimmed.replace('\u2212', '-'))
  if (plain) return plain
  const magnitude = parseTypedAmount(trimmed.slice(sign.length), manyDecimals)
  if (!magnitude) return undefined
  return sign === '' ? magnitude : new Decimal(-magnitude.digits, magnitude.scale)
}
