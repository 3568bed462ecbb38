import { describe, expect, test } from 'vitest'
import { callApi, reference, useProvider } from './provider.ts'

const provider = useProvider()

describe('keys', () => {
  test('a call without a key is refused in the provider’s envelope', async () => {
    const answer = await callApi(`${provider().apiUrl}/v3/balances`, 'GET', undefined)
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      status: 'error',
      message: 'Authorization required',
      data: null,
    })
  })

  test.each([
    'FLWPUBK_TEST-shop-X',
    'FLWSECK_TEST-shop',
    'FLWSECK_TEST--X',
    'svc_live_abc',
    'FLWSECK_TEST-a b-X',
  ])('the key %s is refused', async (key) => {
    const answer = await callApi(`${provider().apiUrl}/v3/balances`, 'GET', key)
    expect(answer.status).toBe(401)
    expect(answer.body.message).toBe('Invalid authorization key')
  })

  test('test and live of one name, and two names, are separate worlds', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid()
    const live = shop.key.replace('FLWSECK_TEST-', 'FLWSECK-')
    for (const key of [live, 'FLWSECK_TEST-stranger-X']) {
      const url = `${provider().apiUrl}/v3/transactions/${charge.id}/verify`
      expect((await callApi(url, 'GET', key)).status).toBe(400)
    }
    expect((await shop.call('GET', `/transactions/${charge.id}/verify`)).status).toBe(200)
  })

  test('an unknown path is refused in the provider’s envelope', async () => {
    const shop = await provider().merchant()
    const answer = await shop.call('GET', '/nothing')
    expect(answer.status).toBe(404)
    expect(answer.body.status).toBe('error')
  })
})

