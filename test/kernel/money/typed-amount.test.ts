import { expect, it } from 'vitest'
import { toText } from '../../../src/kernel/money/decimal.ts'
import { parseTypedAmount } from '../../../src/kernel/money/typed-amount.ts'

const ngn = { code: 'NGN', decimals: 2 }
const read = (text: string, currency = ngn) => {
  const amount = parseTypedAmount(text, currency)
  return amount && toText(amount)
}

it.each([
  ['1234.5', '1234.5'],
  ['1,234.50', '1234.5'],
  ['1.234,50', '1234.5'],
  ['1 234,50', '1234.5'],
  ['1\u00a0234\u202f567,5', '1234567.5'],
  ["1'234.50", '1234.5'],
  ['1.234.567', '1234567'],
  ['1,234,567', '1234567'],
  ['1,234', '1234'],
  ['12,5', '12.5'],
  ['1,00', '1'],
  ['₦1,234', '1234'],
  ['NGN 85,000.50', '85000.5'],
  ['85000 ngn', '85000'],
  ['€ 10', '10'],
  ['007', '7'],
  ['1.005', '1.005'],
])('reads %j as %s', (text, amount) => {
  expect(read(text)).toBe(amount)
})

it.each([
  '',
  ' ',
  'ten',
  '-5',
  '1e3',
  '1,2,3',
  '1.2.3',
  '12,34,567',
  '1,23.45',
  '1.234.56',
  '1 2',
  'USD 5',
  '٢٥',
])('does not read %j', (text) => {
  expect(read(text)).toBeUndefined()
})

it('does not guess what a comma means where a currency has three decimals', () => {
  const kwd = { code: 'KWD', decimals: 3 }
  expect(read('1,234', kwd)).toBeUndefined()
  expect(read('1.234', kwd)).toBe('1.234')
  expect(read('1.234,500', kwd)).toBe('1234.5')
})

it.each([
  ['1,234', '1.234'],
  ['1.234', '1234'],
  ['1.234,50', '1234.5'],
  ['12.5', '12.5'],
  ['1 234,5', '1234.5'],
])('where a comma divides decimals, reads %j as %s', (text, amount) => {
  const read = parseTypedAmount(text, ngn, ',')
  expect(read && toText(read)).toBe(amount)
})

it('where a comma divides decimals, a point before three decimals is not guessed', () => {
  const kwd = { code: 'KWD', decimals: 3 }
  expect(parseTypedAmount('1.234', kwd, ',')).toBeUndefined()
  expect(parseTypedAmount('1,234', kwd, ',')).toEqual(parseTypedAmount('1.234', kwd))
})
