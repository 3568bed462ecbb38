import { expect, it } from 'vitest'
import { formatPrice } from '../../../src/web/components/money.tsx'

it.each([
  ['52000', 'NGN', '52,000.00'],
  ['0.0125', 'NGN', '0.0125'],
  ['1500', 'JPY', '1,500'],
])('the price %s in %s is written %s', (price, currency, text) => {
  expect(formatPrice(price, currency)).toBe(text)
})
