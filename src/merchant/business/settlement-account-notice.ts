// The mails to the owners when payouts go to another account, or no longer to one. They name the
// last digits only.
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

export function removedAccountNotice(id: string, account: MaskedAccount, by: string): Notice {
  const { currency, bankCode, accountEnding, beneficiaryName } = account
  return {
    kind: 'bank_account',
    fact: `settlement_account.remove/${id}`,
    subject: 'A bank account for payouts was removed',
    lines: [
      'Payouts no longer go to this bank account:',
      '',
      `  ${beneficiaryName}, account ····${accountEnding}, bank ${bankCode}`,
      currency === null
        ? '  Currencies without their own account can only be paid out to the wallet now.'
        : `  ${currency} goes to the account for all other currencies now, if there is one.`,
      '',
      `Removed or approved by ${by}.`,
      'If you did not expect this, talk to the other owners and your operator now:',
    ],
    path: '/payouts',
    roles: ownerRoles,
  }
}
