// The trial balance: balance sheet accounts with their balances, income and expenses of the fiscal
// year, and the profit of earlier years as a separate row, so that debits equal credits.
import type { AccountBalances } from './account-balances.ts'
import { type AsOf, balancesAsOf, isProfitAccount, profitOf } from './balances-as-of.ts'
import { type Compared, presentFigures, sum } from './report-schema.ts'

export type TrialRow = {
  // Null for a row without an account.
  account_id: string | null
  code: string | null
  name: string
  type: string
  subtype: string
} & Compared<'debit' | 'credit' | 'balance' | 'lifetime'>

type RowFigures = { balance: bigint; lifetime: bigint }

export function trialBalance(
  accounts: readonly AccountBalances[],
  columns: readonly AsOf[],
  currency: string,
): { accounts: TrialRow[]; totals: Compared<'debit' | 'credit' | 'difference'> } {
  const ofAccounts = accounts.map((account) => ({
    account_id: account.id,
    code: account.code,
    name: account.name,
    type: account.type,
    subtype: account.subtype,
    figures: columns.map((column) => figuresOf(account, column)),
  }))
  const rows = [
    ...ofAccounts.filter(({ figures }) => figures.some(isAnything)),
    {
      account_id: null,
      code: null,
      name: 'Retained earnings of earlier years',
      type: 'equity',
      subtype: 'retained_earnings',
      // Over all years, it is on the income and expense accounts.
      figures: columns.map((column) => ({
        balance: -profitOf(accounts, column).beforeYearMinor,
        lifetime: 0n,
      })),
    },
  ]
  const totals = columns.map((_, column) => {
    const sides = rows.map(({ figures }) => sidesOf(figures[column]?.balance ?? 0n))
    const debit = sum(sides.map((side) => side.debit))
    const credit = sum(sides.map((side) => side.credit))
    return { debit, credit, difference: debit - credit }
  })
  return {
    accounts: rows.map(({ figures, ...row }) => ({
      ...row,
      ...presentFigures(
        figures.map((figure) => ({ ...sidesOf(figure.balance), ...figure })),
        currency,
      ),
    })),
    totals: presentFigures(totals, currency),
  }
}

function figuresOf(account: AccountBalances, column: AsOf): RowFigures {
  const { lifetimeMinor, beforeYearMinor } = balancesAsOf(account, column)
  const balance = isProfitAccount(account) ? lifetimeMinor - beforeYearMinor : lifetimeMinor
  return { balance, lifetime: lifetimeMinor }
}

function isAnything({ balance, lifetime }: RowFigures): boolean {
  return balance !== 0n || lifetime !== 0n
}

function sidesOf(balanceMinor: bigint): { debit: bigint; credit: bigint } {
  return balanceMinor >= 0n
    ? { debit: balanceMinor, credit: 0n }
    : { debit: 0n, credit: -balanceMinor }
}
