import { describe, expect, it } from 'vitest'
import { intervalText, payerInput, planInput } from '../../../src/merchant/subscriptions/plan.ts'

const gold = {
  name: 'Gold',
  currency: 'NGN',
  amountMinor: 150_050n,
  intervalUnit: 'month',
  intervalCount: 1,
  timeZone: 'Africa/Lagos',
} as const

const isTaken = (change: object) => planInput.safeParse({ ...gold, ...change }).success

describe('a plan', () => {
  const taken = [
    {},
    { name: 'x'.repeat(140) },
    { amountMinor: 1n },
    { amountMinor: 10_000_000_000n },
    { intervalCount: 366 },
    { intervalUnit: 'day' },
    { timeZone: 'UTC' },
  ]
  it.each(taken)('can be %o', (change) => {
    expect(isTaken(change)).toBe(true)
  })

  const refused = [
    { name: '' },
    { name: 'x'.repeat(141) },
    { name: 'two\nlines' },
    { currency: 'XYZ' },
    { amountMinor: 0n },
    { amountMinor: -1n },
    { amountMinor: 10_000_000_001n },
    { amountMinor: undefined },
    { intervalCount: 0 },
    { intervalCount: 367 },
    { intervalCount: 1.5 },
    { intervalCount: Number.NaN },
    { intervalUnit: 'fortnight' },
    { timeZone: 'Africa/Nowhere' },
    { trialDays: 7 },
  ]
  it.each(refused)('cannot be %o', (change) => {
    expect(isTaken(change)).toBe(false)
  })

  it('tells how often it is charged', () => {
    const plan = { ...gold, id: 'an id', createdAt: new Date(0) }
    expect(intervalText(plan)).toBe('every month')
    expect(intervalText({ ...plan, intervalUnit: 'week', intervalCount: 2 })).toBe('every 2 weeks')
  })
})

describe('a payer', () => {
  it.each([
    [true, { email: 'payer@example.com', name: null }],
    [true, { email: 'payer@example.com', name: 'Ada Example' }],
    [false, { email: 'nobody', name: null }],
    [false, { email: 'payer@example.com', name: '' }],
    [false, { email: 'payer@example.com', name: 'x'.repeat(201) }],
  ])('is taken: %s, when it is %j', (expected, payer) => {
    expect(payerInput.safeParse(payer).success).toBe(expected)
  })
})
