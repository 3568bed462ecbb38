import { describe, expect, test } from 'vitest'
import { type Merchant, reference, useProvider } from './provider.ts'

const provider = useProvider()

async function fundedMerchant(): Promise<Merchant> {
  const shop = await provider().merchant('live')
  await shop.control('POST', '/fund', { amount: 100_000, currency: 'NGN' })
  return shop
}

function order(change: Record<string, unknown> = {}) {
  return {
    account_bank: '044',
    account_number: '0690000031',
    amount: 5500.5,
    currency: 'NGN',
    narration: 'Payout',
    reference: reference(),
    debit_currency: 'NGN',
    ...change,
  }
}

test('a transfer is queued as NEW and succeeds a moment later', async () => {
  const shop = await fundedMerchant()
  const wanted = order({ beneficiary_name: 'Corner shop', meta: { payout: '7' } })
  const answer = await shop.call('POST', '/transfers', wanted)
  expect(answer.status).toBe(200)
  expect(answer.body.message).toBe('Transfer Queued Successfully')
  const { data } = answer.body
  expect(data).toMatchObject({
    account_number: '0690000031',
    bank_code: '044',
    bank_name: 'ACCESS BANK',
    full_name: 'Corner shop',
    currency: 'NGN',
    debit_currency: 'NGN',
    amount: 5500.5,
    fee: 26.875,
    status: 'NEW',
    reference: wanted.reference,
    meta: { payout: '7' },
    complete_message: '',
    requires_approval: 0,
    is_approved: 1,
  })
  expect(answer.text).toContain('"fee":26.875,')
  await shop.drain()
  const later = await shop.call('GET', `/transfers/${data.id}`)
  expect(later.body.data).toEqual({
    ...data,
    status: 'SUCCESSFUL',
    complete_message: 'Transaction was successful',
  })
  const balance = await shop.call('GET', '/balances/NGN')
  expect(balance.body.data.available_balance).toBe(94472.625)
  expect(shop.webhooks).toHaveLength(1)
  expect(shop.webhooks[0]?.body).toMatchObject({
    event: 'transfer.completed',
    'event.type': 'Transfer',
    data: {
      id: data.id,
      reference: wanted.reference,
      status: 'SUCCESSFUL',
      fullname: 'Corner shop',
    },
  })
})

test('twenty identical transfers at once: one is done, nineteen are refused', async () => {
  const shop = await fundedMerchant()
  const wanted = order({ amount: 1000 })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => shop.call('POST', '/transfers', wanted)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 400)
  expect(refused).toHaveLength(19)
  expect(refused[0]?.body.message).toBe('Transfer with this reference already exists')
  expect((await shop.effects(wanted.reference)).transfer).toBe(1)
  await shop.drain()
  const balance = await shop.call('GET', '/balances/NGN')
  expect(balance.body.data.available_balance).toBe(98989.25)
})

test('the same reference is refused, whatever came of the first', async () => {
  const shop = await fundedMerchant()
  const wanted = order()
  await shop.rule({ operation: 'transfer', effect: 'fail', count: 1 })
  await shop.call('POST', '/transfers', wanted)
  await shop.drain()
  expect((await shop.call('POST', '/transfers', wanted)).status).toBe(400)
})

test('a transfer is looked up by its reference: a list, empty when it was never used', async () => {
  const shop = await fundedMerchant()
  const wanted = order()
  await shop.call('POST', '/transfers', wanted)
  await shop.drain()
  const found = await shop.call('GET', `/transfers?reference=${wanted.reference}`)
  expect(found.body.data).toMatchObject([{ reference: wanted.reference, status: 'SUCCESSFUL' }])
  const nothing = await shop.call('GET', '/transfers?reference=never')
  expect(nothing.status).toBe(200)
  expect(nothing.body.data).toEqual([])
  expect((await shop.call('GET', '/transfers?status=failed')).body.data).toEqual([])
  expect((await shop.call('GET', '/transfers?status=successful')).body.data).toHaveLength(1)
  expect((await shop.call('GET', '/transfers/1')).status).toBe(404)
})

test('what the wallet does not cover is accepted and fails afterwards', async () => {
  const shop = await fundedMerchant()
  const wanted = order({ amount: 99_990 })
  expect((await shop.call('POST', '/transfers', wanted)).body.data.status).toBe('NEW')
  await shop.drain()
  const [transfer] = (await shop.call('GET', `/transfers?reference=${wanted.reference}`)).body.data
  expect(transfer).toMatchObject({
    status: 'FAILED',
    complete_message: 'DISBURSE FAILED: Insufficient funds in customer wallet',
  })
  expect((await shop.effects(wanted.reference)).transfer).toBe(0)
  expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(100000)
})

test('many transfers at once never take more than there is', async () => {
  const shop = await fundedMerchant()
  const orders = Array.from({ length: 20 }, () => order({ amount: 9000 }))
  await Promise.all(orders.map((wanted) => shop.call('POST', '/transfers', wanted)))
  await shop.drain()
  const { body } = await shop.call('GET', '/transfers?status=SUCCESSFUL')
  expect(body.meta.page_info.total).toBe(11)
  const balance = await shop.call('GET', '/balances/NGN')
  expect(balance.body.data.available_balance).toBe(704.375)
})

describe('the test mode’s references', () => {
  test('_PMCKDU_<minutes> puts the end off', async () => {
    const shop = await fundedMerchant()
    const wanted = order({ reference: `${reference()}_PMCKDU_5` })
    await shop.call('POST', '/transfers', wanted)
    await shop.drain()
    const path = `/transfers?reference=${wanted.reference}`
    expect((await shop.call('GET', path)).body.data[0].status).toBe('PENDING')
    await shop.control('POST', '/proceed', { subject: 'transfer', reference: wanted.reference })
    expect((await shop.call('GET', path)).body.data[0].status).toBe('SUCCESSFUL')
  })
})

test.each([
  ['account_bank is required', { account_bank: '' }],
  ['account_number is required', { account_number: undefined }],
  ['amount is required', { amount: undefined }],
  ['amount is invalid', { amount: -5 }],
  ['reference is required', { reference: undefined }],
  ['reference must not exceed 100 characters', { reference: 'x'.repeat(101) }],
  ['narration must not exceed 100 characters', { narration: 'x'.repeat(101) }],
  ['callback_url must not exceed 100 characters', { callback_url: 'x'.repeat(101) }],
  [
    'Sorry, recipient account could not be validated. Please try again',
    { account_number: '0690000000' },
  ],
])('says “%s”', async (message, change) => {
  const shop = await fundedMerchant()
  const answer = await shop.call('POST', '/transfers', order(change))
  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({ status: 'error', message, data: null })
})

test.each([
  [5000, 10.75],
  [50_000, 26.875],
  [50_000.01, 53.75],
])('a transfer of NGN %d costs %d', async (amount, fee) => {
  const shop = await fundedMerchant()
  const { body } = await shop.call('GET', `/transfers/fee?amount=${amount}&currency=NGN`)
  expect(body.data).toEqual([{ currency: 'NGN', fee_type: 'value', fee }])
})
