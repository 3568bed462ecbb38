// The adapter's requests and how it reads answers, with the simulator over HTTP.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toText } from '../../../src/kernel/money/decimal.ts'
import { useProvider } from '../../simulator/provider.ts'
import { instruction, pay, type Shop, shopAt, successOf } from './adapter.ts'

const provider = useProvider()

describe('a checkout', () => {
  test('is a page on which the payer can pay exactly the requested amount', async () => {
    const at = await shopAt(provider())
    const wanted = instruction({ amountMinor: 123_457n, currency: 'GHS' })
    const { url } = successOf(await at.adapter.createCheckout(wanted))
    expect(new URL(url).pathname).toMatch(/^\/simulator\/pay\//)
    const { body } = await at.shop.control('POST', '/pay', { tx_ref: wanted.reference })
    expect(body.transaction).toMatchObject({ amount: 1234.57, currency: 'GHS' })
    expect(body.transaction.customer).toMatchObject({
      email: 'payer@example.com',
      name: 'Test Payer',
    })
    expect(body.redirect_url).toMatch(/^https:\/\/tillbook\.example\/pay\/back\?status=successful/)
  })

  test('takes no second try after a decline', async () => {
    const at = await shopAt(provider())
    const wanted = instruction()
    const declined = await pay(at, wanted, 'insufficient_funds')
    await at.shop.control('POST', '/pay', { tx_ref: wanted.reference })
    expect(await at.adapter.findCharge(wanted.reference)).toEqual({
      kind: 'success',
      value: declined,
    })
    expect((await at.shop.effects(wanted.reference)).charge).toBe(0)
  })

  test('closes when its minutes are over', async () => {
    const at = await shopAt(provider())
    const wanted = instruction({ sessionMinutes: 5 })
    successOf(await at.adapter.createCheckout(wanted))
    provider().clock.advance(5 * 60_000)
    const late = await at.shop.control('POST', '/pay', { tx_ref: wanted.reference })
    expect(late.status).toBe(400)
  })

  test('gives the recipient exactly the amount that we computed', async () => {
    const at = await shopAt(provider())
    const created = await at.shop.call('POST', '/subaccounts', {
      account_bank: '044',
      account_number: '0690000031',
      business_name: 'Baker',
      business_mobile: '0800',
      // Its own terms would give it nearly nothing.
      split_type: 'percentage',
      split_value: 0.99,
    })
    const subaccountId = created.body.data.subaccount_id
    await pay(at, instruction({ split: { subaccountId, amountMinor: 33_333n } }))
    const [settlement] = (await at.shop.call('GET', '/settlements')).body.data
    const { body } = await at.shop.call('GET', `/settlements/${settlement.id}`)
    expect(body.data.transactions[0].subaccount_settlement).toBe(333.33)
  })

  test('that names an unknown recipient is refused, with the reason', async () => {
    const { adapter } = await shopAt(provider())
    const split = { subaccountId: 'RS_NONE', amountMinor: 100n }
    const outcome = await adapter.createCheckout(instruction({ split }))
    expect(outcome).toEqual({ kind: 'refused', reason: 'Invalid subaccount id' })
  })
})

describe('a charge', () => {
  test('that succeeded is found with its fee, what was settled and the token', async () => {
    const at = await shopAt(provider())
    const wanted = instruction({ amountMinor: 191_965n })
    const charge = await pay(at, wanted)
    expect(charge).toMatchObject({
      reference: wanted.reference,
      status: 'successful',
      currency: 'NGN',
      failureReason: null,
    })
    expect(charge.transactionId).toMatch(/^\d+$/)
    expect(toText(charge.amount)).toBe('1919.65')
    // 1.4 per cent, with one place more than the naira has.
    expect(toText(charge.providerFee)).toBe('26.875')
    expect(charge.amountSettled && toText(charge.amountSettled)).toBe('1892.775')
    expect(charge.token).toMatch(/\S/)
  })

  test('that was declined says why', async () => {
    const charge = await pay(await shopAt(provider()), instruction(), 'insufficient_funds')
    expect(charge.status).toBe('failed')
    expect(charge.failureReason).toMatch(/insufficient funds/i)
  })

  test('that waits for a bank is pending', async () => {
    const at = await shopAt(provider())
    await at.shop.rule({ operation: 'charge', effect: 'stay_pending' })
    expect((await pay(at)).status).toBe('pending')
  })

  test('that the provider does not know is an answer: none', async () => {
    const { adapter } = await shopAt(provider())
    expect(await adapter.findCharge('never-sent')).toEqual({ kind: 'success', value: null })
  })

  test('is found in the list when asking for it alone is refused', async () => {
    const at = await shopAt(provider())
    const wanted = instruction()
    const charge = await pay(at, wanted)
    const operation = 'GET /transactions/verify_by_reference'
    await at.shop.rule({ operation, effect: 'refuse', status: 400 })
    expect(await at.adapter.findCharge(wanted.reference)).toEqual({
      kind: 'success',
      value: charge,
    })
  })

  test('is listed page by page, each once, with the same id as when it is found', async () => {
    const at = await shopAt(provider())
    const references = []
    for (let count = 0; count < 11; count += 1) {
      references.push((await pay(at)).reference)
    }
    const now = provider().clock.now()
    const first = successOf(await at.adapter.listCharges({ from: now, to: now, page: 1 }))
    const second = successOf(await at.adapter.listCharges({ from: now, to: now, page: 2 }))
    expect([first.hasMore, second.hasMore]).toEqual([true, false])
    const charges = [...first.charges, ...second.charges]
    expect(charges.map((charge) => charge.reference).toSorted()).toEqual(references.toSorted())
    for (const charge of charges) {
      expect(await at.adapter.findCharge(charge.reference)).toEqual({
        kind: 'success',
        value: charge,
      })
    }
  })

  test('of another day is not listed', async () => {
    const at = await shopAt(provider())
    await pay(at)
    const day = new Date(provider().clock.now().getTime() - 24 * 3_600_000)
    const listed = await at.adapter.listCharges({ from: day, to: day, page: 1 })
    expect(successOf(listed)).toEqual({ charges: [], hasMore: false })
  })
})

describe('a refund', () => {
  test('is accepted first and settled when the money has arrived', async () => {
    const at = await shopAt(provider())
    const { transactionId } = await pay(at)
    const made = successOf(await refund(at, transactionId, 20_050n))
    expect(made).toMatchObject({ transactionId, status: 'accepted' })
    expect(toText(made.amount)).toBe('200.5')
    await at.shop.drain()
    const listed = successOf(await at.adapter.listRefunds(transactionId))
    expect(listed).toEqual([{ ...made, status: 'settled' }])
  })

  test.each([
    ['processing', 'accepted'],
    ['pending-momo', 'accepted'],
    ['completed', 'accepted'],
    ['completed-momo', 'settled'],
    ['completed-mpgs', 'settled'],
    ['completed-offline', 'settled'],
    ['completed-preauth', 'settled'],
    ['failed', 'failed'],
  ])('that the provider calls %s is %s', async (word, status) => {
    const at = await shopAt(provider())
    const { transactionId } = await pay(at)
    await at.shop.rule({ operation: 'refund', effect: 'pass_through', states: [word], after_ms: 0 })
    successOf(await refund(at, transactionId, 20_000n))
    await at.shop.drain()
    expect(successOf(await at.adapter.listRefunds(transactionId))).toMatchObject([{ status }])
  })

  test('below the provider’s minimum is refused, with the reason', async () => {
    const at = await shopAt(provider())
    const { transactionId } = await pay(at)
    const outcome = await refund(at, transactionId, 9_999n)
    expect(outcome).toEqual({ kind: 'refused', reason: 'Amount should be above NGN100' })
  })

  test('of an unknown charge is refused', async () => {
    const outcome = await refund(await shopAt(provider()), '999999999', 20_000n)
    expect(outcome.kind).toBe('refused')
  })

  test('is listed with all others of its charge, over every page, and with no other', async () => {
    const at = await shopAt(provider())
    const { transactionId } = await pay(at)
    const other = await pay(at)
    await at.shop.control('POST', '/fund', { amount: 100_000 })
    const made = []
    for (let count = 0; count < 10; count += 1) {
      made.push(successOf(await refund(at, transactionId, 10_000n)).refundId)
      if (count === 4) successOf(await refund(at, other.transactionId, 10_000n))
    }
    const listed = successOf(await at.adapter.listRefunds(transactionId))
    expect(listed.map(({ refundId }) => refundId).toSorted()).toEqual(made.toSorted())
  })

  test('is never listed for a charge that has none', async () => {
    const at = await shopAt(provider())
    const { transactionId } = await pay(at)
    expect(await at.adapter.listRefunds(transactionId)).toEqual({ kind: 'success', value: [] })
  })
})

test('any amount of any currency arrives at the provider and comes back exactly', async () => {
  const at = await shopAt(provider())
  // Twelve digits in front of the point, and as many behind it as the currency has.
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n })
  const currencies = fc.constantFrom('NGN', 'GHS', 'UGX', 'JPY', 'USD')
  await fc.assert(
    fc.asyncProperty(amounts, currencies, async (amountMinor, currency) => {
      const { amount } = await pay(at, instruction({ amountMinor, currency }))
      const places = currency === 'UGX' || currency === 'JPY' ? 0 : 2
      const digits = toText(amount, places).replace('.', '').replace(/^0+/, '')
      expect(digits).toBe(String(amountMinor))
    }),
    { numRuns: 25 },
  )
})

test('only what the provider collects in is supported', async () => {
  const { adapter } = await shopAt(provider())
  const supported = ['NGN', 'GHS', 'KES', 'UGX', 'ZAR', 'TZS', 'USD', 'EUR', 'GBP']
  expect(supported.filter((currency) => !adapter.supports(currency))).toEqual([])
  expect(['KPW', 'ngn', ''].filter((currency) => adapter.supports(currency))).toEqual([])
})

function refund({ adapter }: Shop, transactionId: string, amountMinor: bigint) {
  return adapter.refund({ transactionId, amountMinor, currency: 'NGN', note: 'Returned' })
}
