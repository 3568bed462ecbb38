// The mail to the people who can decide an approval.

import { moneyText } from '../../kernel/money/money-text.ts'
import type { Notice } from '../../kernel/notices/notice.ts'
import { type Approval, decidingRoles, isAboutPeople } from './approval.ts'

// Undefined for approvals about people: kernel/access mails the owners about those.
export function approvalNotice(approval: Approval, requester: string): Notice | undefined {
  const { id, operation, requesterPersonId } = approval
  if (isAboutPeople(operation)) return undefined
  return {
    kind: operation === 'settlement_account' ? 'bank_account' : 'approvals',
    fact: `approval.request/${id}`,
    subject: `Please decide: ${titleOf(approval)}`,
    lines: [
      `Asked for by ${requester}:`,
      '',
      ...detailsOf(approval).map((line) => `  ${line}`),
      '',
      ...(operation === 'settlement_account'
        ? ['Payouts go to the old account until a second person approves this.']
        : []),
      'Approve it, or reject it with a reason, within thirty days:',
    ],
    path: `/approvals/${id}`,
    roles: decidingRoles(operation),
    // All owners hear of another bank account, also the one in whose name it is requested.
    exceptPersonId: operation === 'settlement_account' ? null : requesterPersonId,
  }
}

function titleOf({ operation, request }: Approval): string {
  if (operation === 'settlement_account') {
    return request.removes
      ? 'removal of a bank account for payouts'
      : 'another bank account for payouts'
  }
  if (operation === 'threshold') return 'another approval threshold'
  return `${operation} of ${amountOf(request)}`
}

function detailsOf({ operation, request }: Approval): string[] {
  const { currency = null, bankCode, accountEnding, beneficiaryName, holderName } = request
  const account = `${beneficiaryName}, account ····${accountEnding}, bank ${bankCode}`
  if (operation === 'settlement_account' && request.removes) {
    const { beforeBeneficiaryName, beforeAccountEnding, beforeBankCode } = request
    return [
      `Remove ${beforeBeneficiaryName}, account ····${beforeAccountEnding}, bank ${beforeBankCode}`,
      `For ${currency ?? 'all currencies without their own account'}`,
    ]
  }
  if (operation === 'settlement_account') {
    return [
      account,
      ...(holderName ? [`The bank has the account under the name ${holderName}.`] : []),
      `For ${currency ?? 'all currencies without their own account'}`,
    ]
  }
  if (operation === 'threshold') {
    const { beforeMinor = null } = request
    const before = beforeMinor === null ? 'none' : amountOf({ currency, amountMinor: beforeMinor })
    return [`${request.operation}: ${amountOf(request)} instead of ${before}`]
  }
  const amount = `${operation === 'refund' ? 'Refund' : 'Payout'} of ${amountOf(request)}`
  return accountEnding ? [amount, `To ${account}`] : [amount]
}

function amountOf({ currency = null, amountMinor = null }: Approval['request']): string {
  if (currency === null || amountMinor === null) return 'no limit'
  return moneyText(BigInt(amountMinor), currency)
}
