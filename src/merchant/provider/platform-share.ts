import { Decimal, divideRounded, subtract } from '../../kernel/money/decimal.ts'

const hundred = new Decimal(100n, 0)
// As many decimals as the provider is known to take.
const splitPlaces = 6

// Ours is what the recipient gets, in per cent; theirs is what the platform keeps, as a fraction.
// It is only what holds for charges that say nothing; ours always say the exact amount.
export function platformShare(recipientPercent: Decimal): Decimal {
  return divideRounded(subtract(hundred, recipientPercent), hundred, splitPlaces)
}
