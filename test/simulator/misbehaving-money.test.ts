// What can happen to money after a request, and what the provider reports about it.
import { describe, expect, test } from 'vitest'
import {
  chargeStatus,
  fundedMerchant,
  statuses,
  transfer,
  transferStatus,
  verify,
} from './misbehaviour.ts'
import { type Merchant, reference, useProvider } from './provider.ts'

const provider = useProvider()

describe('webhooks', () => {
  test('come twice', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge.completed', effect: 'duplicate', copies: 2, count: 1 })
    await shop.paid()
    expect(shop.webhooks).toHaveLength(3)
    expect(shop.webhooks[2]?.body).toEqual(shop.webhooks[0]?.body)
  })

  test('never come, until they are told to', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'webhook', effect: 'withhold' })
    const charge = await shop.paid()
    await shop.drain()
    expect(shop.webhooks).toEqual([])
    const { body } = await shop.control('GET', `/webhooks?reference=${charge.tx_ref}`)
    await shop.control('POST', `/webhooks/${body.webhooks[0].id}/send`)
    expect(statuses(shop)).toEqual(['successful'])
  })

  test('come in the wrong order', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge.completed', effect: 'reorder', count: 1 })
    const first = await shop.paid()
    expect(shop.webhooks).toEqual([])
    const second = await shop.paid()
    expect(shop.webhooks.map(({ body }) => body.data.id)).toEqual([second.id, first.id])
  })

  test('come late', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge.completed', effect: 'delay', ms: 60_000, count: 1 })
    await shop.paid()
    expect(shop.webhooks).toEqual([])
    provider().clock.advance(60_000)
    await shop.drain()
    expect(shop.webhooks).toHaveLength(1)
  })

  test('contradict verify, in both directions', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge.completed', effect: 'contradict', count: 2 })
    const good = await shop.paid()
    const bad = await shop.paid({}, 'do_not_honour')
    expect([good.status, bad.status]).toEqual(['successful', 'failed'])
    expect(statuses(shop)).toEqual(['failed', 'successful'])
    expect((await shop.effects(bad.tx_ref)).charge).toBe(0)
  })

  test('of transfers and refunds contradict too', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'webhook', effect: 'contradict' })
    const wanted = transfer()
    await shop.call('POST', '/transfers', wanted)
    await shop.drain()
    expect(shop.webhooks.at(-1)?.body.data.status).toBe('FAILED')
    expect(await transferStatus(shop, wanted.reference)).toBe('SUCCESSFUL')
    const charge = await shop.paid()
    await shop.call('POST', `/transactions/${charge.id}/refund`)
    await shop.drain()
    expect(shop.webhooks.at(-1)?.body.status).toBe('failed')
  })
})

