import { Decimal, divideRounded, subtract } from '../../kernel/money/decimal.ts'

const hundred = new Decimal(100n, 0)
// As many decimals as the provider is known to accept.
const splitPlaces = 6

// Ours is the recipient's share in per cent; the provider's is the platform's share as a fraction.
// It applies only to charges without an explicit split; ours always have one.
export function platformShare(recipientPercent: Decimal): Decimal {
  return divideRounded(subtract(hundred, recipientPercent), hundred, splitPlaces)
}
