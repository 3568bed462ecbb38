// The mail about a payout to the bank that has ended. One to the wallet ends while its requester
// waits.

import { moneyText } from '../../kernel/money/money-text.ts'
import type { Notice } from '../../kernel/notices/notice.ts'
import type { Payout } from './payout.ts'

export function endedPayoutNotice(payout: Payout): Notice | undefined {
  const { id, status, destinationType, beneficiaryName, accountEnding } = payout
  if (destinationType !== 'provider_bank') return undefined
  const amount = moneyText(payout.amountMinor, payout.currency)
  const account = `${beneficiaryName}, account ····${accountEnding}`
  const isDone = status === 'completed'
  return {
    kind: 'transfers',
    fact: `payout.${status}/${id}`,
    subject: isDone ? `${amount} was paid out` : `The payout of ${amount} failed`,
    lines: isDone
      ? [`${amount} was paid out to ${account}.`]
      : [
          `The payout of ${amount} to ${account} failed:`,
          `${payout.failureReason ?? 'no reason is known'}.`,
          'No money moved; the amount is available again.',
        ],
    path: '/payouts',
  }
}
