// Computes the amounts of a document from its lines. Pure, and computed once: the stored amounts
// are printed, listed and posted. Every amount is rounded once, half away from zero, from the exact
// value.
import { assert } from '../../kernel/basics/assert.ts'
import { allocate, roundTogether } from '../../kernel/money/allocate.ts'
import type { Currency } from '../../kernel/money/currency.ts'
import {
  Decimal,
  digitsAt,
  multiply,
  powerOfTen,
  roundHalfAway,
  subtract,
} from '../../kernel/money/decimal.ts'
import type { TaxRounding } from '../settings/organisation.ts'
import { effectiveRates } from '../taxes/effective-rates.ts'
import type { ChargedComponent, TaxCode } from '../taxes/tax-code.ts'
import type { LineTax } from './document.ts'

export type LineToPrice = {
  readonly quantity: Decimal
  readonly unitPrice: Decimal
  readonly discountPct: Decimal
  readonly taxCode:
    | (Pick<TaxCode, 'id' | 'isInclusive'> & {
        readonly components: readonly ChargedComponent[]
      })
    | null
}

export type LinePrice = {
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly grossMinor: bigint
  readonly taxes: readonly LineTax[]
}

export type DocumentPrice = {
  readonly lines: readonly LinePrice[]
  readonly subtotalMinor: bigint
  readonly taxTotalMinor: bigint
  readonly totalMinor: bigint
}

export function priceDocument(
  currency: Currency,
  rounding: TaxRounding,
  lines: readonly LineToPrice[],
): DocumentPrice {
  const amountsMinor = lines.map((line) => lineAmountMinor(line, currency))
  const priced: LinePrice[] = amountsMinor.map(untaxed)
  for (const { code, positions } of taxGroups(lines)) {
    const amounts = positions.map((position) => amountsMinor[position] ?? 0n)
    const groups = rounding === 'document' ? [amounts] : amounts.map((amount) => [amount])
    const taxed = groups.flatMap((group) =>
      code.isInclusive ? taxInside(code, group) : taxOnTop(code, group),
    )
    for (const [index, position] of positions.entries()) {
      const line = taxed[index]
      assert(line, 'a line that was not taxed')
      priced[position] = line
    }
  }
  const subtotalMinor = priced.reduce((sum, line) => sum + line.netMinor, 0n)
  const taxTotalMinor = priced.reduce((sum, line) => sum + line.taxMinor, 0n)
  return {
    lines: priced,
    subtotalMinor,
    taxTotalMinor,
    totalMinor: subtotalMinor + taxTotalMinor,
  }
}

const hundred = new Decimal(100n, 0)
const hundredth = new Decimal(1n, 2)

function lineAmountMinor(line: LineToPrice, { decimals }: Currency): bigint {
  const share = multiply(subtract(hundred, line.discountPct), hundredth)
  const exact = multiply(multiply(line.quantity, line.unitPrice), share)
  return digitsAt(roundHalfAway(exact, decimals), decimals)
}

function untaxed(amountMinor: bigint): LinePrice {
  return { netMinor: amountMinor, taxMinor: 0n, grossMinor: amountMinor, taxes: [] }
}

type PricingCode = NonNullable<LineToPrice['taxCode']>
type TaxGroup = { readonly code: PricingCode; readonly positions: number[] }

function taxGroups(lines: readonly LineToPrice[]): TaxGroup[] {
  const groups = new Map<string, TaxGroup>()
  for (const [position, { taxCode }] of lines.entries()) {
    if (!taxCode) continue
    const group = groups.get(taxCode.id)
    if (group) group.positions.push(position)
    else groups.set(taxCode.id, { code: taxCode, positions: [position] })
  }
  return [...groups.values()]
}

// Whole numbers in the same proportion as the rates and a hundred percent.
function rateDigits(code: PricingCode): { rates: bigint[]; whole: bigint } {
  const effective = effectiveRates(code.components)
  const scale = Math.max(0, ...effective.map((rate) => rate.scale))
  return {
    rates: effective.map((rate) => digitsAt(rate, scale)),
    whole: 100n * powerOfTen(scale),
  }
}

// The given lines are rounded together: all lines of the code, or one at a time.
function taxOnTop(code: PricingCode, netsMinor: readonly bigint[]): LinePrice[] {
  const { rates, whole } = rateDigits(code)
  const byComponent = rates.map((rate) =>
    roundTogether(
      netsMinor.map((netMinor) => netMinor * rate),
      whole,
    ),
  )
  return netsMinor.map((netMinor, line) => {
    const taxesMinor = byComponent.map((taxes) => taxes[line] ?? 0n)
    const taxMinor = taxesMinor.reduce((sum, tax) => sum + tax, 0n)
    const taxes = componentTaxes(code, taxesMinor)
    return { netMinor, taxMinor, grossMinor: netMinor + taxMinor, taxes }
  })
}

function taxInside(code: PricingCode, grossesMinor: readonly bigint[]): LinePrice[] {
  const { rates, whole } = rateDigits(code)
  const sum = rates.reduce((total, rate) => total + rate, 0n)
  const taxes = roundTogether(
    grossesMinor.map((grossMinor) => grossMinor * sum),
    whole + sum,
  )
  return grossesMinor.map((grossMinor, line) => {
    const taxMinor = taxes[line] ?? 0n
    return {
      netMinor: grossMinor - taxMinor,
      taxMinor,
      grossMinor,
      taxes: componentTaxes(code, shareTax(taxMinor, grossMinor, rates, whole + sum)),
    }
  })
}

// What of the tax inside a price belongs to each component. Where some is withheld, each is rounded
// as what it is of the price, and the largest takes what the rounding of all lines leaves over.
function shareTax(
  taxMinor: bigint,
  grossMinor: bigint,
  rates: readonly bigint[],
  whole: bigint,
): bigint[] {
  if (rates.every((rate) => rate >= 0n)) return allocate(taxMinor, rates)
  const exact = rates.map((rate) => grossMinor * rate)
  const parts = roundTogether(exact, whole)
  const missing = parts.reduce((rest, part) => rest - part, taxMinor)
  const largest = exact.reduce(
    (found, share, index) => (magnitude(share) > magnitude(exact[found] ?? 0n) ? index : found),
    0,
  )
  return parts.map((part, index) => (index === largest ? part + missing : part))
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}

function componentTaxes(code: PricingCode, taxesMinor: readonly bigint[]): LineTax[] {
  return code.components.map(({ name, rate }, index) => ({
    name,
    rate,
    taxMinor: taxesMinor[index] ?? 0n,
  }))
}
