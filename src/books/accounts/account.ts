// An account in the chart of accounts.
import { z } from 'zod'
import { currencyCode, line, oneOf } from '../../kernel/operations/schemas.ts'

export const accountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const
export type AccountType = (typeof accountTypes)[number]

export const accountSubtypes = [
  'bank',
  'receivable',
  'current_asset',
  'inventory',
  'prepayment',
  'fixed_asset',
  'non_current_asset',
  'payable',
  'expense_claims',
  'tax',
  'credit_card',
  'current_liability',
  'non_current_liability',
  'share_capital',
  'drawings',
  'dividends',
  'reserves',
  'retained_earnings',
  'opening_balance',
  'sales',
  'other_income',
  'cost_of_sales',
  'operating_expense',
  'depreciation',
  'fx_realised',
  'fx_unrealised',
  'bad_debt',
  'payment_fees',
  'clearing',
] as const
export type AccountSubtype = (typeof accountSubtypes)[number]

// Subtypes of the accounts that postings find by their purpose.
export type SystemSubtype = Extract<
  AccountSubtype,
  | 'receivable'
  | 'payable'
  | 'expense_claims'
  | 'clearing'
  // Currency revaluation, which is separate from the control accounts.
  | 'current_asset'
  | 'tax'
  | 'retained_earnings'
  | 'opening_balance'
  | 'payment_fees'
  | 'bad_debt'
  | 'fx_realised'
  | 'fx_unrealised'
>

export type Account = {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly type: AccountType
  readonly subtype: AccountSubtype
  readonly active: boolean
}

export const accountSchema = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  type: z.enum(accountTypes),
  subtype: z.enum(accountSubtypes),
  active: z.boolean(),
})

// What can change about an account, and what decides whether it can.
export type ChartAccount = Account & {
  readonly isSystem: boolean
  // The currency of a bank account or credit card; null means the base currency.
  readonly currency: string | null
}

export const accountInput = z.strictObject({
  code: line(20),
  name: line(160),
  type: oneOf(accountTypes),
  subtype: oneOf(accountSubtypes),
  currency: currencyCode().nullable().optional(),
})

export const accountChanges = z
  .strictObject({
    code: line(20),
    name: line(160),
    type: oneOf(accountTypes),
    subtype: oneOf(accountSubtypes),
    currency: currencyCode().nullable(),
    active: z.boolean(),
  })
  .partial()
