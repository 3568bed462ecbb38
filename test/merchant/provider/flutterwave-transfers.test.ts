// Transfers through the adapter, against the simulator over HTTP.
import { describe, expect, test } from 'vitest'
import { toText } from '../../../src/kernel/money/decimal.ts'
import type { TransferInstruction } from '../../../src/merchant/provider/provider.ts'
import { reference, useProvider } from '../../simulator/provider.ts'
import { type Shop, shopAt, successOf } from './adapter.ts'

const provider = useProvider()

async function funded(): Promise<Shop> {
  const at = await shopAt(provider())
  await at.shop.control('POST', '/fund', { amount: 100_000, currency: 'NGN' })
  return at
}

function order(change: Partial<TransferInstruction> = {}): TransferInstruction {
  return {
    reference: reference(),
    amountMinor: 550_050n,
    currency: 'NGN',
    bankCode: '044',
    accountNumber: '0690000031',
    beneficiaryName: 'Corner shop',
    note: 'Payout',
    ...change,
  }
}

async function transferred(at: Shop, wanted: TransferInstruction = order()) {
  const sent = successOf(await at.adapter.createTransfer(wanted))
  await at.shop.drain()
  return { sent, found: successOf(await at.adapter.findTransfer(wanted.reference)), wanted }
}

describe('a transfer', () => {
  test('is taken on, and found as successful with its fee to the last digit', async () => {
    const { sent, found, wanted } = await transferred(await funded())
    expect(sent).toMatchObject({
      reference: wanted.reference,
      status: 'pending',
      currency: 'NGN',
      failureReason: null,
    })
    expect(found).toMatchObject({ transferId: sent.transferId, status: 'successful' })
    expect(found && [toText(found.amount), toText(found.fee)]).toEqual(['5500.5', '26.875'])
  })

  test('goes to the account that was named, out of the same currency', async () => {
    const at = await funded()
    const { sent } = await transferred(at)
    const { body } = await at.shop.call('GET', `/transfers/${sent.transferId}`)
    expect(body.data).toMatchObject({
      bank_code: '044',
      account_number: '0690000031',
      full_name: 'Corner shop',
      debit_currency: 'NGN',
      narration: 'Payout',
    })
  })

  test.each([
    'Account is closed',
    'DISBURSE FAILED: Account is closed',
    'DISBURSE FAILED: DISBURSE FAILED: Account is closed',
    'DISBURSE FAILED: Disburse failed:DISBURSE FAILED: Account is closed',
  ])('that failed says why, and its label once: %s', async (reason) => {
    const at = await funded()
    await at.shop.rule({ operation: 'transfer', effect: 'fail', reason })
    const { found } = await transferred(at)
    expect(found).toMatchObject({
      status: 'failed',
      failureReason: 'DISBURSE FAILED: Account is closed',
    })
  })

  test.each(['stay_new', 'stay_pending'])('is pending when told to %s', async (effect) => {
    const at = await funded()
    await at.shop.rule({ operation: 'transfer', effect })
    expect((await transferred(at)).found?.status).toBe('pending')
  })

  test('that is sent twice is refused the second time, and done once', async () => {
    const at = await funded()
    const { wanted, found } = await transferred(at)
    expect(await at.adapter.createTransfer(wanted)).toMatchObject({ kind: 'refused' })
    expect(successOf(await at.adapter.findTransfer(wanted.reference))).toEqual(found)
    expect((await at.shop.effects(wanted.reference)).transfer).toBe(1)
  })

  test('that the provider does not know is an answer: none', async () => {
    const { adapter } = await funded()
    expect(await adapter.findTransfer('never-sent')).toEqual({ kind: 'success', value: null })
  })
})

describe('is unknown, and never "none" nor a refusal,', () => {
  test.each([
    ['an answer that was lost', { effect: 'drop_after' }],
    ['a server fault after acting', { effect: 'refuse_after', status: 500 }],
    ['an unreadable answer', { effect: 'unreadable' }],
  ])('%s; the look-up finds what was done', async (_, rule) => {
    const at = await funded()
    await at.shop.rule({ operation: 'POST /transfers', count: 1, ...rule })
    const wanted = order()
    expect((await at.adapter.createTransfer(wanted)).kind).toBe('unknown')
    const found = successOf(await at.adapter.findTransfer(wanted.reference))
    expect(found?.reference).toBe(wanted.reference)
    expect((await at.shop.effects(wanted.reference)).transfer).toBe(1)
  })

  test.each([400, 404, 500])('a look-up that is answered %i', async (status) => {
    const at = await funded()
    await at.shop.rule({ operation: 'GET /transfers', effect: 'refuse', status })
    expect((await at.adapter.findTransfer(reference())).kind).toBe('unknown')
  })
})
