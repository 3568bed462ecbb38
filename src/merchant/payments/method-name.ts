// How a payment was made, as payers recognise it: Visa •••• 4246, Bank transfer.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { PaymentDetail } from './payment.ts'

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  verve: 'Verve',
  american_express: 'American Express',
  amex: 'American Express',
  discover: 'Discover',
  maestro: 'Maestro',
}

type KnownCard = Pick<PaymentDetail, 'cardBrand' | 'cardLast4'>

export function cardName({ cardBrand, cardLast4 }: KnownCard, { texts }: PayerLanguage): string {
  const name = brands[cardBrand ?? ''] ?? texts.methods.card
  return cardLast4 === null ? name : `${name} •••• ${cardLast4}`
}

// Null until it has succeeded.
export function methodName(
  { method, ...card }: Pick<PaymentDetail, 'method' | 'cardBrand' | 'cardLast4'>,
  language: PayerLanguage,
): string | null {
  if (method === null) return null
  if (method === 'card') return cardName(card, language)
  const known: Readonly<Record<string, string>> = language.texts.methods
  return known[method] ?? method
}
