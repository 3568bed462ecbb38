import { expect, it } from 'vitest'
import { metadata } from '../../../src/merchant/checkout/offer-fields.ts'

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 'x']))

it.each([
  ['nothing', {}],
  ['twenty keys', keys(20)],
  ['long values in any script', { note: '🛒'.repeat(500), 'a.b-c_d': '' }],
])('metadata may have %s, and keeps it as it is', (_, value) => {
  expect(metadata.parse(value)).toEqual(value)
})

it.each([
  ['more than twenty keys', keys(21)],
  ['a value that is no text', { order: 17 }],
  ['a nested object', { order: { id: '1' } }],
  ['a long value', { note: 'x'.repeat(501) }],
  ['an empty key', { '': 'x' }],
  ['a key of 41 characters', { ['k'.repeat(41)]: 'x' }],
  ['a key that is no name', JSON.parse('{"__proto__":"x"}')],
  ['a control character', { note: 'a\0b' }],
  ['a list', ['x']],
  ['null', null],
])('metadata may not have %s', (_, value) => {
  expect(metadata.safeParse(value).success).toBe(false)
})
