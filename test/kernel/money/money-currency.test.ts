import { describe, expect, test } from 'vitest'
import { currencyCodes, findCurrency, isCurrency } from '../../../src/kernel/money/currency.ts'

describe('the currency table', () => {
  test.each([
    ['USD', 2],
    ['EUR', 2],
    ['NGN', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['XOF', 0],
    ['UGX', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['TND', 3],
    ['HUF', 2],
    ['IDR', 2],
    ['MGA', 2],
    ['CLF', 4],
    ['UYW', 4],
    ['XCG', 2],
    ['ZWG', 2],
  ])('gives %s the %i decimals of ISO 4217', (code, decimals) => {
    expect(findCurrency(code)).toEqual({ code, decimals })
  })

  test.each(['XAU', 'XAG', 'XXX', 'XTS', 'XDR', 'XUA', 'XBA', 'USN', 'CHE', 'COU', 'UYI'])(
    '%s is not money',
    (code) => {
      expect(isCurrency(code)).toBe(false)
    },
  )

  test.each(['usd', 'Usd', 'US', 'USDX', '', ' USD', 'BGN', 'HRK', 'constructor', '__proto__'])(
    'does not know %j',
    (code) => {
      expect(findCurrency(code)).toBeUndefined()
      expect(isCurrency(code)).toBe(false)
    },
  )

  test('has every code once, in upper case', () => {
    expect(new Set(currencyCodes).size).toBe(currencyCodes.length)
    expect(currencyCodes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
    expect(currencyCodes).toHaveLength(157)
  })
})
