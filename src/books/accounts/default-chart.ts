// The chart of a new organisation: enough for a small trading or service business, with every
// account that postings need. Codes have gaps, so that accounts can be added in between.
import type { AccountSubtype, AccountType } from './account.ts'

export type ChartEntry = {
  readonly code: string
  readonly name: string
  readonly type: AccountType
  readonly subtype: AccountSubtype
  // Postings find these by their subtype, so they can't be removed.
  readonly isSystem: boolean
}

// The accounts of lines that have none, and whose item and contact have none.
export const defaultSalesCode = '4000'
export const defaultPurchaseCode = '6300'

// For payments through the merchant service without an invoice, and for the shares of split
// recipients.
export const unassignedAccount: ChartEntry = entry(
  '2310',
  'Payments to assign',
  'liability',
  'current_liability',
)
export const shareAccount: ChartEntry = entry(
  '5200',
  'Shares of split recipients',
  'expense',
  'cost_of_sales',
)
// The bank account that payouts go to.
export const defaultBankCode = '1000'

export const defaultChart: readonly ChartEntry[] = [
  entry('1000', 'Bank account', 'asset', 'bank'),
  entry('1010', 'Savings account', 'asset', 'bank'),
  entry('1050', 'Petty cash', 'asset', 'bank'),
  system('1100', 'Accounts receivable', 'asset', 'receivable'),
  system('1150', 'Payment clearing', 'asset', 'clearing'),
  system('1160', 'Currency revaluation', 'asset', 'current_asset'),
  entry('1200', 'Inventory', 'asset', 'inventory'),
  entry('1300', 'Prepayments', 'asset', 'prepayment'),
  entry('1400', 'Other current assets', 'asset', 'current_asset'),
  entry('1500', 'Office equipment', 'asset', 'fixed_asset'),
  entry('1510', 'Accumulated depreciation, office equipment', 'asset', 'fixed_asset'),
  entry('1520', 'Computers', 'asset', 'fixed_asset'),
  entry('1530', 'Accumulated depreciation, computers', 'asset', 'fixed_asset'),
  entry('1800', 'Deposits paid', 'asset', 'non_current_asset'),
  system('2000', 'Accounts payable', 'liability', 'payable'),
  system('2050', 'Expense claims payable', 'liability', 'expense_claims'),
  system('2100', 'Sales tax', 'liability', 'tax'),
  entry('2150', 'Credit card', 'liability', 'credit_card'),
  entry('2200', 'Wages payable', 'liability', 'current_liability'),
  entry('2300', 'Income in advance', 'liability', 'current_liability'),
  unassignedAccount,
  entry('2700', 'Loans', 'liability', 'non_current_liability'),
  entry('3000', 'Share capital', 'equity', 'share_capital'),
  entry('3100', 'Reserves', 'equity', 'reserves'),
  system('3200', 'Retained earnings', 'equity', 'retained_earnings'),
  entry('3300', 'Dividends', 'equity', 'dividends'),
  entry('3400', 'Drawings', 'equity', 'drawings'),
  system('3900', 'Opening balance equity', 'equity', 'opening_balance'),
  entry('4000', 'Sales', 'income', 'sales'),
  entry('4100', 'Service income', 'income', 'sales'),
  entry('4800', 'Interest received', 'income', 'other_income'),
  entry('4900', 'Other income', 'income', 'other_income'),
  entry('5000', 'Cost of goods sold', 'expense', 'cost_of_sales'),
  entry('5100', 'Freight and delivery', 'expense', 'cost_of_sales'),
  shareAccount,
  entry('6000', 'Advertising', 'expense', 'operating_expense'),
  entry('6050', 'Bank fees', 'expense', 'operating_expense'),
  system('6060', 'Payment fees', 'expense', 'payment_fees'),
  entry('6100', 'Consulting and accounting', 'expense', 'operating_expense'),
  entry('6150', 'Insurance', 'expense', 'operating_expense'),
  entry('6200', 'Interest paid', 'expense', 'operating_expense'),
  entry('6250', 'Legal expenses', 'expense', 'operating_expense'),
  entry('6300', 'Office expenses', 'expense', 'operating_expense'),
  entry('6350', 'Rent', 'expense', 'operating_expense'),
  entry('6400', 'Repairs and maintenance', 'expense', 'operating_expense'),
  entry('6450', 'Software and subscriptions', 'expense', 'operating_expense'),
  entry('6500', 'Telephone and internet', 'expense', 'operating_expense'),
  entry('6550', 'Travel', 'expense', 'operating_expense'),
  entry('6600', 'Utilities', 'expense', 'operating_expense'),
  entry('6650', 'Wages and salaries', 'expense', 'operating_expense'),
  entry('6700', 'Depreciation', 'expense', 'depreciation'),
  system('6800', 'Bad debts', 'expense', 'bad_debt'),
  system('6900', 'Realised currency gains and losses', 'expense', 'fx_realised'),
  system('6910', 'Unrealised currency gains and losses', 'expense', 'fx_unrealised'),
]

function entry(code: string, name: string, type: AccountType, subtype: AccountSubtype): ChartEntry {
  return { code, name, type, subtype, isSystem: false }
}

function system(
  code: string,
  name: string,
  type: AccountType,
  subtype: AccountSubtype,
): ChartEntry {
  return { code, name, type, subtype, isSystem: true }
}
