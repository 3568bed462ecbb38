// Control accounts hold what is owed. Every line there belongs to an open item, so documents, tax
// codes, defaults and manual journals may not name them: only documents and payments write them.
import type { AccountSubtype, ChartAccount } from './account.ts'

export const controlSubtypes: readonly AccountSubtype[] = [
  'receivable',
  'payable',
  'expense_claims',
]

// Why an account may not be named, or nothing.
export function accountProblem(
  account: Pick<ChartAccount, 'subtype' | 'active' | 'isSystem'> | undefined,
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
  return undefined
}
