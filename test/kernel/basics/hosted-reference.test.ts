import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hostedReference,
  parseHostedReference,
} from '../../../src/kernel/basics/hosted-reference.ts'
import { linkUrl, qrCodeUrl } from '../../../src/merchant/checkout/page-addresses.ts'

const tenants = fc.record({
  businessId: fc.uuid(),
  environment: fc.constantFrom('live' as const, 'test' as const),
})
const zero = '00000000-0000-0000-0000-000000000000'
const largest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

describe('a hosted reference', () => {
  it('says business, environment and object, and nothing is lost', () => {
    fc.assert(
      fc.property(tenants, fc.uuid(), (tenant, id) => {
        const reference = hostedReference(tenant, id)
        expect(reference).toMatch(/^[0-9A-Za-z]{45}$/)
        expect(parseHostedReference(reference)).toEqual({ tenant, id })
      }),
    )
  })

  it('holds the smallest and the largest ids', () => {
    for (const businessId of [zero, largest]) {
      for (const id of [zero, largest]) {
        const tenant = { businessId, environment: 'test' } as const
        expect(parseHostedReference(hostedReference(tenant, id))).toEqual({ tenant, id })
      }
    }
  })

  it('has one spelling: whatever is read is written the same again', () => {
    const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
    const texts = fc
      .array(fc.constantFrom(...letters), { minLength: 45, maxLength: 45 })
      .map((digits) => digits.with(0, '1').with(22, 'l').with(23, '1').join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const hosted = parseHostedReference(text)
        expect(hosted && hostedReference(hosted.tenant, hosted.id)).toBe(text)
      }),
    )
  })

  const good = hostedReference({ businessId: zero, environment: 'live' }, largest)
  it.each([
    ['nothing', ''],
    ['one that is cut short', good.slice(0, -1)],
    ['one that is too long', `${good}0`],
    ['one of another environment letter', `${good.slice(0, 22)}x${good.slice(23)}`],
    ['one with a sign in it', `${good.slice(0, 44)}-`],
    ['one with a line break behind it', `${good}\n`],
    ['a number beyond 128 bits', `${'z'.repeat(22)}l${'0'.repeat(22)}`],
    ['an object beyond 128 bits', `${'0'.repeat(22)}l${'z'.repeat(22)}`],
    ['a UUID', zero],
  ])('is not %s', (_, text) => {
    expect(parseHostedReference(text)).toBeUndefined()
  })

  it('stands in the addresses of links and of codes', () => {
    const tenant = { businessId: zero, environment: 'live' } as const
    expect(linkUrl('https://pay.example', tenant, largest)).toBe(
      `https://pay.example/pay/l/${good}`,
    )
    expect(qrCodeUrl('https://pay.example', tenant, zero)).toBe(
      `https://pay.example/pay/q/${'0'.repeat(22)}l${'0'.repeat(22)}`,
    )
  })

  // Printed on paper: what was encoded once must be readable for ever.
  it('is what it was in the first version', () => {
    const tenant = {
      businessId: '01a1dd1f-3c99-70ec-8613-030a6a052326',
      environment: 'live',
    } as const
    const text = '034xmenZqFhtpouRTiCgjOl034xmenZqFhtpouRTiCgjO'
    expect(hostedReference(tenant, tenant.businessId)).toBe(text)
  })
})