describe('POST /payments', () => {
  test('gives a link and charges nothing', async () => {
    const shop = await provider().merchant()
    const txRef = reference()
    const answer = await shop.call('POST', '/payments', {
      tx_ref: txRef,
      amount: '12.50',
      currency: 'USD',
      customer: { email: 'payer@example.com' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'success', message: 'Hosted Link' })
    expect(answer.body.data.link).toMatch(
      /^https:\/\/tillbook\.example\/simulator\/pay\/[0-9a-f-]+$/,
    )
    expect((await shop.effects(txRef)).charge).toBe(0)
    const verify = await shop.call('GET', `/transactions/verify_by_reference?tx_ref=${txRef}`)
    expect(verify.status).toBe(400)
    expect(verify.body.message).toBe('No transaction was found for this id')
  })

  test.each([
    ['tx_ref is required', { tx_ref: undefined }],
    ['tx_ref must not exceed 100 characters', { tx_ref: 'x'.repeat(101) }],
    ['amount is required', { amount: undefined }],
    ['amount must be a number', { amount: 'ten' }],
    ['amount is invalid', { amount: 0 }],
    ['amount is invalid', { amount: -1 }],
    ['currency XYZ is not supported', { currency: 'XYZ' }],
    ['email is required', { customer: {} }],
    ['customer must be an object', { customer: 'payer' }],
    ['redirect_url must be a valid URL', { redirect_url: 'javascript:alert(1)' }],
    ['session_duration must be from 1 to 1440', { session_duration: 1441 }],
    ['max_retry_attempt must be from 1 to 100', { max_retry_attempt: 0 }],
    ['Invalid subaccount id', { subaccounts: [{ id: 'RS_unknown' }] }],
  ])('says “%s”', async (message, change) => {
    const shop = await provider().merchant()
    const answer = await shop.call('POST', '/payments', {
      tx_ref: reference(),
      amount: 10,
      customer: { email: 'payer@example.com' },
      ...change,
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ status: 'error', message, data: null })
  })

  test('a body that is no JSON object is refused', async () => {
    const shop = await provider().merchant()
    for (const body of ['{"tx_ref":', '[]', '7']) {
      expect((await shop.call('POST', '/payments', body)).status).toBe(400)
    }
  })

  test('charges in naira when no currency is named', async () => {
    const shop = await provider().merchant()
    expect((await shop.paid({ currency: undefined })).currency).toBe('NGN')
  })

  test('the same tx_ref gets a second link, and only one of the two can be paid', async () => {
    const shop = await provider().merchant()
    const { txRef } = await shop.link()
    await shop.link({ tx_ref: txRef })
    expect((await shop.control('POST', '/pay', { tx_ref: txRef })).status).toBe(200)
    const second = await shop.control('POST', '/pay', { tx_ref: txRef })
    expect(second.status).toBe(400)
    expect(second.body.message).toContain('Duplicate transaction reference')
    expect((await shop.effects(txRef)).charge).toBe(1)
  })
})

describe('verify', () => {
  test('tells everything about a successful charge, with three decimals in the fee', async () => {
    const shop = await provider().merchant()
    const { txRef } = await shop.link({
      amount: 1000.5,
      meta: { order: 12345678901234567890n.toString() },
    })
    await shop.control('POST', '/pay', { tx_ref: txRef, card: 'pin' })
    const answer = await shop.call('GET', `/transactions/verify_by_reference?tx_ref=${txRef}`)
    expect(answer.body.message).toBe('Transaction fetched successfully')
    expect(answer.body.data).toMatchObject({
      tx_ref: txRef,
      amount: 1000.5,
      currency: 'NGN',
      charged_amount: 1000.5,
      app_fee: 14.007,
      merchant_fee: 0,
      amount_settled: 986.493,
      processor_response: 'Approved. Successful',
      auth_model: 'PIN',
      status: 'successful',
      payment_type: 'card',
      meta: { order: '12345678901234567890' },
      card: {
        first_6digits: '553188',
        last_4digits: '2950',
        issuer: 'MASTERCARD CREDIT',
        country: 'NIGERIA NG',
        type: 'MASTERCARD',
        expiry: '09/32',
      },
      customer: { email: 'payer@example.com', name: 'Test Payer', phone_number: '0800' },
    })
    expect(answer.text).toContain('"app_fee":14.007,')
    expect(answer.body.data.flw_ref).toMatch(/^FLW-MOCK-/)
    expect(answer.body.data.card.token).toMatch(/^flw-t1nf-/)
  })

  test('ids are numbers there and text in the list', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid()
    expect(charge.id).toBeTypeOf('number')
    const list = await shop.call('GET', `/transactions?tx_ref=${charge.tx_ref}`)
    expect(list.body.data).toHaveLength(1)
    expect(list.body.data[0].id).toBe(String(charge.id))
    const verified = await shop.call('GET', `/transactions/${charge.id}/verify`)
    expect(verified.body.data).toEqual(charge)
  })

  test.each(['0', '999999999', 'abc', '-1', '99999999999999999999'])(
    'the unknown id %s is a 400',
    async (id) => {
      const shop = await provider().merchant()
      const answer = await shop.call('GET', `/transactions/${id}/verify`)
      expect(answer.status).toBe(400)
      expect(answer.body.message).toBe('No transaction was found for this id')
    },
  )

  test('of several attempts with one tx_ref the successful one is told', async () => {
    const shop = await provider().merchant()
    const { txRef } = await shop.link()
    for (const card of ['insufficient_funds', 'no_auth']) {
      await shop.control('POST', '/pay', { tx_ref: txRef, card })
    }
    const answer = await shop.call('GET', `/transactions/verify_by_reference?tx_ref=${txRef}`)
    expect(answer.body.data.status).toBe('successful')
    const list = await shop.call('GET', `/transactions?tx_ref=${txRef}`)
    expect(list.body.data.map(({ status }: { status: string }) => status)).toEqual([
      'successful',
      'failed',
    ])
  })

  test.each([
    ['insufficient_funds', 'Insufficient Funds'],
    ['do_not_honour', 'Do Not Honour'],
    ['fraudulent', 'Suspected Fraud'],
    ['incorrect_pin', 'Incorrect PIN'],
  ])('the card %s is declined: %s', async (card, reason) => {
    const shop = await provider().merchant()
    const charge = await shop.paid({}, card)
    expect(charge).toMatchObject({ status: 'failed', processor_response: reason })
    expect(charge.amount_settled).toBeNull()
    expect((await shop.effects(charge.tx_ref)).charge).toBe(0)
  })

  test.each(['pin', '3ds', 'visa_3ds', 'verve_pin', 'no_auth', 'address', 'preauthorised'])(
    'the card %s succeeds',
    async (card) => {
      const shop = await provider().merchant()
      expect((await shop.paid({}, card)).status).toBe('successful')
    },
  )
})

