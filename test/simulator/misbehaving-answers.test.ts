// The responses that a caller can be made to see, and what was really done.
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/processes.ts'
import { fundedMerchant, transfer, transferStatus } from './misbehaviour.ts'
import { type Merchant, useProvider } from './provider.ts'

const provider = useProvider()

describe('answers', () => {
  test.each([401, 403, 408, 409, 429])('%d before acting', async (status) => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'POST /transfers', effect: 'refuse', status, count: 1 })
    const wanted = transfer()
    const answer = await shop.call('POST', '/transfers', wanted)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ status: 'error', data: null })
    expect((await shop.effects(wanted.reference)).transfer).toBe(0)
    expect((await shop.call('POST', '/transfers', wanted)).status).toBe(200)
  })

  test.each([500, 502, 503])('%d before acting, with an error_id', async (status) => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'POST /transfers', effect: 'refuse', status, count: 1 })
    const wanted = transfer()
    const answer = await shop.call('POST', '/transfers', wanted)
    expect(answer.status).toBe(status)
    expect(answer.body.error_id).toMatch(/^ERRNO\d+T\d{13}$/)
    expect((await shop.effects(wanted.reference)).transfer).toBe(0)
  })

  test('500 after acting', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'POST /transfers', effect: 'refuse_after', count: 1 })
    const wanted = transfer()
    expect((await shop.call('POST', '/transfers', wanted)).status).toBe(500)
    expect((await shop.effects(wanted.reference)).transfer).toBe(1)
  })

  test('the connection breaks before acting', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'POST /transfers', effect: 'drop', count: 1 })
    const wanted = transfer()
    await expect(shop.call('POST', '/transfers', wanted)).rejects.toThrow('fetch failed')
    expect((await shop.effects(wanted.reference)).transfer).toBe(0)
  })

  test('the answer of a transfer is lost after acting, and its reference is refused', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'POST /transfers', effect: 'drop_after', count: 1 })
    const wanted = transfer()
    await expect(shop.call('POST', '/transfers', wanted)).rejects.toThrow('fetch failed')
    expect((await shop.effects(wanted.reference)).transfer).toBe(1)
    expect((await shop.call('POST', '/transfers', wanted)).status).toBe(400)
    await shop.drain()
    expect(await transferStatus(shop, wanted.reference)).toBe('SUCCESSFUL')
    expect((await shop.effects(wanted.reference)).transfer).toBe(1)
  })

  test('the answer of a refund is lost after acting, and nothing stops a second one', async () => {
    const shop = await fundedMerchant(provider())
    const charge = await shop.paid()
    const path = `/transactions/${charge.id}/refund`
    const operation = 'POST /transactions/:id/refund'
    await shop.rule({ operation, effect: 'drop_after', count: 1 })
    await expect(shop.call('POST', path, { amount: 200 })).rejects.toThrow('fetch failed')
    const { body } = await shop.call('GET', `/refunds?id=${charge.id}`)
    expect(body.data).toMatchObject([{ AmountRefunded: 200 }])
    await shop.call('POST', path, { amount: 200 })
    expect((await shop.effects(charge.tx_ref)).refund).toBe(2)
  })

  test('the body is unreadable after acting', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'POST /transfers', effect: 'unreadable', count: 1 })
    const wanted = transfer()
    const answer = await shop.call('POST', '/transfers', wanted)
    expect(answer.status).toBe(200)
    expect(() => JSON.parse(answer.text)).toThrow(SyntaxError)
    expect((await shop.effects(wanted.reference)).transfer).toBe(1)
  })

  test.each([
    ['delay', 0],
    ['delay_after', 1],
  ])(
    '%s outlasts the caller, who leaves; then it is done once',
    { tags: ['long'] },
    async (effect, doneBy) => {
      const shop = await fundedMerchant(provider())
      // Longer than it takes to leave and to look, also on a busy machine.
      await shop.rule({ operation: 'POST /transfers', effect, ms: 8000, count: 1 })
      const wanted = transfer()
      const done = async () => (await shop.effects(wanted.reference)).transfer
      const hasBegun = async () => (await shop.control('GET', '/rules')).body.rules[0].used
      const leaving = new AbortController()
      const impatient = fetch(`${provider().apiUrl}/v3/transfers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.key}` },
        body: JSON.stringify(wanted),
        signal: leaving.signal,
      })
      const left = expect(impatient).rejects.toThrow('abort')
      await eventually(async () => (await hasBegun()) === 1 && (await done()) === doneBy)
      leaving.abort()
      await left
      expect(await done()).toBe(doneBy)
      await eventually(async () => (await done()) === 1)
      expect(await done()).toBe(1)
    },
  )

  test('everything at once: * stands for every call', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: '*', effect: 'refuse', status: 503, count: 2 })
    expect((await shop.call('GET', '/balances')).status).toBe(503)
    expect((await shop.call('GET', '/transactions')).status).toBe(503)
    expect((await shop.call('GET', '/balances')).status).toBe(200)
  })

  test('calls by id are found by the reference of what they are about', async () => {
    const shop = await provider().merchant()
    const [charge, other] = [await shop.paid(), await shop.paid()]
    await shop.rule({ operation: '*', effect: 'refuse', reference: charge.tx_ref })
    expect((await shop.call('GET', `/transactions/${charge.id}/verify`)).status).toBe(500)
    expect((await shop.call('GET', `/refunds?id=${charge.id}`)).status).toBe(500)
    expect((await shop.call('GET', `/transactions/${other.id}/verify`)).status).toBe(200)
  })
})

