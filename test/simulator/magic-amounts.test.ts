import { describe, expect, test } from 'vitest'
import { chargeStatus, fundedMerchant, statuses, transfer, transferStatus } from './misbehaviour.ts'
import { callApi, type Merchant, useProvider } from './provider.ts'

const provider = useProvider()

describe('magic amounts', () => {
  async function magicMerchant(): Promise<Merchant> {
    const shop = await fundedMerchant(provider())
    await shop.control('PUT', '/world', { magic_amounts: true })
    return shop
  }

  // When the first state of a charge has been seen, ten seconds and the session's end go by.
  test.each([
    [500, ['successful'], ['successful']],
    [500.01, ['successful'], []],
    [500.02, ['successful'], ['successful', 'successful']],
    [500.06, ['failed', 'successful'], ['failed', 'successful']],
    [500.07, ['pending', 'successful'], ['successful']],
    [500.08, ['successful', 'failed'], ['successful', 'failed']],
    [500.09, ['successful', 'successful'], ['successful', 'initiated']],
  ])('a charge of %d', async (amount, seen, told) => {
    const shop = await magicMerchant()
    const charge = await shop.paid({ amount, session_duration: 1 })
    expect(charge.status).toBe(seen[0])
    provider().clock.advance(60_000)
    await shop.drain()
    expect(await chargeStatus(shop, charge.tx_ref)).toBe(seen.at(-1))
    expect(statuses(shop)).toEqual(told)
  })

  test('a charge of .03 does not settle, .04 is paid with too much, .05 with too little', async () => {
    const shop = await magicMerchant()
    expect((await shop.paid({ amount: 500.03 })).amount_settled).toBeNull()
    expect((await shop.paid({ amount: 500.04 })).amount).toBe(501.04)
    expect((await shop.paid({ amount: 500.05 })).amount).toBe(499.05)
  })

  test.each([
    [500.03, 'NEW', 'NEW'],
    [500.05, 'FAILED', 'FAILED'],
    [500.06, 'PENDING', 'FAILED'],
    [500.07, 'SUCCESSFUL', 'FAILED'],
    [500.09, 'PENDING', 'PENDING'],
  ])('a transfer of %d is %s, then %s', async (amount, first, last) => {
    const shop = await magicMerchant()
    const wanted = transfer({ amount })
    await shop.call('POST', '/transfers', wanted)
    await shop.drain()
    expect(await transferStatus(shop, wanted.reference)).toBe(first)
    provider().clock.advance(60_000)
    await shop.drain()
    expect(await transferStatus(shop, wanted.reference)).toBe(last)
  })

  test('the answer to a transfer or refund of .04 is lost', async () => {
    const shop = await magicMerchant()
    const wanted = transfer({ amount: 500.04 })
    await expect(shop.call('POST', '/transfers', wanted)).rejects.toThrow('fetch failed')
    const charge = await shop.paid()
    const refund = shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 500.04 })
    await expect(refund).rejects.toThrow('fetch failed')
    expect((await shop.effects(wanted.reference)).transfer).toBe(1)
    expect((await shop.effects(charge.tx_ref)).refund).toBe(1)
  })

  test.each([
    [500.03, 'completed'],
    [500.06, 'failed'],
    [500.07, 'completed-bank-transfer'],
  ])('a refund of %d ends as %s', async (amount, last) => {
    const shop = await magicMerchant()
    const charge = await shop.paid()
    const { body } = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount })
    expect(body.data.status).toBe('completed')
    provider().clock.advance(60_000)
    await shop.drain()
    const later = await shop.call('GET', `/refunds/${body.data.id}`)
    expect(later.body.data.status).toBe(last)
  })

  test('are known to new test worlds, and not to live ones', async () => {
    for (const [key, known] of [
      ['FLWSECK_TEST-fresh-X', true],
      ['FLWSECK-fresh-X', false],
    ] as const) {
      const { body } = await callApi(`${provider().apiUrl}/control/world`, 'GET', key)
      expect(body.magic_amounts).toBe(known)
    }
  })
})
