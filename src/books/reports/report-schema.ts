// Shared by the reports: figures in major units and, if a comparison was requested, the figures of
// the other period in `comparison`.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { day, majorNumber, oneOf } from '../../kernel/operations/schemas.ts'
import { comparisons } from './report-days.ts'

type Figures<Name extends string> = Record<Name, Decimal>
export type Compared<Name extends string> = Figures<Name> & { comparison?: Figures<Name> }

// The figures of one or two columns, by name, in minor units of the currency.
export function presentFigures<Name extends string>(
  columns: readonly Record<Name, bigint>[],
  currencyCode: string,
): Compared<Name> {
  const currency = currencyOf(currencyCode)
  const [own, other] = columns.map(
    (figures) =>
      Object.fromEntries(
        Object.entries<bigint>(figures).map(([name, minor]) => [name, fromMinor(minor, currency)]),
      ) as Figures<Name>,
  )
  const presented = assertDefined(own, 'a report without a column')
  return other ? { ...presented, comparison: other } : presented
}

export function figuresShape<const Name extends string>(...names: readonly Name[]) {
  const own = Object.fromEntries(names.map((name) => [name, majorNumber()]))
  return { ...own, comparison: z.object(own).optional() }
}

export const ledgerSeqField = () =>
  z.int().min(0).meta({
    description: 'The last journal entry in these figures. The same value means the same figures.',
  })

export const compareParameter = () =>
  oneOf(comparisons)
    .optional()
    .meta({
      description:
        'Adds `comparison` to every figure, with the figure of another period: the period ' +
        'before (as many months or days), or the same period a year before.',
    })

export const asOfQuery = z.strictObject({
  as_of: day().optional().meta({ description: 'The day (inclusive); default today.' }),
  compare: compareParameter(),
})

export const asOfInput = z.strictObject({
  asOf: day().optional(),
  compare: oneOf(comparisons).optional(),
  recordedOn: day().optional(),
})

export const asOfShape = {
  currency: z.string().meta({ description: 'The base currency; all figures are in it.' }),
  fiscal_year_start: z.iso
    .date()
    .meta({ description: 'The start of the fiscal year that contains the day.' }),
  ledger_seq: ledgerSeqField(),
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}
