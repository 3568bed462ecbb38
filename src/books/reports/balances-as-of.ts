// Balances as of a day, for the trial balance and the balance sheet. No entry closes a fiscal year:
// the profit of earlier years is computed, for any first month of the fiscal year.
import { type AccountBalances, balanceOn } from './account-balances.ts'
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

// The days whose balances make up a column: the last of the year before, and the day itself.
export function daysOf(columns: readonly AsOf[]): string[] {
  return columns.flatMap((column) => [dayBefore(column.fiscal_year_start), column.as_of])
}

export type BalancesAsOf = {
  // Everything up to the day.
  readonly lifetimeMinor: bigint
  // Everything before the fiscal year.
  readonly beforeYearMinor: bigint
}

export function balancesAsOf(account: AccountBalances, column: AsOf): BalancesAsOf {
  return {
    beforeYearMinor: balanceOn(account, dayBefore(column.fiscal_year_start)),
    lifetimeMinor: balanceOn(account, column.as_of),
  }
}

export function isProfitAccount({ type }: Pick<AccountBalances, 'type'>): boolean {
  return type === 'income' || type === 'expense'
}

// As a credit: a profit is positive.
export function profitOf(accounts: readonly AccountBalances[], column: AsOf) {
  const balances = accounts.filter(isProfitAccount).map((account) => balancesAsOf(account, column))
  const beforeYearMinor = -sum(balances.map((balance) => balance.beforeYearMinor))
  const lifetimeMinor = -sum(balances.map((balance) => balance.lifetimeMinor))
  return { beforeYearMinor, ofYearMinor: lifetimeMinor - beforeYearMinor }
}