describe('GET /transactions', () => {
  test('filters, and counts its pages', async () => {
    const shop = await provider().merchant()
    for (let number = 0; number < 11; number += 1) await shop.paid({ amount: 100 })
    await shop.paid({ currency: 'USD' })
    await shop.paid({}, 'do_not_honour')
    const all = await shop.call('GET', '/transactions')
    expect(all.body.meta.page_info).toEqual({ total: 13, current_page: 1, total_pages: 2 })
    expect(all.body.data).toHaveLength(10)
    const second = await shop.call('GET', '/transactions?page=2')
    expect(second.body.data).toHaveLength(3)
    expect((await shop.call('GET', '/transactions?page=3')).body.data).toEqual([])
    expect((await shop.call('GET', '/transactions?currency=USD')).body.data).toHaveLength(1)
    expect((await shop.call('GET', '/transactions?status=failed')).body.data).toHaveLength(1)
    const today = provider().clock.now().toISOString().slice(0, 10)
    const ofToday = await shop.call('GET', `/transactions?from=${today}&to=${today}`)
    expect(ofToday.body.meta.page_info.total).toBe(13)
    expect((await shop.call('GET', '/transactions?to=2020-01-01')).body.data).toEqual([])
    expect((await shop.call('GET', '/transactions?from=yesterday')).status).toBe(400)
    expect((await shop.call('GET', '/transactions?page=0')).status).toBe(400)
  })
})

describe('fees', () => {
  test('are quoted as they are taken', async () => {
    const shop = await provider().merchant()
    const naira = await shop.call('GET', '/transactions/fee?amount=1000.5&currency=NGN')
    expect(naira.body.data).toEqual({
      charge_amount: 1014.507,
      fee: 14.007,
      merchant_fee: 0,
      flutterwave_fee: 14.007,
      stamp_duty_fee: 0,
      currency: 'NGN',
    })
    const dollars = await shop.call('GET', '/transactions/fee?amount=100&currency=USD')
    expect(dollars.body.data.fee).toBe(3.8)
    expect((await shop.call('GET', '/transactions/fee?currency=NGN')).status).toBe(400)
  })

  test('are set for each world', async () => {
    const shop = await provider().merchant()
    await shop.control('PUT', '/world', { charge_fee_percents: { NGN: '2.5', '*': 1 } })
    expect((await shop.paid({ amount: 1000 })).app_fee).toBe(25)
    expect((await shop.paid({ amount: 1000, currency: 'KES' })).app_fee).toBe(10)
  })
})

