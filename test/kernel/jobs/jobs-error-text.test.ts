import { expect, it } from 'vitest'
import { errorFields, errorText } from '../../../src/kernel/jobs/error-text.ts'

it.each([
  ['GET postgres://me:hunter2@db/x failed', 'Error: GET postgres://[redacted]@db/x failed'],
  [
    'GET https://x.example/a?sig=abc&b=c#d',
    'Error: GET https://x.example/a?sig=[redacted]&b=[redacted]#d',
  ],
  ['sent Authorization: Bearer abc.def', 'Error: sent Authorization: Bearer [redacted]'],
  ['key sk_live_4eC39HqLyjWDarjtT1zdp7dcAAAA12 refused', 'Error: key [redacted] refused'],
  ['no account 0123456789', 'Error: no account [redacted]'],
])('cuts out what opens a door: %s', (message, kept) => {
  expect(errorText(new Error(message))).toBe(kept)
})

it('keeps ids, small numbers and names, which are what an operator needs', () => {
  const message = 'payout 019cf1a4-7d10-7c22-8f3e-0123456789ab: status 502 after 12000 ms'
  expect(errorText(new TypeError(message))).toBe(`TypeError: ${message}`)
})

it('bounds what is kept, and does not print what is not an error', () => {
  expect(errorText(new Error('very long. '.repeat(1000)))).toHaveLength(500)
  expect(errorText({ password: 'hunter2' })).toBe('a non-error was thrown')
})

it('gives the log where it happened, without the message', () => {
  const { at } = errorFields(new Error('https://me:hunter2@db'))
  expect(at[0]).toContain('jobs-error-text.test.ts')
  expect(at.join()).not.toContain('hunter2')
})
