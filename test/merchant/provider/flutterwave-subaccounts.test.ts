// Sub-accounts and their settlements, with the simulator; and the provider's inverted definition of
// shares.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Decimal,
  digitsAt,
  divideRounded,
  multiply,
  toText,
} from '../../../src/kernel/money/decimal.ts'
import { platformShare } from '../../../src/merchant/provider/platform-share.ts'
import type { SubaccountInstruction } from '../../../src/merchant/provider/provider.ts'
import { computeShares, readSplit } from '../../../src/simulator/charges/split.ts'
import { feePlaces } from '../../../src/simulator/world.ts'
import { useProvider } from '../../simulator/provider.ts'
import { instruction, pay, shopAt, successOf } from './adapter.ts'

const provider = useProvider()

let count = 0
function wanted(change: Partial<SubaccountInstruction> = {}): SubaccountInstruction {
  count += 1
  return {
    reference: `recipient-${count}`,
    bankCode: '044',
    accountNumber: String(690_000_020 + count).padStart(10, '0'),
    name: 'Market stall',
    mobile: '+2348000000000',
    country: 'NG',
    recipientPercent: new Decimal(30n, 0),
    ...change,
  }
}

describe('a sub-account', () => {
  // covers: Creating a recipient registers a sub-account with the payment provider
  test('is made with what the platform keeps, and found by its bank account', async () => {
    const { shop, adapter } = await shopAt(provider())
    const order = wanted()
    const made = successOf(await adapter.createSubaccount(order))
    expect(made.subaccountId).toMatch(/^RS_/)
    expect(made.accountName).toBe(`SIMULATED HOLDER ${order.accountNumber.slice(-4)}`)
    expect(successOf(await adapter.findSubaccount(order))?.subaccountId).toBe(made.subaccountId)
    const { body } = await shop.call('GET', '/subaccounts')
    expect(body.data).toMatchObject([{ split_type: 'percentage', split_value: 0.7, country: 'NG' }])
    expect((await shop.effects(order.reference)).subaccount).toBe(1)
  })

  test('that there is not is an answer, also among many others', async () => {
    const { adapter } = await shopAt(provider())
    for (let made = 0; made < 3; made += 1) successOf(await adapter.createSubaccount(wanted()))
    expect(successOf(await adapter.findSubaccount(wanted()))).toBeNull()
    const other = { ...wanted(), bankCode: '058' }
    expect(successOf(await adapter.findSubaccount(other))).toBeNull()
  })

  test('of a bank account that has one is refused', async () => {
    const { adapter } = await shopAt(provider())
    const order = wanted()
    successOf(await adapter.createSubaccount(order))
    expect((await adapter.createSubaccount(order)).kind).toBe('refused')
  })

  test('has at most the hundred characters of a name that the provider takes', async () => {
    const { shop, adapter } = await shopAt(provider())
    successOf(await adapter.createSubaccount(wanted({ name: `${'ž'.repeat(99)}店店` })))
    // An emoji counts as two there, and is not cut in half.
    successOf(await adapter.createSubaccount(wanted({ name: `a${'🐱'.repeat(199)}` })))
    const { body } = await shop.call('GET', '/subaccounts')
    expect(body.data.map((one: { business_name: string }) => one.business_name)).toEqual([
      `a${'🐱'.repeat(49)}`,
      `${'ž'.repeat(99)}店`,
    ])
  })

  test.each([
    ['drop', {}],
    ['drop_after', {}],
    ['unreadable', {}],
    ['refuse', { status: 500 }],
    ['refuse', { status: 409 }],
  ])('is unknown after %s %o', async (effect, more) => {
    const { shop, adapter } = await shopAt(provider(), 1_000)
    for (const operation of ['POST /subaccounts', 'GET /subaccounts']) {
      await shop.control('POST', '/rules', { operation, effect, ...more })
    }
    expect((await adapter.createSubaccount(wanted())).kind).toBe('unknown')
    expect((await adapter.findSubaccount(wanted())).kind).toBe('unknown')
  })

  test('is unknown when a look-up is refused: that says nothing about what there is', async () => {
    const { shop, adapter } = await shopAt(provider())
    const operation = 'GET /subaccounts'
    await shop.control('POST', '/rules', { operation, effect: 'refuse', status: 400 })
    expect((await adapter.findSubaccount(wanted())).kind).toBe('unknown')
  })
})

describe('settled splits', () => {
  test('tell what the sub-account got of each charge', async () => {
    const at = await shopAt(provider())
    const { subaccountId } = successOf(await at.adapter.createSubaccount(wanted()))
    const split = { subaccountId, amountMinor: 12_345n }
    const shared = await pay(at, instruction({ split }))
    const whole = await pay(at)
    const now = provider().clock.now()
    const settled = successOf(await at.adapter.listSettledSplits({ from: now, to: now }))
    const amounts = settled.map(({ reference, amount }) => [reference, toText(amount)])
    expect(new Map(amounts as [string, string][])).toEqual(
      new Map([
        [shared.reference, '123.45'],
        [whole.reference, '0'],
      ]),
    )
  })

  test('are unknown when a settlement cannot be read: half a list would hide the other half', async () => {
    const at = await shopAt(provider())
    await pay(at)
    const operation = 'GET /settlements/:id'
    await at.shop.control('POST', '/rules', { operation, effect: 'refuse', status: 404 })
    const now = provider().clock.now()
    expect((await at.adapter.listSettledSplits({ from: now, to: now })).kind).toBe('unknown')
  })
})

describe('the inversion', () => {
  const percents = fc
    .integer({ min: 10_000, max: 1_000_000 })
    .map((digits) => new Decimal(BigInt(digits), 4))

  // covers: A charge that names the recipient settles
  test('leaves the recipient their per cent of what is shared, by the provider’s own arithmetic', () => {
    fc.assert(
      fc.property(percents, fc.bigInt(1n, 10n ** 12n), (percent, netMinor) => {
        const net = new Decimal(netMinor, 2)
        const terms = {
          subaccountId: 'RS_1',
          splitType: 'percentage',
          splitValue: platformShare(percent),
        } as const
        const [share] = computeShares(net, [readSplit({}, terms)])
        const expected = divideRounded(multiply(net, percent), new Decimal(100n, 0), feePlaces)
        expect(toText(share?.amount ?? new Decimal(0n, 0))).toBe(toText(expected))
      }),
    )
  })

  test.each([
    ['1', '0.99'],
    ['100', '0'],
    ['50', '0.5'],
    ['33.3333', '0.666667'],
  ])('of %s per cent is %s', (percent, kept) => {
    const [whole = '', fraction = ''] = percent.split('.')
    const value = new Decimal(BigInt(whole + fraction), fraction.length)
    expect(toText(platformShare(value))).toBe(kept)
    expect(digitsAt(platformShare(value), 6)).toBeGreaterThanOrEqual(0n)
  })
})
