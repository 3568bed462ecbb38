import { describe, expect, it } from 'vitest'
import { createPlan } from '../../../src/merchant/subscriptions/create-plan.ts'
import { createSubscription } from '../../../src/merchant/subscriptions/create-subscription.ts'
import { intervalText } from '../../../src/merchant/subscriptions/plan.ts'

const gold = {
  name: 'Gold',
  currency: 'NGN',
  amountMinor: 150_050n,
  intervalUnit: 'month',
  intervalCount: 1,
  timeZone: 'Africa/Lagos',
} as const

const isTaken = (change: object) => createPlan.input.safeParse({ ...gold, ...change }).success

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
    [true, { payerEmail: 'payer@example.com', payerName: null }],
    [true, { payerEmail: 'payer@example.com', payerName: 'Ada Example' }],
    [false, { payerEmail: 'no-one', payerName: null }],
    [false, { payerEmail: 'payer@example.com', payerName: '' }],
    [false, { payerEmail: 'payer@example.com', payerName: 'x'.repeat(201) }],
  ])('is taken: %s, when it is %j', (expected, payer) => {
    const planId = '01890000-0000-7000-8000-000000000000'
    expect(createSubscription.input.safeParse({ planId, ...payer }).success).toBe(expected)
  })
})
