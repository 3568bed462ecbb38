// Profit and loss, computed from the balances before and at the end of each period.
import { type AccountBalances, balanceOn } from './account-balances.ts'
import { dayBefore, type Period } from './report-days.ts'
import { type Compared, presentFigures, sum } from './report-schema.ts'

export const profitSections = ['income', 'cost_of_sales', 'other_income', 'expenses'] as const
type SectionKey = (typeof profitSections)[number]

export type ProfitAccount = {
  account_id: string
  code: string
  name: string
  subtype: string
} & Compared<'amount'>

export type ProfitSection = { key: SectionKey; accounts: ProfitAccount[] } & Compared<'total'>

// The days whose balances are needed: the day before each period, and its last day.
export function daysOfPeriods(periods: readonly Period[]): string[] {
  return periods.flatMap(({ from, to }) => [dayBefore(from), to])
}

export function profitAndLoss(
  accounts: readonly AccountBalances[],
  periods: readonly Period[],
  currency: string,
): {
  sections: ProfitSection[]
  totals: Compared<keyof ReturnType<typeof totalsOf>>
} {
  const moved = accounts.flatMap((account) => {
    const section = sectionOf(account)
    if (!section) return []
    return [{ account, section, amountsMinor: periods.map((period) => profitIn(account, period)) }]
  })
  const totalOf = (key: SectionKey, column: number) =>
    sum(moved.filter(({ section }) => section === key).map((row) => row.amountsMinor[column] ?? 0n))
  return {
    sections: profitSections.map((key) => ({
      key,
      ...presentFigures(
        periods.map((_, column) => ({ total: totalOf(key, column) })),
        currency,
      ),
      accounts: moved
        .filter((row) => row.section === key && row.amountsMinor.some((amount) => amount !== 0n))
        .map(({ account, amountsMinor }) => ({
          account_id: account.id,
          code: account.code,
          name: account.name,
          subtype: account.subtype,
          ...presentFigures(
            amountsMinor.map((amount) => ({ amount })),
            currency,
          ),
        })),
    })),
    totals: presentFigures(
      periods.map((_, column) => totalsOf((key) => totalOf(key, column))),
      currency,
    ),
  }
}

function totalsOf(totalOf: (key: SectionKey) => bigint) {
  const [income, costOfSales] = [totalOf('income'), totalOf('cost_of_sales')]
  const [otherIncome, expenses] = [totalOf('other_income'), totalOf('expenses')]
  return {
    income,
    cost_of_sales: costOfSales,
    gross_profit: income - costOfSales,
    other_income: otherIncome,
    expenses,
    net_profit: income - costOfSales + otherIncome - expenses,
  }
}

function sectionOf({ type, subtype }: AccountBalances): SectionKey | undefined {
  if (type === 'income') return subtype === 'sales' ? 'income' : 'other_income'
  if (type === 'expense') return subtype === 'cost_of_sales' ? 'cost_of_sales' : 'expenses'
  return undefined
}

// Income is a credit, so its sign is reversed: income and expenses are both positive.
function profitIn(account: AccountBalances, { from, to }: Period): bigint {
  const movedMinor = balanceOn(account, to) - balanceOn(account, dayBefore(from))
  return account.type === 'income' ? -movedMinor : movedMinor
}
