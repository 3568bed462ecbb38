// Control accounts summarise what is owed. Every line belongs to an open item, so documents, tax
// codes, defaults and manual journals can't name them: only documents and payments post to them.
import type { AccountSubtype, ChartAccount } from './account.ts'

export const controlSubtypes: readonly AccountSubtype[] = [
  'receivable',
  'payable',
  'expense_claims',
]

// What decides whether a line can name an account.
export type NamedAccount = Pick<ChartAccount, 'subtype' | 'active' | 'isSystem' | 'currency'>

// Why an account can't be named, or undefined. A default account is named before there is a line,
// and so without a currency.
export function accountProblem(
  account: NamedAccount | undefined,
  line?: LineCurrency,
): string | undefined {
  if (!account) return 'No such account.'
  if (!account.active) return 'The account is not active.'
  if (controlSubtypes.includes(account.subtype)) {
    return 'Only documents and payments post to a control account.'
  }
  // The next revaluation compares with this balance.
  if (account.subtype === 'current_asset' && account.isSystem) {
    return 'Only revaluations post to this account.'
  }
  return line && currencyProblem(account, line)
}

export type LineCurrency = { readonly currency: string; readonly baseCurrency: string }

// A bank has one currency: that of the base where none is set. Other accounts without a currency
// take every one.
const oneCurrencySubtypes: readonly AccountSubtype[] = ['bank', 'credit_card']

// An account with its own currency only has amounts in that currency. Anything else would change
// its value but not its balance.
export function currencyProblem(
  { currency: own, subtype }: Pick<ChartAccount, 'currency' | 'subtype'>,
  { currency, baseCurrency }: LineCurrency,
): string | undefined {
  const kept = own ?? (oneCurrencySubtypes.includes(subtype) ? baseCurrency : null)
  if (kept === null || kept === currency) return undefined
  return `The account is kept in ${kept} and takes no ${currency}.`
}
