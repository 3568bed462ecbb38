import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LedgerLine, posting } from '../../../src/kernel/ledger/posting.ts'
import { amountMinorMax } from '../../../src/kernel/money/minor-units.ts'

const line = (account: string, amountMinor: bigint, currency = 'USD'): LedgerLine => ({
  account,
  currency,
  amountMinor,
})
const balanced = [line('provider:clearing', 100n), line('owner:available', -100n)]
const kind = 'sale.settled'

describe('a posting', () => {
  test('has its lines in the order in which accounts are locked', () => {
    const lines = [
      line('b', 2n),
      line('a:x', -2n, 'USD'),
      line('a', 5n, 'EUR'),
      line('a', -5n, 'EUR'),
      line('a_b', 1n, 'USD'),
      line('a-b', -1n, 'USD'),
    ]
    expect(posting({ kind, lines }).lines.map((each) => each.account)).toEqual([
      'a',
      'a',
      'a-b',
      'a:x',
      'a_b',
      'b',
    ])
  })

  test('carries its source and description, or null', () => {
    expect(posting({ kind, lines: balanced })).toMatchObject({ sourceId: null, description: null })
    const sourceId = '0190a5c0-0000-7000-8000-000000000000'
    expect(posting({ kind, sourceId, description: 'x', lines: balanced })).toMatchObject({
      sourceId,
      description: 'x',
    })
  })

  test('must balance in each currency, not only over all of them', () => {
    expect(() => posting({ kind, lines: [line('a', 100n), line('b', -99n)] })).toThrow(
      'off by 1 USD',
    )
    const mixed = [line('a', 100n, 'USD'), line('b', -100n, 'EUR')]
    expect(() => posting({ kind, lines: mixed })).toThrow('off by 100 USD')
  })

  test('needs two lines, and none of them zero', () => {
    expect(() => posting({ kind, lines: [] })).toThrow('0 lines')
    expect(() => posting({ kind, lines: [line('a', 1n)] })).toThrow('1 lines')
    expect(() => posting({ kind, lines: [...balanced, line('a', 0n)] })).toThrow('zero')
  })

  test.each(['', 'A', 'owner:', ':owner', 'owner::x', 'owner available', '1a', 'é', 'a\n'])(
    'refuses the account name %j',
    (account) => {
      expect(() => posting({ kind, lines: [line(account, 1n), line('b', -1n)] })).toThrow(
        'ledger account',
      )
    },
  )

  test('accepts an id as part of an account name', () => {
    const account = 'recipient:0190a5c0-0000-7000-8000-000000000000:available'
    expect(posting({ kind, lines: [line(account, 1n), line('b', -1n)] }).lines).toHaveLength(2)
  })

  test('refuses what is no currency, no kind, and what is out of range', () => {
    const inGold = [line('a', 1n, 'XAU'), line('b', -1n, 'XAU')]
    expect(() => posting({ kind, lines: inGold })).toThrow('XAU')
    expect(() => posting({ kind: 'Sale', lines: balanced })).toThrow('kind')
    const tooMuch = amountMinorMax + 1n
    expect(() => posting({ kind, lines: [line('a', tooMuch), line('b', -tooMuch)] })).toThrow(
      `${tooMuch}`,
    )
    expect(() => posting({ kind, description: '', lines: balanced })).toThrow('description')
  })

  test('is accepted exactly when every currency sums to zero', () => {
    const anyLine = fc.record({
      account: fc.constantFrom('a', 'b:c', 'd'),
      currency: fc.constantFrom('USD', 'EUR'),
      amountMinor: fc.bigInt({ min: -3n, max: 3n }).filter((amount) => amount !== 0n),
    })
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 2, maxLength: 5 }), (lines) => {
        const sumIn = (currency: string) =>
          lines
            .filter((each) => each.currency === currency)
            .reduce((sum, each) => sum + each.amountMinor, 0n)
        if (sumIn('USD') === 0n && sumIn('EUR') === 0n) {
          expect(posting({ kind, lines }).lines).toHaveLength(lines.length)
        } else {
          expect(() => posting({ kind, lines })).toThrow('off by')
        }
      }),
      { numRuns: 500 },
    )
  })
})
