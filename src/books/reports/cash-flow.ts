// The cash-flow statement, by the indirect method: from the profit of a period to the change of its
// cash. Cash is what is on bank accounts and in the till; money that the payment service still
// holds is not. Every account of the balance sheet that is not cash appears with its change, so the
// statement always ends with the cash of the balance sheet. Pure.
import type { AccountSubtype, AccountType } from '../accounts/account.ts'
import { type AccountBalances, balanceOn } from './account-balances.ts'
import { isProfitAccount } from './balances-as-of.ts'
import { dayBefore, type Period } from './report-days.ts'
import { type Compared, presentFigures, sum } from './report-schema.ts'

const flowSections = ['operating', 'investing', 'financing'] as const
export type FlowSection = (typeof flowSections)[number]

export type FlowRow = {
  // Null for a computed row without an account.
  account_id: string | null
  code: string | null
  name: string
} & Compared<'amount'>

type Row = Omit<FlowRow, 'amount' | 'comparison'> & {
  readonly section: FlowSection
  readonly amountsMinor: readonly bigint[]
}

export function cashFlow(
  accounts: readonly AccountBalances[],
  periods: readonly Period[],
  // By period: what rates alone did to the book value of foreign cash.
  rateEffectsMinor: readonly bigint[],
  currency: string,
) {
  const rows = [
    ...profitRows(accounts, periods, rateEffectsMinor),
    ...accountRows(accounts, periods),
  ]
  const cash = accounts.filter(isCash)
  const total = (section: FlowSection, column: number) =>
    sum(rows.filter((row) => row.section === section).map((row) => row.amountsMinor[column] ?? 0n))
  const present = <Name extends string>(
    of: (period: Period, column: number) => Record<Name, bigint>,
  ) => presentFigures(periods.map(of), currency)
  const opening = ({ from }: Period) =>
    sum(cash.map((account) => balanceOn(account, dayBefore(from))))
  const closing = ({ to }: Period) => sum(cash.map((account) => balanceOn(account, to)))
  return {
    sections: flowSections.map((key) => ({
      key,
      ...present((_, column) => ({ total: total(key, column) })),
      rows: rows
        .filter((row) => row.section === key && isShown(row))
        .map(({ section: _, amountsMinor, ...row }) => ({
          ...row,
          ...present((_period, column) => ({ amount: amountsMinor[column] ?? 0n })),
        })),
    })),
    totals: present((period, column) => {
      const rateEffect = rateEffectsMinor[column] ?? 0n
      const change = sum(flowSections.map((section) => total(section, column))) + rateEffect
      return {
        change,
        rate_effect: rateEffect,
        opening: opening(period),
        closing: closing(period),
        // Zero, or the books are broken.
        check: closing(period) - opening(period) - change,
      }
    }),
    cash: cash
      .map(({ id: account_id, code, name, ...account }) => ({
        account_id,
        code,
        name,
        ...present((period) => ({
          opening: balanceOn({ id: account_id, code, name, ...account }, dayBefore(period.from)),
          closing: balanceOn({ id: account_id, code, name, ...account }, period.to),
        })),
      }))
      .filter(({ opening: first, closing: last }) => first.digits !== 0n || last.digits !== 0n),
  }
}

function isCash({ subtype }: Pick<AccountBalances, 'subtype'>): boolean {
  return subtype === 'bank'
}

const operatingSubtypes: readonly AccountSubtype[] = [
  ...(['receivable', 'clearing', 'current_asset', 'inventory', 'prepayment'] as const),
  ...(['payable', 'expense_claims', 'tax', 'credit_card', 'current_liability'] as const),
]

function sectionOf(type: AccountType, subtype: AccountSubtype): FlowSection {
  if (operatingSubtypes.includes(subtype)) return 'operating'
  return type === 'asset' ? 'investing' : 'financing'
}

const computed = { account_id: null, code: null }

// Depreciation is an expense without money. It made the fixed assets smaller, where it is taken off
// again: what is left there was bought or sold.
function profitRows(
  accounts: readonly AccountBalances[],
  periods: readonly Period[],
  rateEffectsMinor: readonly bigint[],
): Row[] {
  const profit = accounts.filter(isProfitAccount)
  const depreciation = accounts.filter(({ subtype }) => subtype === 'depreciation')
  const spent = (of: readonly AccountBalances[]) =>
    periods.map((period) => sum(of.map((account) => changeIn(account, period))))
  const depreciated = spent(depreciation)
  const negated = (amounts: readonly bigint[]) => amounts.map((amount) => -amount)
  return [
    { ...computed, section: 'operating', name: 'Net profit', amountsMinor: negated(spent(profit)) },
    { ...computed, section: 'operating', name: 'Depreciation', amountsMinor: depreciated },
    {
      ...computed,
      section: 'operating',
      name: 'Exchange differences on cash',
      amountsMinor: negated(rateEffectsMinor),
    },
    {
      ...computed,
      section: 'investing',
      name: 'Depreciation of fixed assets',
      amountsMinor: negated(depreciated),
    },
  ]
}

// An asset that grows takes cash; a debt that grows brings some.
function accountRows(accounts: readonly AccountBalances[], periods: readonly Period[]): Row[] {
  return accounts
    .filter((account) => !isProfitAccount(account) && !isCash(account))
    .map((account) => ({
      account_id: account.id,
      code: account.code,
      name: account.name,
      section: sectionOf(account.type, account.subtype),
      amountsMinor: periods.map((period) => -changeIn(account, period)),
    }))
}

function changeIn(account: AccountBalances, { from, to }: Period): bigint {
  return balanceOn(account, to) - balanceOn(account, dayBefore(from))
}

function isShown({ name, amountsMinor }: Row): boolean {
  return name === 'Net profit' || amountsMinor.some((amount) => amount !== 0n)
}
