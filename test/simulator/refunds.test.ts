import { describe, expect, test } from 'vitest'
import { useProvider } from './provider.ts'

const provider = useProvider()

test('a refund is accepted as “completed” and paid a moment later', async () => {
  const shop = await provider().merchant()
  const charge = await shop.paid({ amount: 5000 })
  const balance = await shop.call('GET', '/balances/NGN')
  expect(balance.body.data).toEqual({
    currency: 'NGN',
    available_balance: 4930,
    ledger_balance: 4930,
  })
  const answer = await shop.call('POST', `/transactions/${charge.id}/refund`, {
    amount: 1500.25,
    comments: 'A cup was broken',
  })
  expect(answer.status).toBe(200)
  const { data } = answer.body
  expect(data).toMatchObject({
    tx_id: charge.id,
    amount_refunded: 1500.25,
    status: 'completed',
    destination: 'payment_source',
    comments: 'A cup was broken',
    meta: { source: 'availablebalance' },
  })
  expect(data.flw_ref).toMatch(/^URF_/)
  expect(data.wallet_id).toBe(data.account_id)
  await shop.drain()
  const later = await shop.call('GET', `/refunds/${data.id}`)
  expect(later.body.data).toEqual({ ...data, status: 'completed-bank-transfer' })
  expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(3429.75)
  expect(shop.webhooks.at(-1)?.body).toEqual({
    id: data.id,
    AmountRefunded: 1500.25,
    status: 'completed-bank-transfer',
    FlwRef: data.flw_ref,
    TransactionId: charge.id,
  })
})

test('without an amount the rest is refunded', async () => {
  const shop = await provider().merchant()
  await shop.control('POST', '/fund', { amount: 1000, currency: 'NGN' })
  const charge = await shop.paid({ amount: 1000 })
  await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 400 })
  const rest = await shop.call('POST', `/transactions/${charge.id}/refund`)
  expect(rest.body.data.amount_refunded).toBe(600)
  const more = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 100 })
  expect(more.status).toBe(400)
})

test('the list is asked by transaction and writes its fields in Pascal case', async () => {
  const shop = await provider().merchant()
  const [charge, other] = [await shop.paid(), await shop.paid()]
  await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 200 })
  await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 300 })
  await shop.call('POST', `/transactions/${other.id}/refund`, { amount: 400 })
  const { body } = await shop.call('GET', `/refunds?id=${charge.id}`)
  expect(body.meta.page_info).toEqual({ total: 2, current_page: 1, total_pages: 1 })
  expect(body.data).toMatchObject([
    { TransactionId: charge.id, AmountRefunded: 300, FlwRef: expect.stringMatching(/^URF_/) },
    { TransactionId: charge.id, AmountRefunded: 200 },
  ])
  expect(body.data[0].amount_refunded).toBeUndefined()
  expect((await shop.call('GET', '/refunds')).body.data).toHaveLength(3)
  expect((await shop.call('GET', '/refunds?id=first')).status).toBe(400)
})

describe('a refund is refused', () => {
  test.each([
    ['NGN', 99.99, 'Amount should be above NGN100'],
    ['KES', 9.5, 'Amount should be above KES10'],
  ])('below the minimum in %s', async (currency, amount, message) => {
    const shop = await provider().merchant()
    const charge = await shop.paid({ currency })
    const answer = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe(message)
  })

  test('but not at the minimum, nor where there is none', async () => {
    const shop = await provider().merchant()
    for (const [currency, amount] of [
      ['NGN', 100],
      ['KES', 10],
      ['USD', 0.5],
    ] as const) {
      const charge = await shop.paid({ currency })
      const answer = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount })
      expect(answer.status).toBe(200)
    }
  })

  test('when more is asked for than was charged', async () => {
    const shop = await provider().merchant()
    await shop.control('POST', '/fund', { amount: 5000, currency: 'NGN' })
    const charge = await shop.paid({ amount: 1000 })
    const answer = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 1000.01 })
    expect(answer.status).toBe(400)
  })

  test('when the available balance does not cover it', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'settle_later', count: 1 })
    const charge = await shop.paid({ amount: 1000 })
    const answer = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 500 })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('Insufficient available balance')
    expect((await shop.effects(charge.tx_ref)).refund).toBe(0)
  })

  test('of a charge that failed, and of none', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid({}, 'do_not_honour')
    expect((await shop.call('POST', `/transactions/${charge.id}/refund`)).status).toBe(400)
    expect((await shop.call('POST', '/transactions/1/refund')).status).toBe(400)
    expect((await shop.call('GET', '/refunds/1')).status).toBe(404)
  })
})

test('the same refund sent twice is done twice: the provider has no key against it', async () => {
  const shop = await provider().merchant()
  const charge = await shop.paid({ amount: 1000 })
  const body = { amount: 300 }
  await shop.call('POST', `/transactions/${charge.id}/refund`, body)
  await shop.call('POST', `/transactions/${charge.id}/refund`, body)
  expect((await shop.effects(charge.tx_ref)).refund).toBe(2)
})

test('refunds at the same moment never exceed the charge', async () => {
  const shop = await provider().merchant()
  await shop.control('POST', '/fund', { amount: 100000, currency: 'NGN' })
  const charge = await shop.paid({ amount: 1000 })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 300 }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect((await shop.effects(charge.tx_ref)).refund).toBe(3)
})
