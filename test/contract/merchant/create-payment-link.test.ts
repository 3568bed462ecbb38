import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseHostedReference } from '../../../src/kernel/basics/hosted-reference.ts'
import { bodyLimitBytes } from '../../../src/kernel/http/app.ts'
import { manualClock } from '../../support/clock.ts'
import { useContract } from '../../support/openapi.ts'
import { insertRecipient } from '../../support/recipients.ts'
import type { CallOptions, WantedKey } from '../../support/world.ts'

const clock = manualClock()
const { world, call } = useContract({ clock })
const unprovided = useContract({ clock, simulatorServesLive: false })
const path = '/merchant/api/v1/payment-links'

const post = (key: string, options: CallOptions) => call('POST', path, { key, ...options })
const newKey = (wanted: Partial<WantedKey> = {}) => world().key({ service: 'merchant', ...wanted })
const link = { title: 'A pair of shoes', currency: 'NGN' }
const nothing = { links: 0, acts: 0, keys: 0 }

async function written(businessId: string) {
  const [row] = await world().database.sql<{ links: number; acts: number; keys: number }[]>`
    select
      (select count(*)::int
       from merchant.payment_links
       where business_id = ${businessId}) as links,
      (select count(*)::int
       from kernel.audit_log
       where business_id = ${businessId}
         and action = 'payment_link.create') as acts,
      (select count(*)::int
       from kernel.idempotency_keys
       where business_id = ${businessId}) as keys`
  return row
}

function setKycStatus(businessId: string, status: string) {
  return world().database.sql`
    update merchant.profiles
    set kyc_status = ${status}
    where business_id = ${businessId}`
}

