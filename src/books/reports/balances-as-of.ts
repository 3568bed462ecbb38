// What reports as of a day need to know: the day, the fiscal year that it lies in, and what the
// accounts stood at then. No entry ever closes a year: the profit of earlier years is computed, for
// whatever month the fiscal year begins in.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { AccountBalances } from './account-balances.ts'
import { type Comparison, comparedDay, dayBefore, fiscalYearStart } from './report-days.ts'
import { sum } from './report-schema.ts'

export type AsOf = { readonly as_of: string; readonly fiscal_year_start: string }

// One or two columns.
export function asOfColumns(
  asOf: string,
  comparison: Comparison | undefined,
  startMonth: number,
): AsOf[] {
  const days = comparison ? [asOf, comparedDay(asOf, comparison)] : [asOf]
  return days.map((day) => ({ as_of: day, fiscal_year_start: fiscalYearStart(day, startMonth) }))
}

// The days whose balances make a column: the last of the year before, and the day itself.
export function daysOf(columns: readonly AsOf[]): string[] {
  return columns.flatMap((column) => [dayBefore(column.fiscal_year_start), column.as_of])
}

export type BalancesAsOf = {
  // Everything up to the day.
  readonly lifetimeMinor: bigint
  // Everything before the fiscal year.
  readonly beforeYearMinor: bigint
}

export function balancesAsOf({ balancesMinor }: AccountBalances, column: number): BalancesAsOf {
  const missing = 'a balance that was not read'
  return {
    beforeYearMinor: assertDefined(balancesMinor[2 * column], missing),
    lifetimeMinor: assertDefined(balancesMinor[2 * column + 1], missing),
  }
}

export function isProfitAccount({ type }: Pick<AccountBalances, 'type'>): boolean {
  return type === 'income' || type === 'expense'
}

// As a credit: a profit is positive.
export function profitOf(accounts: readonly AccountBalances[], column: number) {
  const standings = accounts.filter(isProfitAccount).map((account) => balancesAsOf(account, column))
  const beforeYearMinor = -sum(standings.map((standing) => standing.beforeYearMinor))
  const lifetimeMinor = -sum(standings.map((standing) => standing.lifetimeMinor))
  return { beforeYearMinor, ofYearMinor: lifetimeMinor - beforeYearMinor }
}
