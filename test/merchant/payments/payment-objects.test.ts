import { describe, expect, it } from 'vitest'
import { linkState } from '../../../src/merchant/payment-links/payment-link.ts'
import { isPayable } from '../../../src/merchant/qr-codes/qr-code.ts'

describe('a payment link', () => {
  const expiresAt = new Date('2026-03-01T12:00:00.000Z')
  const before = new Date('2026-03-01T11:59:59.999Z')
  const states = [
    ['active', { state: 'active', expiresAt: null }, expiresAt],
    ['active', { state: 'active', expiresAt }, before],
    ['expired', { state: 'active', expiresAt }, expiresAt],
    ['disabled', { state: 'disabled', expiresAt: null }, before],
    ['disabled', { state: 'disabled', expiresAt }, expiresAt],
  ] as const
  it.each(states)('is %s when it is %j at %s', (state, link, now) => {
    expect(linkState(link, now)).toBe(state)
  })
})

describe('a QR code', () => {
  const codes = [
    [true, { state: 'active', reservedBy: null }],
    [false, { state: 'active', reservedBy: 'a payment' }],
    [false, { state: 'used', reservedBy: 'a payment' }],
    [false, { state: 'disabled', reservedBy: null }],
  ] as const
  it.each(codes)('can be paid: %s, when it is %j', (payable, code) => {
    expect(isPayable(code)).toBe(payable)
  })
})
