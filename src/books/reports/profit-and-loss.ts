// Profit and loss, computed from the balances before and at the end of each period.
import type { AccountBalances } from './account-balances.ts'
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

// For each period two balances: of the day before it, and of its last.
export function profitAndLoss(
  accounts: readonly AccountBalances[],
  currency: string,
): {
  sections: ProfitSection[]
  totals: Compared<keyof ReturnType<typeof totalsOf>>
} {
  const moved = accounts.flatMap((account) => {
    const section = sectionOf(account)
    return section ? [{ account, section, amountsMinor: profitMovements(account) }] : []
  })
  const periods = moved[0]?.amountsMinor.map((_, index) => index) ?? [0]
  const totalOf = (key: SectionKey, period: number) =>
    sum(moved.filter(({ section }) => section === key).map((row) => row.amountsMinor[period] ?? 0n))
  return {
    sections: profitSections.map((key) => ({
      key,
      ...presentFigures(
        periods.map((period) => ({ total: totalOf(key, period) })),
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
      periods.map((period) => totalsOf((key) => totalOf(key, period))),
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

// Income and expenses are both positive when they are what they are called.
function profitMovements({ type, balancesMinor }: AccountBalances): bigint[] {
  const movements: bigint[] = []
  for (let index = 0; index + 1 < balancesMinor.length; index += 2) {
    const moved = (balancesMinor[index + 1] ?? 0n) - (balancesMinor[index] ?? 0n)
    movements.push(type === 'income' ? -moved : moved)
  }
  return movements
}
