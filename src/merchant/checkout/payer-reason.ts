// Why a payment did not go through, in our own words for the payer. What the provider says is
// written for developers; it stays in `failure_reason`, which the merchant sees.
import type { Payment } from '../payments/payment.ts'

const ownReasons: Readonly<Record<string, string>> = {
  abandoned: 'The time to pay ran out.',
  'cancelled by the payer': 'You cancelled the payment.',
  'the payment provider did not accept it': 'The payment provider did not accept it.',
  'paid in another currency': 'It was paid in another currency.',
  'paid less than the amount': 'It was less than the amount due.',
}

const providerReasons: readonly (readonly [RegExp, string])[] = [
  [/insufficient|not enough/i, 'There was not enough money in your account.'],
  [/expired/i, 'Your card has expired.'],
  [/limit|exceed/i, 'The amount is above the limit of your card or account.'],
  [/\b(pin|otp|cvv|3ds|password)\b|authenticat/i, 'Your bank could not confirm that it was you.'],
  [/timed? ?out|unavailable|no response/i, 'Your bank did not answer in time.'],
]

export function payerReason({ status, failureReason }: Payment): string {
  if (status === 'cancelled') return 'The payment was cancelled.'
  const own = ownReasons[failureReason ?? '']
  if (own !== undefined) return own
  const known = providerReasons.find(([pattern]) => pattern.test(failureReason ?? ''))
  return known?.[1] ?? 'Your bank declined the payment.'
}