describe('200', () => {
  // covers: 200 created link, or the original link on a repeated key
  it('makes an open link from a title and a currency', async () => {
    const { text, businessId } = await newKey()
    const { status, body } = await post(text, { body: link })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: expect.stringMatching(/^https:\/\/tillbook\.example\/pay\/l\/[0-9A-Za-z]{45}$/),
      state: 'active',
      title: 'A pair of shoes',
      description: null,
      currency: 'NGN',
      amount: null,
      amount_minor: null,
      preset_amount: null,
      preset_amount_minor: null,
      items: [],
      expires_at: null,
      image_url: null,
      return_url: null,
      split_recipient_id: null,
      reference: null,
      metadata: {},
      payer_fields: {},
      environment: 'live',
      created_at: clock.now().toISOString(),
    })
    expect(parseHostedReference(body.url.split('/').at(-1))).toEqual({
      tenant: { businessId, environment: 'live' },
      id: body.id,
    })
    expect(await written(businessId)).toEqual({ links: 1, acts: 1, keys: 0 })
  })

  // covers: imageUrl: string uri
  // covers: 200 created link, or the original link on a repeated key
  it('keeps every field that was sent', async () => {
    const { text } = await newKey()
    const { body } = await post(text, {
      body: {
        title: ' Ọláyínká & Sons ',
        description: 'Two lines\nof text',
        currency: 'USD',
        amount: 1234.5,
        expiresAt: '2030-01-31T12:00:00+01:00',
        imageUrl: 'http://images.example/shoe.png?size=2#top',
        returnUrl: 'https://shop.example:8443/thanks?order=17&x=%20y',
      },
    })
    expect(body).toMatchObject({
      title: 'Ọláyínká & Sons',
      description: 'Two lines\nof text',
      currency: 'USD',
      amount: 1234.5,
      amount_minor: 123450,
      expires_at: '2030-01-31T11:00:00.000Z',
      image_url: 'http://images.example/shoe.png?size=2#top',
      return_url: 'https://shop.example:8443/thanks?order=17&x=%20y',
    })
  })

  const amounts: [string, string, string, string, string][] = [
    // covers: amount: number, major units, 0.01 to 100,000,000
    // covers: presetAmount: number
    // covers: Payout and payment-link amount
    ['the smallest', 'NGN', '0.01', '0.01', '1'],
    // covers: amount: number, major units, 0.01 to 100,000,000
    // covers: presetAmount: number
    // covers: Payout and payment-link amount
    ['the largest', 'NGN', '100000000', '100000000', '10000000000'],
    ['the largest with decimals', 'NGN', '99999999.99', '99999999.99', '9999999999'],
    ['zeros behind the point', 'USD', '10.500', '10.5', '1050'],
    ['an exponent', 'USD', '1.5e3', '1500', '150000'],
    ['the smallest of a currency without decimals', 'JPY', '1', '1', '1'],
    ['whole yen written with zeros', 'JPY', '12.00', '12', '12'],
    ['what floats cannot hold', 'NGN', '70368744.17', '70368744.17', '7036874417'],
  ]
  // covers: Amount units differ by field and are stated per field
  it.each(amounts)('takes %s as an amount, to the last digit', async (...one) => {
    const [, currency, sent, shown, minor] = one
    const { text } = await newKey()
    for (const [field, answer] of [
      ['amount', 'amount'],
      ['presetAmount', 'preset_amount'],
    ] as const) {
      const rawBody = `{"title":"A","currency":"${currency}","${field}":${sent}}`
      const { status, text: raw } = await post(text, { rawBody })
      expect(status).toBe(200)
      expect(raw).toContain(`"${answer}":${shown},"${answer}_minor":${minor},`)
    }
  })

  it.each([
    // covers: title: string, required, max 140
    // covers: Field lengths: title 140, link description 500
    ['title of 140 characters', { title: '🛒'.repeat(140) }],
    // covers: title: string, required, max 140
    ['title of one', { title: 'x' }],
    // covers: description: string, max 500
    // covers: Field lengths: title 140, link description 500
    ['description of 500 characters', { description: '🛒'.repeat(500) }],
    ['image address of 2000 characters', { imageUrl: address(2000) }],
    ['return address of 2000 characters', { returnUrl: address(2000) }],
    ['return address in upper case', { returnUrl: 'HTTPS://SHOP.EXAMPLE/' }],
    ['return address on this machine', { returnUrl: 'http://localhost:3000/back' }],
    ['return address of an app', { returnUrl: 'myapp://return?order=7' }],
    // covers: expiresAt: string date-time
    ['expiry in the next millisecond', { expiresAt: later(1) }],
    ['expiry without milliseconds', { expiresAt: '2030-01-31T12:00:00Z' }],
    // covers: idempotencyKey: string, max 255
    // covers: POST /payment-links: `Idempotency-Key` header or body field
    // covers: Payment-link idempotency key: up to 255 characters
    ['idempotency key of 255 characters', { idempotencyKey: '🛒'.repeat(255) }],
    ['idempotency key with a blank inside', { idempotencyKey: 'order 17' }],
  ])('takes a %s', async (_, fields) => {
    const { status, text } = await post((await newKey()).text, { body: { ...link, ...fields } })
    expect(status, text).toBe(200)
  })

  it('shows an empty description as none', async () => {
    const { body } = await post((await newKey()).text, { body: { ...link, description: '  ' } })
    expect(body.description).toBeNull()
  })

  it('is answered to a sandbox key, in the sandbox', async () => {
    const { text, businessId } = await newKey({ environment: 'test' })
    const { body } = await post(text, { body: link })
    expect(body.environment).toBe('test')
    expect(parseHostedReference(body.url.split('/').at(-1))?.tenant.environment).toBe('test')
    const rows = await world().database.sql`
      select environment
      from merchant.payment_links
      where business_id = ${businessId}`
    expect(rows).toMatchObject([{ environment: 'test' }])
  })

  it('is answered to a sandbox key of a business that no one has verified', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const { text } = await newKey({ businessId, environment: 'test' })
    expect((await post(text, { body: link })).status).toBe(200)
  })

  // covers: splitRecipientId: uuid; settles the charge to that recipient
  it('assigns a split recipient, whatever the case of its id', async () => {
    const { text, businessId } = await newKey()
    const id = await insertRecipient(world(), { businessId, environment: 'live' })
    for (const splitRecipientId of [id, id.toUpperCase()]) {
      const { status, body } = await post(text, { body: { ...link, splitRecipientId } })
      expect(status).toBe(200)
      expect(body.split_recipient_id).toBe(id)
    }
  })

  // covers: a link or QR code assigned to
  it('assigns a recipient that is disabled at the moment', async () => {
    const { text, businessId } = await newKey()
    const tenant = { businessId, environment: 'live' } as const
    const splitRecipientId = await insertRecipient(world(), tenant, { disabled: true })
    expect((await post(text, { body: { ...link, splitRecipientId } })).status).toBe(200)
  })

  it('writes into the audit log which key made it, and for whom', async () => {
    const { text, id, businessId } = await newKey()
    const recipient = await insertRecipient(world(), { businessId, environment: 'live' })
    const { body } = await post(text, { body: { ...link, splitRecipientId: recipient } })
    const acts = await world().database.sql`
      select environment, actor_kind, actor_id, object_kind, object_id, detail
      from kernel.audit_log
      where business_id = ${businessId}
        and action = 'payment_link.create'`
    expect(acts).toEqual([
      {
        environment: 'live',
        actorKind: 'key',
        actorId: id,
        objectKind: 'payment_link',
        objectId: body.id,
        detail: { split_recipient_id: recipient },
      },
    ])
  })

  it('sends no event', async () => {
    const { text, businessId } = await newKey()
    await post(text, { body: link })
    const events = await world().database.sql`
      select id
      from kernel.events
      where business_id = ${businessId}`
    expect(events).toEqual([])
  })
})