describe('charges', () => {
  test('settle only when told', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'settle_later', count: 1 })
    const charge = await shop.paid({ amount: 1000 })
    expect(charge).toMatchObject({ status: 'successful', amount_settled: null })
    const balance = { currency: 'NGN', available_balance: 0, ledger_balance: 986 }
    expect((await shop.call('GET', '/balances/NGN')).body.data).toEqual(balance)
    expect((await shop.call('GET', '/settlements')).body.data).toEqual([])
    await shop.control('POST', '/proceed', { subject: 'charge', reference: charge.tx_ref })
    expect((await verify(shop, charge.tx_ref)).amount_settled).toBe(986)
    expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(986)
    expect((await shop.call('GET', '/settlements')).body.data).toHaveLength(1)
  })

  test.each([
    ['overpay', '250.5', 1250.5],
    ['underpay', '250.5', 749.5],
  ])('%s', async (effect, difference, paid) => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect, difference, count: 1 })
    const charge = await shop.paid({ amount: 1000 })
    expect(charge).toMatchObject({ status: 'successful', amount: paid, charged_amount: paid })
  })

  test('come in another currency', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'other_currency', currency: 'GHS', count: 1 })
    expect(await shop.paid({ amount: 1000 })).toMatchObject({ currency: 'GHS', amount: 1000 })
    expect((await shop.call('GET', '/balances')).body.data).toMatchObject([{ currency: 'GHS' }])
  })

  test('succeed after they were declined', async () => {
    const shop = await provider().merchant()
    const effect = 'succeed_after_decline'
    await shop.rule({ operation: 'charge', effect, after_ms: 60_000, count: 1 })
    const charge = await shop.paid()
    expect(charge.status).toBe('failed')
    provider().clock.advance(59_999)
    await shop.drain()
    expect(await chargeStatus(shop, charge.tx_ref)).toBe('failed')
    provider().clock.advance(1)
    await shop.drain()
    expect(await verify(shop, charge.tx_ref)).toMatchObject({
      id: charge.id,
      status: 'successful',
    })
    expect(statuses(shop)).toEqual(['failed', 'successful'])
    expect((await shop.effects(charge.tx_ref)).charge).toBe(1)
  })

  test('do not succeed late when the payer has paid with another card meanwhile', async () => {
    const shop = await provider().merchant()
    const { txRef } = await shop.link()
    await shop.rule({ operation: 'charge', effect: 'succeed_after_decline', count: 1 })
    await shop.control('POST', '/pay', { tx_ref: txRef })
    await shop.control('POST', '/pay', { tx_ref: txRef })
    const list = await shop.call('GET', `/transactions?tx_ref=${txRef}&status=failed`)
    const late = { subject: 'charge', id: list.body.data[0].id }
    await shop.control('POST', '/proceed', late)
    expect((await shop.effects(txRef)).charge).toBe(1)
  })

  test('succeed after the session has ended', async () => {
    const shop = await provider().merchant()
    const effect = 'succeed_after_timeout'
    await shop.rule({ operation: 'charge', effect, after_ms: 1000, count: 1 })
    const charge = await shop.paid({ session_duration: 10 })
    expect(charge.status).toBe('pending')
    provider().clock.advance(10 * 60_000)
    await shop.drain()
    expect(await chargeStatus(shop, charge.tx_ref)).toBe('pending')
    provider().clock.advance(1000)
    await shop.drain()
    expect(await chargeStatus(shop, charge.tx_ref)).toBe('successful')
    expect(statuses(shop)).toEqual(['successful'])
  })

  test('stay pending until told, and then fail', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'stay_pending', count: 1 })
    const charge = await shop.paid()
    expect(charge.status).toBe('pending')
    const { url } = await shop.link({ tx_ref: charge.tx_ref })
    expect(url.pathname).toContain('/simulator/pay/')
    expect((await shop.control('POST', '/pay', { tx_ref: charge.tx_ref })).status).toBe(400)
    await shop.control('POST', '/proceed', { subject: 'charge', reference: charge.tx_ref })
    expect(await chargeStatus(shop, charge.tx_ref)).toBe('successful')
  })

  test('are reversed after success', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'reverse', after_ms: 5000, count: 1 })
    const charge = await shop.paid()
    expect(charge.status).toBe('successful')
    provider().clock.advance(5000)
    await shop.drain()
    expect(await verify(shop, charge.tx_ref)).toMatchObject({
      status: 'failed',
      processor_response: 'Reversed by issuer',
    })
    expect(statuses(shop)).toEqual(['successful', 'failed'])
    expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(0)
    expect(await shop.effects(charge.tx_ref)).toMatchObject({ charge: 1, charge_reversal: 1 })
  })

  test('are charged back', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'charge_back', after_ms: 5000, count: 1 })
    const charge = await shop.paid({ amount: 1000 })
    provider().clock.advance(5000)
    await shop.drain()
    expect(shop.webhooks.at(-1)?.body).toMatchObject({
      event: 'chargeback.initiated',
      data: { tx_id: charge.id, flw_ref: charge.flw_ref, amount: 1000, status: 'initiated' },
    })
    expect(await chargeStatus(shop, charge.tx_ref)).toBe('successful')
    expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(-14)
    const { body } = await shop.call('GET', '/settlements')
    expect(body.data[0]).toMatchObject({ chargeback: 1000, net_amount: -14 })
  })

  test('are charged back before they have settled', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'settle_later', count: 1 })
    const charge = await shop.paid()
    const by = { subject: 'charge', reference: charge.tx_ref }
    await shop.control('POST', '/act', { ...by, step: 'charge_back' })
    expect(await shop.effects(charge.tx_ref)).toMatchObject({ chargeback: 1 })
    await shop.control('POST', '/proceed', by)
    expect((await shop.call('GET', '/chargebacks')).body.data).toMatchObject([
      { tx_ref: charge.tx_ref, status: 'initiated' },
    ])
    await shop.control('POST', '/act', { ...by, step: 'win_chargeback' })
    expect(await shop.effects(charge.tx_ref)).toMatchObject({ chargeback_return: 1 })
    expect((await shop.call('GET', '/chargebacks')).body.data).toMatchObject([{ status: 'won' }])
  })

  test('are reversed, charged back and ended by hand', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid()
    const by = { subject: 'charge', reference: charge.tx_ref }
    await shop.control('POST', '/act', { ...by, step: 'charge_back' })
    await shop.control('POST', '/act', { ...by, step: 'reverse' })
    expect(await shop.effects(charge.tx_ref)).toMatchObject({ chargeback: 1, charge_reversal: 1 })
    expect((await shop.control('POST', '/act', { ...by, step: 'explode' })).status).toBe(400)
    const unknown = { subject: 'charge', reference: 'unknown', step: 'reverse' }
    expect((await shop.control('POST', '/act', unknown)).status).toBe(404)
  })
})

