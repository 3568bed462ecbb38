// Limits of the numbers on a line. Wide enough for any trade, and narrow enough that products stay
// within what the database can store.
import { Decimal, zeroDecimal } from '../../kernel/money/decimal.ts'

export const linesMax = 200

export const quantityMax = new Decimal(1_000_000_000n, 0)
export const quantityMin = new Decimal(-1_000_000_000n, 0)
export const quantityPlacesMax = 6

// With more decimals than the currency, for goods sold by the thousand.
export const unitPriceMax = new Decimal(1_000_000_000_000n, 0)
export const unitPriceMin = new Decimal(-1_000_000_000_000n, 0)
export const unitPricePlacesMax = 6

export const discountMin = zeroDecimal
export const discountMax = new Decimal(100n, 0)
export const discountPlacesMax = 6
