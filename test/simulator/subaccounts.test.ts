import { describe, expect, test } from 'vitest'
import { type Merchant, useProvider } from './provider.ts'

const provider = useProvider()

let accountCount = 0

function order(change: Record<string, unknown> = {}) {
  accountCount += 1
  return {
    account_bank: '044',
    account_number: String(690_000_020 + accountCount).padStart(10, '0'),
    business_name: 'Market stall',
    business_mobile: '+2348000000000',
    split_type: 'percentage',
    split_value: 0.2,
    ...change,
  }
}

async function createSubaccount(shop: Merchant, change?: Record<string, unknown>) {
  const answer = await shop.call('POST', '/subaccounts', order(change))
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}

test('a sub-account is made, found, listed, changed and deleted', async () => {
  const shop = await provider().merchant()
  const meta = [{ meta_name: 'reference', meta_value: 'recipient-1' }]
  const wanted = order({ meta })
  const made = await shop.call('POST', '/subaccounts', wanted)
  expect(made.status).toBe(200)
  const { data } = made.body
  expect(data).toMatchObject({
    account_number: wanted.account_number,
    business_name: 'Market stall',
    full_name: `SIMULATED HOLDER ${wanted.account_number.slice(-4)}`,
    bank_name: 'ACCESS BANK',
    country: 'NG',
    split_type: 'percentage',
    split_value: 0.2,
    meta,
  })
  expect(data.id).toBeTypeOf('number')
  expect(data.subaccount_id).toMatch(/^RS_/)
  expect((await shop.call('GET', `/subaccounts/${data.id}`)).body.data).toEqual(data)
  expect((await shop.call('GET', '/subaccounts')).body.data).toEqual([data])
  const filter = `account_bank=044&account_number=${wanted.account_number}`
  expect((await shop.call('GET', `/subaccounts?${filter}`)).body.data).toEqual([data])
  expect((await shop.call('GET', '/subaccounts?account_number=1')).body.data).toEqual([])

  const changed = await shop.call('PUT', `/subaccounts/${data.id}`, { split_value: 0.35 })
  expect(changed.body.data).toEqual({ ...data, split_value: '0.35' })
  expect((await shop.call('GET', `/subaccounts/${data.id}`)).body.data.split_value).toBe('0.35')

  expect((await shop.call('DELETE', `/subaccounts/${data.id}`)).status).toBe(200)
  expect((await shop.call('GET', `/subaccounts/${data.id}`)).status).toBe(404)
  expect((await shop.call('PUT', `/subaccounts/${data.id}`, {})).status).toBe(404)
  expect((await shop.call('DELETE', `/subaccounts/${data.id}`)).status).toBe(404)
  expect((await shop.effects('recipient-1')).subaccount).toBe(1)
})

test('one bank account has one sub-account, also when asked for twenty times at once', async () => {
  const shop = await provider().merchant()
  const wanted = order()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => shop.call('POST', '/subaccounts', wanted)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.find(({ status }) => status === 400)
  expect(refused?.body.message).toBe('A subaccount with the account number and bank already exists')
  expect((await shop.effects(`044:${wanted.account_number}`)).subaccount).toBe(1)
})

test('a change to another sub-account’s bank account is refused', async () => {
  const shop = await provider().merchant()
  const [first, second] = [await createSubaccount(shop), await createSubaccount(shop)]
  const answer = await shop.call('PUT', `/subaccounts/${second.id}`, {
    account_number: first.account_number,
  })
  expect(answer.status).toBe(400)
})

test.each([
  ['account_bank is required', { account_bank: undefined }],
  ['account_bank must have at least 3 characters', { account_bank: '04' }],
  ['account_bank must not exceed 11 characters', { account_bank: '0'.repeat(12) }],
  ['account_number must not exceed 20 characters', { account_number: '1'.repeat(21) }],
  ['business_name is required', { business_name: undefined }],
  ['business_name must not exceed 100 characters', { business_name: 'x'.repeat(101) }],
  ['business_mobile is required', { business_mobile: undefined }],
  ['split_type must be percentage or flat', { split_type: 'half' }],
  ['split_value must be between 0 and 1', { split_value: 20 }],
  ['split_value is invalid', { split_value: -0.1 }],
])('says “%s”', async (message, change) => {
  const shop = await provider().merchant()
  const answer = await shop.call('POST', '/subaccounts', order(change))
  expect(answer.status).toBe(400)
  expect(answer.body.message).toBe(message)
})

