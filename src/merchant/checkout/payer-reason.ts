// Why a payment did not go through, in our own words for the payer. What the provider says is
// written for developers; it stays in `failure_reason`, which the merchant sees.
import type { PayerTexts } from '../../payer-texts/english.ts'
import type { Payment } from '../payments/payment.ts'

type Reason = keyof PayerTexts['reasons']

const ownReasons: Readonly<Record<string, Reason>> = {
  abandoned: 'abandoned',
  'cancelled by the payer': 'cancelledByPayer',
  'the payment provider did not accept it': 'notAccepted',
  'paid in another currency': 'otherCurrency',
  'paid less than the amount': 'tooLittle',
}

const providerReasons: readonly (readonly [RegExp, Reason])[] = [
  [/insufficient|not enough/i, 'notEnoughMoney'],
  [/expired/i, 'cardExpired'],
  [/limit|exceed/i, 'aboveLimit'],
  [/\b(pin|otp|cvv|3ds|password)\b|authenticat/i, 'notConfirmedByBank'],
  [/timed? ?out|unavailable|no response/i, 'noAnswer'],
]

export function payerReason(
  { status, failureReason }: Payment,
  { reasons }: Pick<PayerTexts, 'reasons'>,
): string {
  if (status === 'cancelled') return reasons.cancelled
  const own = ownReasons[failureReason ?? '']
  if (own !== undefined) return reasons[own]
  const known = providerReasons.find(([pattern]) => pattern.test(failureReason ?? ''))
  return reasons[known?.[1] ?? 'declined']
}