describe('400', () => {
  const fields: [string, string, object][] = [
    // covers: title: string, required, max 140
    ['a missing title', 'title', { title: undefined }],
    // covers: title: string, required, max 140
    ['a blank title', 'title', { title: '  ' }],
    // covers: title: string, required, max 140
    // covers: Field lengths: title 140, link description 500
    ['a title of 141 characters', 'title', { title: '🛒'.repeat(141) }],
    ['a title with U+0000', 'title', { title: 'a\u0000' }],
    ['a null title', 'title', { title: null }],
    // covers: description: string, max 500
    // covers: Field lengths: title 140, link description 500
    ['a description of 501 characters', 'description', { description: 'a'.repeat(501) }],
    ['a null description', 'description', { description: null }],
    // covers: Payment link (create request) › currency: string, required, exactly 3 characters
    ['a missing currency', 'currency', { currency: undefined }],
    ['a currency in lower case', 'currency', { currency: 'ngn' }],
    // covers: Payment link (create request) › currency: string, required, exactly 3 characters
    ['a currency of two letters', 'currency', { currency: 'NG' }],
    // covers: Payment link (create request) › currency: string, required, exactly 3 characters
    ['a currency of four letters', 'currency', { currency: 'NGNN' }],
    ['a currency with a blank', 'currency', { currency: 'NGN ' }],
    ['a currency that there is not', 'currency', { currency: 'ZZZ' }],
    ['a metal for a currency', 'currency', { currency: 'XAU' }],
    ['text for an amount', 'amount', { amount: '10.00' }],
    ['a null amount', 'amount', { amount: null }],
    // covers: Out-of-range amounts: 400
    ['an amount of nothing', 'amount', { amount: 0 }],
    // covers: amount: number, major units, 0.01 to 100,000,000
    // covers: Payout and payment-link amount
    ['an amount below 0.01', 'amount', { amount: 0.009 }],
    ['a negative amount', 'amount', { amount: -1 }],
    // covers: amount: number, major units, 0.01 to 100,000,000
    // covers: 400 invalid_request: invalid input or a broken business rule
    // covers: Payout and payment-link amount
    ['an amount above 100,000,000', 'amount', { amount: 100_000_000.01 }],
    // covers: Out-of-range amounts: 400
    ['an endless amount', 'amount', { amount: 1e300 }],
    ['a tenth of a kobo', 'amount', { amount: 10.005 }],
    ['half a yen', 'amount', { amount: 1.5, currency: 'JPY' }],
    ['text for a preset amount', 'presetAmount', { presetAmount: '1' }],
    // covers: presetAmount: number
    ['a preset amount below 0.01', 'presetAmount', { presetAmount: 0.001 }],
    // covers: presetAmount: number
    ['a preset amount above 100,000,000', 'presetAmount', { presetAmount: 1e8 + 1 }],
    ['a preset amount of too many decimals', 'presetAmount', { presetAmount: 1.234 }],
    ['an expiry in the past', 'expiresAt', { expiresAt: '2026-02-28T23:59:59Z' }],
    ['an expiry before time began', 'expiresAt', { expiresAt: '0001-01-01T00:00:00Z' }],
    // covers: expiresAt: string date-time
    ['a day for an expiry', 'expiresAt', { expiresAt: '2030-01-31' }],
    // covers: expiresAt: string date-time
    ['a local time for an expiry', 'expiresAt', { expiresAt: '2030-01-31T12:00:00' }],
    ['a day that there is not', 'expiresAt', { expiresAt: '2030-02-30T12:00:00Z' }],
    ['seconds for an expiry', 'expiresAt', { expiresAt: 1_900_000_000 }],
    ['an empty expiry', 'expiresAt', { expiresAt: '' }],
    ['an unknown field', 'ammount', { ammount: 1 }],
    ['a field of the record', 'amount_minor', { amount_minor: 1 }],
    ['a recipient that is no UUID', 'splitRecipientId', { splitRecipientId: '17' }],
    ['a null recipient', 'splitRecipientId', { splitRecipientId: null }],
    ['an empty idempotency key', 'idempotencyKey', { idempotencyKey: '' }],
    ['one of 256 characters', 'idempotencyKey', { idempotencyKey: 'k'.repeat(256) }],
    ['one with a control character', 'idempotencyKey', { idempotencyKey: 'a\u0000b' }],
    ['a number for an idempotency key', 'idempotencyKey', { idempotencyKey: 17 }],
  ]
  const addresses = [
    ...['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\nscript:x'],
    ...['data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'ftp://a.example/', 'about:blank'],
    ...['//evil.example/', '/thanks', 'shop.example', '', 'https://', 'https:shop.example'],
    ...['https:///shop.example', 'https://a b.example/', 'https://shop.example/\r\nX: y'],
    ...['https://user@shop.example/', 'https://bank.example:x@evil.example/', 'http://[::1'],
    ...['https://shop.example/<script>', 'https://shop.example/%zz', 'https://shop.example/ü'],
    ...['https://shop.example:99999/', 'blob:https://shop.example/x', address(2001)],
  ]
  const refused = ['imageUrl', 'returnUrl'].flatMap((field) =>
    [...addresses, null, 17].map((value): [string, string, object] => [
      `${field} ${JSON.stringify(value)?.slice(0, 50)}`,
      field,
      { [field]: value },
    ]),
  )
  const isRefused = async (_: string, field: string, changed: object) => {
    const { text, businessId } = await newKey()
    const { status, body } = await post(text, { body: { ...link, ...changed } })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect(body.error.formErrors).toEqual([])
    expect(Object.keys(body.error.fieldErrors)).toEqual([field])
    expect(await written(businessId)).toEqual(nothing)
  }
  it.each(fields)('is the answer to %s', isRefused)

  // covers: imageUrl: string uri
  it.each(refused)('is the answer to %s', isRefused)

  // covers: expiresAt: string date-time
  it('is the answer to an expiry at this very moment', async () => {
    const expiresAt = clock.now().toISOString()
    const { status } = await post((await newKey()).text, { body: { ...link, expiresAt } })
    expect(status).toBe(400)
  })

  // covers: for invalid input it is an object `{formErrors
  it('names every wrong field at once', async () => {
    const { body } = await post((await newKey()).text, {
      body: { title: '', currency: 'x', amount: 'y', returnUrl: 'z', extra: 1 },
    })
    expect(Object.keys(body.error.fieldErrors).sort()).toEqual([
      ...['amount', 'currency', 'extra', 'returnUrl', 'title'],
    ])
  })

  it('is the answer to two forms of the idempotency key that differ', async () => {
    const { text, businessId } = await newKey()
    const { status, body } = await post(text, {
      body: { ...link, idempotencyKey: 'one' },
      headers: { 'idempotency-key': 'two' },
    })
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual(['idempotencyKey'])
    expect(await written(businessId)).toEqual(nothing)
  })

  it.each([
    ['an empty header', '', 'Must not be empty.'],
    // covers: idempotencyKey: string, max 255
    // covers: POST /payment-links: `Idempotency-Key` header or body field
    // covers: Payment-link idempotency key: up to 255 characters
    ['one of 256 characters', 'k'.repeat(256), 'At most 255 characters.'],
    ['one with a tab inside', 'a\tb', 'Use printable ASCII characters only.'],
  ])('is the answer to %s', async (_, value, message) => {
    const headers = { 'idempotency-key': value }
    const { status, body } = await post((await newKey()).text, { body: link, headers })
    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual({ 'idempotency-key': [message] })
  })

  // covers: for invalid input it is an object `{formErrors
  it.each(['null', '[]', '"A"', '{"title"'])('is the answer to the body %s', async (rawBody) => {
    const { status, body } = await post((await newKey()).text, { rawBody })
    expect(status).toBe(400)
    expect(body.error.formErrors).toHaveLength(1)
  })
})

describe('401', () => {
  it('is the answer without a key, before the body is looked at', async () => {
    expect((await call('POST', path, { rawBody: 'not JSON' })).status).toBe(401)
  })
})

describe('403', () => {
  const others = { scopes: ['qr_codes:write', 'splits:assign', 'payments:read'] }

  // covers: POST /payment-links, payment_links:write
  it('is the answer to a key without the scope, before the body is looked at', async () => {
    const { text } = await newKey(others)
    for (const options of [{ body: link }, { rawBody: 'not JSON' }]) {
      const { status, body } = await post(text, options)
      expect(status).toBe(403)
      expect(body.error).toBe('The key needs the scope payment_links:write.')
    }
  })

  // covers: POST /payment-links, payment_links:write
  it('is the answer to a recipient from a key that may not assign any', async () => {
    const { text, businessId } = await newKey({ scopes: ['payment_links:write'] })
    const splitRecipientId = await insertRecipient(world(), { businessId, environment: 'live' })
    const refused = await post(text, { body: { ...link, splitRecipientId } })
    expect(refused.status).toBe(403)
    expect(refused.body.error).toBe('The key needs the scope splits:assign.')
    expect(await written(businessId)).toEqual(nothing)
    expect((await post(text, { body: link })).status).toBe(200)
  })

  it('comes after 400 for the body, and before the answer to a repeat', async () => {
    const businessId = await world().business()
    const full = await newKey({ businessId })
    const narrow = await newKey({ businessId, scopes: ['payment_links:write'] })
    const headers = { 'idempotency-key': 'order-1001' }
    const split = { ...link, splitRecipientId: randomUUID() }
    await post(full.text, { body: link, headers })
    expect((await post(narrow.text, { body: { ...split, amount: 0.001 } })).status).toBe(400)
    expect((await post(narrow.text, { body: split, headers })).status).toBe(403)
  })

  // covers: 5. A missing scope, an unverified business
  it.each(['unverified', 'pending', 'rejected'] as const)(
    'is the answer to a live key of a business that is %s',
    async (kycStatus) => {
      const businessId = await world().business({ kycStatus })
      const { text } = await newKey({ businessId })
      const headers = { 'idempotency-key': 'order-1001' }
      const { status, body } = await post(text, { body: link, headers })
      expect(status).toBe(403)
      expect(body.code).toBe('permission_denied')
      expect(await written(businessId)).toEqual(nothing)
      await setKycStatus(businessId, 'verified')
      expect((await post(text, { body: link, headers })).status).toBe(200)
    },
  )
})

describe('404', () => {
  // covers: 6. Objects belong to a business and an environment
  it('is the answer to a recipient of no one, another business or another environment', async () => {
    const { text, businessId } = await newKey()
    const other = await world().business()
    const live = { environment: 'live' } as const
    for (const splitRecipientId of [
      randomUUID(),
      await insertRecipient(world(), { businessId, environment: 'test' }),
      await insertRecipient(world(), { businessId: other, ...live }),
    ]) {
      const { status, body } = await post(text, { body: { ...link, splitRecipientId } })
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect(body.error).toBe('No such split recipient.')
    }
    expect(await written(businessId)).toEqual(nothing)
  })
})

describe('413', () => {
  // covers: 413 payload_too_large: body too large
  it('is the answer to a body of one byte more than 256 KiB', async () => {
    const rawBody = JSON.stringify(link).padEnd(bodyLimitBytes + 1)
    expect((await post((await newKey()).text, { rawBody })).status).toBe(413)
  })
})

describe('500', () => {
  // covers: Bodies never contain internal detail
  // covers: 500 internal_error: fault on the service side
  it('leaves nothing behind when the last statement fails, and says nothing of it', async () => {
    const { text, businessId } = await newKey()
    const { sql } = world().database
    await sql`
      alter table kernel.audit_log
      add constraint no_links_today check (action <> 'payment_link.create') not valid`
    try {
      const headers = { 'idempotency-key': 'order-1001' }
      const { status, text: raw } = await post(text, { body: link, headers })
      expect(status).toBe(500)
      expect(raw).not.toMatch(/audit|constraint|check/i)
      expect(await written(businessId)).toEqual(nothing)
    } finally {
      await sql`alter table kernel.audit_log drop constraint no_links_today`
    }
  })
})

describe('501', () => {
  // covers: 501 not_implemented: not available for that currency
  it.each(['CHF', 'KWD', 'CLF'])(
    'is the answer to %s, which the provider does not take',
    async (currency) => {
      const { text, businessId } = await newKey()
      const { status, body } = await post(text, { body: { ...link, currency } })
      expect(status).toBe(501)
      expect(body.code).toBe('not_implemented')
      expect(body.error).toContain(currency)
      expect(await written(businessId)).toEqual(nothing)
    },
  )
})

describe('503', () => {
  // covers: 503 unavailable: temporarily unavailable
  it('is the answer to a live key where no provider is configured', async () => {
    const { text, businessId } = await unprovided.world().key({ service: 'merchant' })
    const { status, body } = await unprovided.call('POST', path, { key: text, body: link })
    expect(status).toBe(503)
    expect(body.code).toBe('unavailable')
    const sandbox = await unprovided
      .world()
      .key({ service: 'merchant', businessId, environment: 'test' })
    const answer = await unprovided.call('POST', path, { key: sandbox.text, body: link })
    expect(answer.status).toBe(200)
  })
})

function later(milliseconds: number): string {
  return new Date(clock.now().getTime() + milliseconds).toISOString()
}

function address(length: number): string {
  return 'https://shop.example/'.padEnd(length, 'a')
}
