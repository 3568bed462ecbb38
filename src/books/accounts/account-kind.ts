// The allowed combinations of account type and subtype.
import type { AccountSubtype, AccountType, ChartAccount } from './account.ts'
import { controlSubtypes } from './control-account.ts'

const typesOf: Readonly<Record<AccountSubtype, readonly AccountType[]>> = {
  bank: ['asset'],
  receivable: ['asset'],
  current_asset: ['asset'],
  inventory: ['asset'],
  prepayment: ['asset'],
  fixed_asset: ['asset'],
  non_current_asset: ['asset'],
  payable: ['liability'],
  expense_claims: ['liability'],
  // Prepaid tax can have its own account.
  tax: ['liability', 'asset'],
  credit_card: ['liability'],
  current_liability: ['liability'],
  non_current_liability: ['liability'],
  share_capital: ['equity'],
  // What owners take out, what is paid to shareholders, and what is set aside of profits.
  drawings: ['equity'],
  dividends: ['equity'],
  reserves: ['equity'],
  retained_earnings: ['equity'],
  opening_balance: ['equity'],
  sales: ['income'],
  other_income: ['income'],
  cost_of_sales: ['expense'],
  operating_expense: ['expense'],
  depreciation: ['expense'],
  fx_realised: ['expense', 'income'],
  fx_unrealised: ['expense', 'income'],
  bad_debt: ['expense'],
  payment_fees: ['expense'],
  clearing: ['asset'],
}

const withCurrency: readonly AccountSubtype[] = ['bank', 'credit_card']

// The problem with the kind of an account, by field.
export function kindProblem({
  type,
  subtype,
  currency,
}: Pick<ChartAccount, 'type' | 'subtype' | 'currency'>):
  | { field: 'type' | 'subtype' | 'currency'; message: string }
  | undefined {
  if (controlSubtypes.includes(subtype)) {
    return { field: 'subtype', message: 'There can be only one control account of each kind.' }
  }
  if (!typesOf[subtype].includes(type)) {
    const message = `An account of subtype ${subtype} must have the type ${typesOf[subtype].join(' or ')}.`
    return { field: 'type', message }
  }
  if (currency !== null && !withCurrency.includes(subtype)) {
    const message = 'Only bank accounts and credit cards can have their own currency.'
    return { field: 'currency', message }
  }
  return undefined
}