describe('refunds', () => {
  test('stay accepted until told', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid()
    await shop.rule({ operation: 'refund', effect: 'stay_accepted', count: 1 })
    const { body } = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 500 })
    const status = async () => (await shop.call('GET', `/refunds/${body.data.id}`)).body.data.status
    await shop.drain()
    expect(await status()).toBe('completed')
    await shop.control('POST', '/proceed', { subject: 'refund', id: body.data.id })
    expect(await status()).toBe('completed-bank-transfer')
  })

  test('of a charge that was charged back are taken, or refused when a rule says so', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid({ amount: 1000 })
    await shop.control('POST', '/fund', { amount: 5000, currency: 'NGN' })
    const step = { subject: 'charge', id: charge.id, step: 'charge_back' }
    await shop.control('POST', '/act', step)
    const refund = () => shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 500 })
    expect((await refund()).status).toBe(200)
    await shop.rule({ operation: 'refund', effect: 'refuse_charged_back' })
    expect((await refund()).status).toBe(400)
    expect(await shop.effects(charge.tx_ref)).toMatchObject({ chargeback: 1, refund: 1 })
  })

  test('are listed late, or with another amount, when a rule says so', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid({ amount: 1000 })
    await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 500 })
    const amounts = async () => {
      const { body } = await shop.call('GET', `/refunds?id=${charge.id}`)
      return body.data.map(({ AmountRefunded }: { AmountRefunded: number }) => AmountRefunded)
    }
    await shop.rule({ operation: 'refund_list', effect: 'late', after_ms: 1000 })
    expect(await amounts()).toEqual([])
    provider().clock.advance(1000)
    expect(await amounts()).toEqual([500])
    await shop.rule({ operation: 'refund_list', effect: 'other_amount', difference: '5' })
    expect(await amounts()).toEqual([495])
  })

  test('fail after they were accepted, and the money comes back', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid({ amount: 1000 })
    await shop.rule({ operation: 'refund', effect: 'fail_later', after_ms: 1000, count: 1 })
    const { body } = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 500 })
    expect(body.data.status).toBe('completed')
    expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(486)
    provider().clock.advance(1000)
    await shop.drain()
    const later = await shop.call('GET', `/refunds/${body.data.id}`)
    expect(later.body.data.status).toBe('failed')
    expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(986)
    expect(shop.webhooks.at(-1)?.body).toMatchObject({ id: body.data.id, status: 'failed' })
    expect(await shop.effects(charge.tx_ref)).toMatchObject({ refund: 1, refund_return: 1 })
    const again = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 900 })
    expect(again.status).toBe(200)
  })

  test('pass through states one by one', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid()
    const states = ['processing', 'completed', 'completed-mpgs']
    await shop.rule({ operation: 'refund', effect: 'pass_through', states, count: 1 })
    const { body } = await shop.call('POST', `/transactions/${charge.id}/refund`, { amount: 500 })
    const seen: string[] = []
    for (const _ of states) {
      await shop.control('POST', '/proceed', { subject: 'refund', reference: charge.tx_ref })
      seen.push((await shop.call('GET', `/refunds/${body.data.id}`)).body.data.status)
    }
    expect(seen).toEqual(states)
    expect(shop.webhooks.filter(({ body: { FlwRef } }) => FlwRef)).toHaveLength(1)
  })
})

