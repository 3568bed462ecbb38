// The balance sheet. Retained earnings are the account of that name and all profit before the
// fiscal year; the profit of the year is shown beside them. Liabilities and equity are normally
// positive.
import type { AccountType } from '../accounts/account.ts'
import type { AccountBalances } from './account-balances.ts'
import { type AsOf, balancesAsOf, profitOf } from './balances-as-of.ts'
import { type Compared, presentFigures, sum } from './report-schema.ts'

export const sheetGroups = {
  assets: ['current_assets', 'fixed_assets', 'non_current_assets'],
  liabilities: ['current_liabilities', 'non_current_liabilities'],
  equity: ['share_capital', 'other_equity', 'retained_earnings', 'current_year_earnings'],
} as const

export type SheetSection = keyof typeof sheetGroups
type GroupKey = (typeof sheetGroups)[SheetSection][number]

export type SheetRow = {
  // Null for a computed row without an account.
  account_id: string | null
  code: string | null
  name: string
  subtype: string
} & Compared<'amount'>

type Row = Omit<SheetRow, 'amount' | 'comparison'> & { group: GroupKey; amountsMinor: bigint[] }

export function balanceSheet(
  accounts: readonly AccountBalances[],
  columns: readonly AsOf[],
  currency: string,
) {
  const rows = [...accountRows(accounts, columns), ...computedRows(accounts, columns)]
  const groupTotal = (group: GroupKey, column: number) =>
    sum(rows.filter((row) => row.group === group).map((row) => row.amountsMinor[column] ?? 0n))
  const total = (section: SheetSection, column: number) =>
    sum(sheetGroups[section].map((group) => groupTotal(group, column)))
  const totals = (of: (column: number) => bigint) =>
    presentFigures(
      columns.map((_, column) => ({ total: of(column) })),
      currency,
    )
  const section = (key: SheetSection) => ({
    ...totals((column) => total(key, column)),
    groups: sheetGroups[key].map((group) => ({
      key: group,
      ...totals((column) => groupTotal(group, column)),
      accounts: rows
        .filter((row) => row.group === group && isShown(row))
        .map((row) => presentRow(row, currency)),
    })),
  })
  const sums = columns.map((_, column) => ({
    assets: total('assets', column),
    liabilities: total('liabilities', column),
    equity: total('equity', column),
    retained_earnings: groupTotal('retained_earnings', column),
    current_year_earnings: groupTotal('current_year_earnings', column),
  }))
  // Zero, or the books are broken.
  const checks = sums.map(({ assets, liabilities, equity }) => ({
    check: assets - liabilities - equity,
  }))
  return {
    assets: section('assets'),
    liabilities: section('liabilities'),
    equity: section('equity'),
    totals: presentFigures(sums, currency),
    checked: presentFigures(checks, currency),
  }
}

function accountRows(accounts: readonly AccountBalances[], columns: readonly AsOf[]): Row[] {
  return accounts.flatMap((account) => {
    const group = groupOf(account.type, account.subtype)
    if (!group) return []
    const sign = account.type === 'asset' ? 1n : -1n
    const { id: account_id, code, name, subtype } = account
    const amountsMinor = columns.map((column) => sign * balancesAsOf(account, column).lifetimeMinor)
    return [{ account_id, code, name, subtype, group, amountsMinor }]
  })
}

function computedRows(accounts: readonly AccountBalances[], columns: readonly AsOf[]): Row[] {
  const profits = columns.map((column) => profitOf(accounts, column))
  const computed = { account_id: null, code: null, subtype: 'retained_earnings' }
  return [
    {
      ...computed,
      name: 'Profit of earlier years',
      group: 'retained_earnings',
      amountsMinor: profits.map(({ beforeYearMinor }) => beforeYearMinor),
    },
    {
      ...computed,
      name: 'Profit of this year',
      group: 'current_year_earnings',
      amountsMinor: profits.map(({ ofYearMinor }) => ofYearMinor),
    },
  ]
}

function groupOf(type: AccountType, subtype: string): GroupKey | undefined {
  if (type === 'asset') {
    if (subtype === 'fixed_asset') return 'fixed_assets'
    return subtype === 'non_current_asset' ? 'non_current_assets' : 'current_assets'
  }
  if (type === 'liability') {
    return subtype === 'non_current_liability' ? 'non_current_liabilities' : 'current_liabilities'
  }
  if (type !== 'equity') return undefined
  if (subtype === 'share_capital' || subtype === 'retained_earnings') return subtype
  return 'other_equity'
}

function isShown({ account_id, amountsMinor }: Row): boolean {
  return account_id === null || amountsMinor.some((amount) => amount !== 0n)
}

function presentRow({ group: _, amountsMinor, ...row }: Row, currency: string): SheetRow {
  const columns = amountsMinor.map((amount) => ({ amount }))
  return { ...row, ...presentFigures(columns, currency) }
}
