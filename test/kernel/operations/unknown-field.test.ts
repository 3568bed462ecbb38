import { expect, test } from 'vitest'
import { unknownField } from '../../../src/kernel/operations/unknown-field.ts'

const link = ['title', 'currency', 'amount', 'expiresAt', 'returnUrl', 'splitRecipientId']
const list = 'Accepted: title, currency, amount, expiresAt, returnUrl, splitRecipientId.'

test.each([
  ['expires_at', 'expiresAt'],
  ['EXPIRESAT', 'expiresAt'],
  ['return-url', 'returnUrl'],
  ['amuont', 'amount'],
  ['ammount', 'amount'],
  ['tilte', 'title'],
  ['curency', 'currency'],
  ['splitRecipient', 'splitRecipientId'],
])('%s is taken for %s', (written, meant) => {
  expect(unknownField(written, link)).toBe(`Unknown field. Did you mean ${meant}? ${list}`)
})

test.each(['colour', 'at', '', 'x'.repeat(5000), 'tags', '__proto__', 'mount_everest'])(
  '%s is taken for no other',
  (written) => {
    expect(unknownField(written, link)).toBe(`Unknown field. ${list}`)
  },
)

test('two names that are alike are told apart', () => {
  expect(unknownField('tax_codes_id', ['tax_code', 'tax_code_id'])).toContain('mean tax_code_id?')
})

test('where there is none, that is said', () => {
  expect(unknownField('amount', [])).toBe('Unknown field. No fields are accepted here.')
})
