// Charges of a saved card through the adapter, against the simulator over HTTP.
import { describe, expect, test } from 'vitest'
import { toText } from '../../../src/kernel/money/decimal.ts'
import type { SavedCardInstruction } from '../../../src/merchant/provider/provider.ts'
import { reference, useProvider } from '../../simulator/provider.ts'
import { instruction, pay, type Shop, shopAt, successOf } from './adapter.ts'

const provider = useProvider()

// A shop, and an order for the card of a payer who has paid there.
async function saved(card?: string): Promise<Shop & { order: SavedCardInstruction }> {
  const at = await shopAt(provider())
  const { token } = await pay(at, instruction(), card)
  if (token === null) throw new Error('the card was not saved')
  const order = {
    reference: reference(),
    amountMinor: 250_050n,
    currency: 'NGN',
    token,
    payerEmail: 'payer@example.com',
    country: 'NG',
    note: 'Gold',
  }
  return { ...at, order }
}

describe('a saved card', () => {
  test('is charged under our reference, without its payer', async () => {
    const { adapter, order } = await saved()
    const charged = successOf(await adapter.chargeSavedCard(order))
    expect(charged).toMatchObject({
      reference: order.reference,
      status: 'successful',
      currency: 'NGN',
      token: order.token,
    })
    expect(toText(charged.amount)).toBe('2500.5')
    const found = successOf(await adapter.findCharge(order.reference))
    expect(found).toMatchObject({ transactionId: charged.transactionId, status: 'successful' })
  })

  test('that is declined is a fact, with the reason', async () => {
    const { adapter, shop, order } = await saved()
    await shop.control('POST', '/rules', {
      operation: 'charge',
      effect: 'decline',
      reason: 'Insufficient Funds',
    })
    expect(successOf(await adapter.chargeSavedCard(order))).toMatchObject({
      status: 'failed',
      failureReason: 'Insufficient Funds',
    })
  })

  test('is refused for another payer, and charged nothing', async () => {
    const { adapter, order } = await saved()
    const payerEmail = 'someone@example.com'
    expect(await adapter.chargeSavedCard({ ...order, payerEmail })).toMatchObject({
      kind: 'refused',
    })
    expect(successOf(await adapter.findCharge(order.reference))).toBeNull()
  })

  test('is not charged twice under one reference: the second is refused', async () => {
    const { adapter, order } = await saved()
    const first = successOf(await adapter.chargeSavedCard(order))
    expect(await adapter.chargeSavedCard(order)).toMatchObject({ kind: 'refused' })
    const found = successOf(await adapter.findCharge(order.reference))
    expect(found?.transactionId).toBe(first.transactionId)
  })

  test.each(['drop_after', 'refuse_after', 'unreadable'])(
    'whose answer is lost (%s) is unknown, and found by its reference',
    async (effect) => {
      const { adapter, shop, order } = await saved()
      const rule = { operation: 'POST /tokenized-charges', effect, count: 1 }
      await shop.control('POST', '/rules', rule)
      expect(await adapter.chargeSavedCard(order)).toMatchObject({ kind: 'unknown' })
      expect(successOf(await adapter.findCharge(order.reference))).toMatchObject({
        status: 'successful',
      })
    },
  )
})
