// A card as payers recognise it: Visa •••• 4246.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  verve: 'Verve',
  american_express: 'American Express',
  amex: 'American Express',
  discover: 'Discover',
  maestro: 'Maestro',
}

type Known = { readonly cardBrand: string | null; readonly cardLast4: string | null }

export function cardName({ cardBrand, cardLast4 }: Known, { texts }: PayerLanguage): string {
  const name = brands[cardBrand ?? ''] ?? texts.methods.card
  return cardLast4 === null ? name : `${name} •••• ${cardLast4}`
}
