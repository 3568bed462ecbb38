import { describe, expect, test } from 'vitest'
import { isProviderMessage, referencesIn } from '../../../src/merchant/provider/provider-message.ts'
import { useProvider } from '../../simulator/provider.ts'
import { instruction, pay, shopAt, successOf } from './adapter.ts'

const provider = useProvider()

describe('the secret in the header', () => {
  test('must be exactly ours', () => {
    expect(isProviderMessage('our secret hash', 'our secret hash')).toBe(true)
    expect(isProviderMessage('our secret hasH', 'our secret hash')).toBe(false)
    expect(isProviderMessage('our secret has', 'our secret hash')).toBe(false)
    expect(isProviderMessage('our secret hash ', 'our secret hash')).toBe(false)
  })

  test('must be there, once', () => {
    expect(isProviderMessage(undefined, 'our secret hash')).toBe(false)
    expect(isProviderMessage('', 'our secret hash')).toBe(false)
    expect(isProviderMessage(['our secret hash'], 'our secret hash')).toBe(false)
  })

  test('proves nothing where we have none', () => {
    expect(isProviderMessage('', '')).toBe(false)
    expect(isProviderMessage(undefined, '')).toBe(false)
  })
})

describe('a message', () => {
  test('of a charge and of its refund, as the provider sends them, names both', async () => {
    const at = await shopAt(provider())
    const wanted = instruction()
    const { transactionId } = await pay(at, wanted)
    successOf(
      await at.adapter.refund({ transactionId, amountMinor: 20_000n, currency: 'NGN', note: '' }),
    )
    await at.shop.drain()
    const hints = at.shop.webhooks.map(({ body }) => referencesIn(JSON.stringify(body)))
    expect(hints).toEqual([
      { reference: wanted.reference, transactionId },
      { transactionId, about: 'refund' },
    ])
  })

  test('of a transfer names our reference, and its id is not a transaction’s', () => {
    const data = { id: 33286, reference: 'payout-7', status: 'SUCCESSFUL' }
    const body = JSON.stringify({ event: 'transfer.completed', data })
    expect(referencesIn(body)).toEqual({ reference: 'payout-7' })
  })

  test('has ids that may be text or numbers beyond what a double holds', () => {
    const body = '{"event":"charge.completed","data":{"id":90071992547409931,"tx_ref":"order"}}'
    expect(referencesIn(body)).toEqual({ reference: 'order', transactionId: '90071992547409931' })
    expect(referencesIn('{"id":"1","TransactionId":"7"}')).toEqual({
      transactionId: '7',
      about: 'refund',
    })
  })

  test.each([
    '',
    'hello',
    'null',
    '7',
    '[]',
    '{}',
    '{"data":null}',
    '{"data":[]}',
    '{"data":{"tx_ref":{},"id":[]}}',
    '{"event":"subscription.cancelled","data":{"status":"deactivated","id":4147}}',
  ])('that says nothing to us is an empty hint: %s', (body) => {
    expect(referencesIn(body)).toEqual({})
  })
})
