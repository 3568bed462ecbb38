// The mails about a dispute: that there is one, with the time to answer, and how it ended.
import { moneyText } from '../../kernel/money/money-text.ts'
import type { Notice } from '../../kernel/notices/notice.ts'
import type { Payment } from '../payments/payment.ts'
import type { Chargeback } from './chargeback.ts'

export function openedNotice(
  { id, amountMinor, currency, dueAt }: Chargeback,
  { payerEmail }: Pick<Payment, 'payerEmail'>,
): Notice {
  const amount = moneyText(amountMinor, currency)
  return {
    kind: 'disputes',
    fact: `dispute.open/${id}`,
    subject: `A payer disputes ${amount}`,
    lines: [
      `${payerEmail} disputes a payment, and the provider took ${amount} until it is decided.`,
      dueAt
        ? `Answer at your payment provider until ${dueAt.toISOString().slice(0, 16)} UTC.`
        : 'Answer at your payment provider soon.',
      'Without an answer the money is lost. See what to do:',
    ],
    path: `/disputes/${id}`,
  }
}

export function decidedNotice(
  { id, amountMinor, currency }: Chargeback,
  status: Chargeback['status'],
): Notice {
  const amount = moneyText(amountMinor, currency)
  const isWon = status === 'won'
  return {
    kind: 'disputes',
    fact: `dispute.${status}/${id}`,
    subject: isWon ? `Dispute won: ${amount}` : `Dispute lost: ${amount}`,
    lines: [
      isWon
        ? `The bank decided for you: ${amount} came back to your balance.`
        : `The bank decided for the payer: the provider keeps the ${amount} that it took.`,
      'See the dispute:',
    ],
    path: `/disputes/${id}`,
  }
}
