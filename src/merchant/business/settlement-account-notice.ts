// The mail to the owners when payouts go to another account. It names the last digits only.
import type { Notice } from '../../kernel/notices/notice.ts'
import { ownerRoles } from '../../kernel/operations/permission.ts'
import type { MaskedAccount } from './settlement-account.ts'

export function changedAccountNotice(id: string, account: MaskedAccount, by: string): Notice {
  const { currency, bankCode, accountEnding, beneficiaryName, holderName } = account
  return {
    kind: 'bank_account',
    fact: `settlement_account.set/${id}`,
    subject: 'The bank account for payouts has changed',
    lines: [
      'Payouts go to this bank account now:',
      '',
      `  ${beneficiaryName}, account ····${accountEnding}, bank ${bankCode}`,
      ...(holderName ? [`  The bank has the account under the name ${holderName}.`] : []),
      `  For ${currency ?? 'all currencies without their own account'}`,
      '',
      `Saved or approved by ${by}.`,
      'If you did not expect this, talk to the other owners and your operator now:',
    ],
    path: '/payouts',
    roles: ownerRoles,
  }
}