describe('splitting a charge of 1000 with a fee of 14', () => {
  // What the merchant keeps and what the sub-accounts get, as the settlement tells it.
  async function split(shop: Merchant, subaccounts: unknown[]) {
    const charge = await shop.paid({ amount: 1000, subaccounts })
    const [settlement] = (await shop.call('GET', '/settlements')).body.data
    const { body } = await shop.call('GET', `/settlements/${settlement.id}`)
    const line = body.data.transactions.find(
      ({ tx_ref }: { tx_ref: string }) => tx_ref === charge.tx_ref,
    )
    expect(line.settlement_amount).toBe(charge.amount_settled)
    return [line.settlement_amount, line.subaccount_settlement]
  }

  test('by its own terms: the value is what the platform keeps', async () => {
    const shop = await provider().merchant()
    const { subaccount_id: id } = await createSubaccount(shop, { split_value: 0.2 })
    expect(await split(shop, [{ id }])).toEqual([197.2, 788.8])
    const flat = await createSubaccount(shop, { split_type: 'flat', split_value: 100 })
    expect(await split(shop, [{ id: flat.subaccount_id }])).toEqual([100, 886])
  })

  test.each([
    ['percentage', 0.1, [98.6, 887.4]],
    ['flat', 86, [86, 900]],
    ['flat_subaccount', 750.125, [235.875, 750.125]],
    ['flat_subaccount', 5000, [0, 986]],
    ['flat', 5000, [986, 0]],
  ])('by %s of %d', async (kind, charge, expected) => {
    const shop = await provider().merchant()
    const { subaccount_id: id } = await createSubaccount(shop)
    const terms = { transaction_charge_type: kind, transaction_charge: charge }
    expect(await split(shop, [{ id, ...terms }])).toEqual(expected)
  })

  test('between two by their ratio', async () => {
    const shop = await provider().merchant()
    const [first, second] = [await createSubaccount(shop), await createSubaccount(shop)]
    const terms = { transaction_charge_type: 'percentage', transaction_charge: 0 }
    const shares = await split(shop, [
      { id: first.subaccount_id, transaction_split_ratio: 3, ...terms },
      { id: second.subaccount_id, transaction_split_ratio: 1, ...terms },
    ])
    expect(shares).toEqual([0, 986])
  })

  test('an id with a blank before it drops the split, and the charge succeeds', async () => {
    const shop = await provider().merchant()
    const { subaccount_id: id } = await createSubaccount(shop)
    expect(await split(shop, [{ id: ` ${id}` }])).toEqual([986, 0])
  })

  test('a rule drops the split', async () => {
    const shop = await provider().merchant()
    const { subaccount_id: id } = await createSubaccount(shop)
    await shop.rule({ operation: 'charge', effect: 'split_not_applied', count: 1 })
    expect(await split(shop, [{ id }])).toEqual([986, 0])
    expect(await split(shop, [{ id }])).toEqual([197.2, 788.8])
  })
})

describe('the rest', () => {
  test('an account has a holder, unless its number ends in 0000', async () => {
    const shop = await provider().merchant()
    const body = { account_bank: '044', account_number: '0690000021' }
    const answer = await shop.call('POST', '/accounts/resolve', body)
    expect(answer.body.data).toEqual({
      account_number: '0690000021',
      account_name: 'SIMULATED HOLDER 0021',
    })
    const unknown = { ...body, account_number: '0690000000' }
    expect((await shop.call('POST', '/accounts/resolve', unknown)).status).toBe(400)
    expect((await shop.call('POST', '/accounts/resolve', {})).status).toBe(400)
  })

  test.each(['NG', 'GH', 'KE', 'UG', 'ZA', 'TZ'])('there are banks in %s', async (country) => {
    const shop = await provider().merchant()
    const { body } = await shop.call('GET', `/banks/${country}`)
    expect(Object.keys(body.data[0])).toEqual(['id', 'code', 'name'])
  })

  test('there are none elsewhere', async () => {
    const shop = await provider().merchant()
    expect((await shop.call('GET', '/banks/XX')).status).toBe(404)
  })

  test('balances are told for each currency', async () => {
    const shop = await provider().merchant()
    await shop.paid({ amount: 1000 })
    await shop.paid({ amount: 100, currency: 'USD' })
    expect((await shop.call('GET', '/balances')).body.data).toEqual([
      { currency: 'NGN', available_balance: 986, ledger_balance: 986 },
      { currency: 'USD', available_balance: 96.2, ledger_balance: 96.2 },
    ])
    const empty = { currency: 'KES', available_balance: 0, ledger_balance: 0 }
    expect((await shop.call('GET', '/balances/KES')).body.data).toEqual(empty)
    expect((await shop.call('GET', '/balances/XYZ')).status).toBe(400)
  })

  test('a settlement adds up, and shows the oddities of the provider', async () => {
    const shop = await provider().merchant()
    const charges = [await shop.paid({ amount: 1000 }), await shop.paid({ amount: 2000.5 })]
    await shop.call('POST', `/transactions/${charges[0].id}/refund`, { amount: 250 })
    const list = await shop.call('GET', '/settlements')
    expect(list.body.data).toHaveLength(1)
    const [settlement] = list.body.data
    expect(settlement).toMatchObject({
      currency: 'NGN',
      gross_amount: 3000.5,
      app_fee: 42.007,
      merchant_fee: 0,
      chargeback: 0,
      refund: 250,
      stampduty_charge: 0,
      net_amount: 2708.493,
      transaction_count: 2,
      status: 'completed',
      is_local: true,
      meta: charges.map(({ id }) => ({ id })),
    })
    const single = await shop.call('GET', `/settlements/${settlement.id}`)
    expect(single.body.data.is_local).toBe(1)
    expect(JSON.parse(single.body.data.meta)).toEqual(settlement.meta)
    expect(single.body.data.transactions).toMatchObject([
      { tx_ref: charges[0].tx_ref, charged_amount: 1000, app_fee: 14, settlement_amount: 986 },
      { tx_ref: charges[1].tx_ref, charged_amount: 2000.5, settlement_amount: 1972.493 },
    ])
    const before = await shop.call('GET', `/settlements/${settlement.id}?to=2020-01-01`)
    expect(before.body.data.transactions).toEqual([])
    expect((await shop.call('GET', '/settlements?to=2020-01-01')).body.data).toEqual([])
    expect((await shop.call('GET', '/settlements/1')).status).toBe(404)
  })
})
