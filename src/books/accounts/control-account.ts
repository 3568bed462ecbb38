// Control accounts hold what is owed. Every line there belongs to an open item, so documents, tax
// codes, defaults and manual journals may not name them: only documents and payments write them.
import type { AccountSubtype, ChartAccount } from './account.ts'

export const controlSubtypes: readonly AccountSubtype[] = [
  'receivable',
  'payable',
  'expense_claims',
]

// What decides whether a line may name an account.
export type NamedAccount = Pick<ChartAccount, 'subtype' | 'active' | 'isSystem' | 'currency'>

// Why an account may not be named, or nothing. A default is named before there is a line, and so
// without its currency.
export function accountProblem(
  account: NamedAccount | undefined,
  currency?: string,
): string | undefined {
  if (!account) return 'No such account.'
  if (!account.active) return 'The account is not active.'
  if (controlSubtypes.includes(account.subtype)) {
    return 'A control account is only written by the books themselves.'
  }
  // What stands there is what the next revaluation compares with.
  if (account.subtype === 'current_asset' && account.isSystem) {
    return 'Only the revaluation writes this account.'
  }
  return currency === undefined ? undefined : currencyProblem(account, currency)
}

// What is on an account in a currency of its own is an amount of that currency. Anything else would
// change what it is worth, and not what is there.
export function currencyProblem(
  { currency: kept }: Pick<ChartAccount, 'currency'>,
  currency: string,
): string | undefined {
  if (kept === null || kept === currency) return undefined
  return `The account is kept in ${kept} and takes no ${currency}.`
}