describe('POST /tokenized-charges', () => {
  test('charges the saved card again', async () => {
    const shop = await provider().merchant()
    const first = await shop.paid({}, '3ds')
    const txRef = reference()
    const answer = await shop.call('POST', '/tokenized-charges', {
      token: first.card.token,
      email: 'payer@example.com',
      currency: 'NGN',
      country: 'NG',
      amount: 250,
      tx_ref: txRef,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      tx_ref: txRef,
      status: 'successful',
      amount: 250,
      app_fee: 3.5,
      card: { token: first.card.token, last_4digits: '0229' },
    })
    expect((await shop.effects(txRef)).charge).toBe(1)
  })

  test('refuses a reference that was charged, also when asked twenty times at once', async () => {
    const shop = await provider().merchant()
    const { card } = await shop.paid()
    const body = {
      token: card.token,
      email: 'payer@example.com',
      amount: 250,
      currency: 'NGN',
      tx_ref: reference(),
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.call('POST', '/tokenized-charges', body)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
    expect((await shop.effects(body.tx_ref)).charge).toBe(1)
  })

  test.each([
    ['another token', { token: 'flw-t1nf-unknown-m03k' }],
    ['another e-mail address', { email: 'other@example.com' }],
  ])('refuses %s', async (_, change) => {
    const shop = await provider().merchant()
    const { card } = await shop.paid()
    const answer = await shop.call('POST', '/tokenized-charges', {
      token: card.token,
      email: 'payer@example.com',
      amount: 250,
      tx_ref: reference(),
      ...change,
    })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('Wrong token or email passed')
  })

  test('tells a decline', async () => {
    const shop = await provider().merchant()
    const { card } = await shop.paid()
    const txRef = reference()
    await shop.rule({ operation: 'charge', effect: 'decline', reason: 'Expired Card', count: 1 })
    const answer = await shop.call('POST', '/tokenized-charges', {
      token: card.token,
      email: 'payer@example.com',
      amount: 250,
      tx_ref: txRef,
    })
    expect(answer.body.data).toMatchObject({
      status: 'failed',
      processor_response: 'Expired Card',
    })
    expect((await shop.effects(txRef)).charge).toBe(0)
  })
})

describe('the timeline and the webhook', () => {
  test('the timeline tells what happened, in order', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid()
    const { body } = await shop.call('GET', `/transactions/${charge.id}/events`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'charge',
      'success',
      'settlement',
    ])
    expect(Object.keys(body.data[0])).toEqual([
      'note',
      'actor',
      'object',
      'action',
      'context',
      'created_at',
    ])
    expect((await shop.call('GET', '/transactions/1/events')).status).toBe(400)
  })

  test('a webhook tells the outcome, with the hash as it was set', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid({ meta: { basket: 7 } })
    expect(shop.webhooks).toHaveLength(1)
    const [webhook] = shop.webhooks
    expect(webhook?.headers['verif-hash']).toMatch(/^hash of shop/)
    expect(webhook?.body).toMatchObject({
      event: 'charge.completed',
      'event.type': 'CARD_TRANSACTION',
      meta_data: { basket: 7 },
      data: { id: charge.id, tx_ref: charge.tx_ref, status: 'successful', amount: 1000 },
    })
    expect(webhook?.body.data.card.token).toBeUndefined()
  })

  test('a decline has its webhook too', async () => {
    const shop = await provider().merchant()
    await shop.paid({}, 'do_not_honour')
    expect(shop.webhooks.map(({ body }) => body.data.status)).toEqual(['failed'])
  })

  test('it is sent again when asked for', async () => {
    const shop = await provider().merchant()
    const charge = await shop.paid()
    const answer = await shop.call('POST', `/transactions/${charge.id}/resend-hook`)
    expect(answer.body).toEqual({ status: 'success', message: 'hook sent', data: null })
    await shop.drain()
    expect(shop.webhooks).toHaveLength(2)
    expect(shop.webhooks[1]?.body).toEqual(shop.webhooks[0]?.body)
  })

  test('it goes to the address that the program gives, when the world has none', async () => {
    const shop = await provider().merchant()
    await shop.control('PUT', '/world', { webhook_url: null, webhook_hash: null })
    const charge = await shop.paid()
    expect(shop.webhooks).toEqual([])
    const { unaddressed } = provider()
    expect(unaddressed.map(({ body }) => body.data.tx_ref)).toEqual([charge.tx_ref])
    expect(unaddressed[0]?.headers['verif-hash']).toBe('default hash')
  })

  test('it is not tried again when no one listens', async () => {
    const shop = await provider().merchant()
    await shop.control('PUT', '/world', { webhook_url: 'http://127.0.0.1:9/closed' })
    const charge = await shop.paid()
    await shop.drain()
    const { body } = await shop.control('GET', `/webhooks?reference=${charge.tx_ref}`)
    expect(body.webhooks).toHaveLength(1)
    expect(body.webhooks[0]).toMatchObject({ status_code: null, error: expect.any(String) })
    expect(body.webhooks[0].sent_at).not.toBeNull()
  })
})