describe('rules', () => {
  test('fit by amount and by a pattern of the reference, and only in their own world', async () => {
    const shop = await fundedMerchant(provider())
    const neighbour = await fundedMerchant(provider())
    await shop.rule({
      operation: 'POST /transfers',
      effect: 'refuse',
      amount: 77.5,
      reference: 'payout_*-x',
    })
    const status = async (merchant: Merchant, change: Record<string, unknown>) =>
      (await merchant.call('POST', '/transfers', transfer(change))).status
    expect(await status(shop, { amount: '77.50', reference: 'payout_1-x' })).toBe(500)
    expect(await status(shop, { amount: 77.5, reference: 'payout-1-x' })).toBe(200)
    expect(await status(shop, { amount: 77, reference: 'payout_2-x' })).toBe(200)
    expect(await status(neighbour, { amount: 77.5, reference: 'payout_3-x' })).toBe(200)
  })

  test('are used up exactly as often as they say, also by calls at the same moment', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'POST /transfers', effect: 'refuse', status: 503, count: 30 })
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => shop.call('POST', '/transfers', transfer())),
    )
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    const { body } = await shop.control('GET', '/rules')
    expect(body.rules).toMatchObject([{ effect: 'refuse', remaining: 0, used: 30 }])
  })

  test('survive a restart', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'GET /balances', effect: 'refuse', status: 429 })
    await provider().restart()
    expect((await shop.call('GET', '/balances')).status).toBe(429)
    await shop.control('DELETE', '/rules')
    expect((await shop.call('GET', '/balances')).status).toBe(200)
  })

  test('can be removed one by one', async () => {
    const shop = await provider().merchant()
    const { body } = await shop.rule({ operation: 'GET /balances', effect: 'refuse' })
    expect((await shop.control('DELETE', `/rules/${body.id}`)).body).toEqual({ removed: 1 })
    expect((await shop.control('DELETE', `/rules/${body.id}`)).status).toBe(404)
    expect((await shop.call('GET', '/balances')).status).toBe(200)
  })

  test.each([
    ['operation is required', {}],
    ['operation POST /nothing is unknown', { operation: 'POST /nothing', effect: 'drop' }],
    [
      'effect reverse is unknown for POST /payments',
      { operation: 'POST /payments', effect: 'reverse' },
    ],
    ['status must be from 400 to 599', { operation: '*', effect: 'refuse', status: 200 }],
    ['count must be from 1 to 1000000', { operation: '*', effect: 'drop', count: 0 }],
    ['states must be some of', { operation: 'refund', effect: 'pass_through', states: ['odd'] }],
    ['difference is invalid', { operation: 'charge', effect: 'overpay', difference: -1 }],
    ['currency is not supported', { operation: 'charge', effect: 'other_currency', currency: 'X' }],
  ])('are checked: “%s”', async (message, rule) => {
    const shop = await provider().merchant()
    const answer = await shop.control('POST', '/rules', rule)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })
})