describe('transfers', () => {
  test('stay NEW until someone approves', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'transfer', effect: 'stay_new', count: 1 })
    const wanted = transfer()
    const { body } = await shop.call('POST', '/transfers', wanted)
    expect(body.data).toMatchObject({ requires_approval: 1, is_approved: 0 })
    provider().clock.advance(30 * 24 * 3_600_000)
    await shop.drain()
    expect(await transferStatus(shop, wanted.reference)).toBe('NEW')
    await shop.control('POST', '/proceed', { subject: 'transfer', reference: wanted.reference })
    expect(await transferStatus(shop, wanted.reference)).toBe('SUCCESSFUL')
  })

  test('stay PENDING until told', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'transfer', effect: 'stay_pending', count: 1 })
    const wanted = transfer()
    await shop.call('POST', '/transfers', wanted)
    await shop.drain()
    expect(await transferStatus(shop, wanted.reference)).toBe('PENDING')
    expect(shop.webhooks).toEqual([])
  })

  test.each([
    ['fail_late', 'PENDING', ['FAILED']],
    ['fail_after_success', 'SUCCESSFUL', ['SUCCESSFUL', 'FAILED']],
  ])('%s: %s first', async (effect, first, told) => {
    const shop = await fundedMerchant(provider())
    const reason = 'Account is dormant'
    await shop.rule({ operation: 'transfer', effect, after_ms: 60_000, reason, count: 1 })
    const wanted = transfer()
    await shop.call('POST', '/transfers', wanted)
    await shop.drain()
    expect(await transferStatus(shop, wanted.reference)).toBe(first)
    provider().clock.advance(60_000)
    await shop.drain()
    const { body } = await shop.call('GET', '/transfers?status=failed')
    expect(body.data).toMatchObject([
      { reference: wanted.reference, complete_message: 'DISBURSE FAILED: Account is dormant' },
    ])
    expect(statuses(shop)).toEqual(told)
    expect((await shop.call('GET', '/balances/NGN')).body.data.available_balance).toBe(1_000_000)
    const effects = await shop.effects(wanted.reference)
    expect(effects).toMatchObject({ transfer: 1, transfer_return: 1 })
  })

  test('fail at once', async () => {
    const shop = await fundedMerchant(provider())
    await shop.rule({ operation: 'transfer', effect: 'fail', count: 1 })
    const wanted = transfer()
    await shop.call('POST', '/transfers', wanted)
    await shop.drain()
    expect(await transferStatus(shop, wanted.reference)).toBe('FAILED')
  })
})

describe('what one provider says in two places', () => {
  const listed = async (shop: Merchant) => (await shop.call('GET', '/transactions')).body.data[0]

  test('differs in the list', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'contradict_in_list', count: 1 })
    const { tx_ref } = await shop.paid()
    expect(await chargeStatus(shop, tx_ref)).toBe('successful')
    expect((await listed(shop)).status).toBe('failed')
  })

  test('differs where one charge is asked for', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'contradict_in_verify', count: 1 })
    const { tx_ref } = await shop.paid()
    expect(await chargeStatus(shop, tx_ref)).toBe('failed')
    expect((await listed(shop)).status).toBe('successful')
  })

  test('has no reference in lists when another program made the charge', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'charge', effect: 'hide_reference', count: 1 })
    const charge = await shop.paid()
    expect(await listed(shop)).toMatchObject({ id: String(charge.id), tx_ref: null })
  })

  test('refuses a reference that has a page, when told to', async () => {
    const shop = await provider().merchant()
    await shop.rule({ operation: 'checkout', effect: 'refuse_repeated' })
    const order = {
      tx_ref: reference(),
      amount: 10,
      currency: 'NGN',
      customer: { email: 'a@b.co' },
    }
    expect((await shop.call('POST', '/payments', order)).status).toBe(200)
    const again = await shop.call('POST', '/payments', order)
    expect(again).toMatchObject({ status: 400, body: { message: 'Duplicate tx_ref' } })
  })
})
