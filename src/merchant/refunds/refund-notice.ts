// The mail about a refund that failed, at once or after the provider had accepted it.

import { moneyText } from '../../kernel/money/money-text.ts'
import type { Notice } from '../../kernel/notices/notice.ts'
import type { Refund } from './refund.ts'

export function failedRefundNotice(refund: Refund): Notice {
  const { id, status, paymentId, failureReason } = refund
  const amount = moneyText(refund.amountMinor, refund.currency)
  return {
    kind: 'failures',
    fact: `refund.${status}/${id}`,
    subject: `A refund of ${amount} failed`,
    lines: [
      `A refund of ${amount} failed: ${failureReason ?? 'no reason is known'}.`,
      'The payer did not get the money. See the payment and decide what to do:',
    ],
    path: `/payments/${paymentId}`,
  }
}
