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
const path = '/merchant/api/v1/qr-codes'

const post = (key: string, options: CallOptions) => call('POST', path, { key, ...options })
const newKey = (wanted: Partial<WantedKey> = {}) => world().key({ service: 'merchant', ...wanted })
const open = { mode: 'open_amount', currency: 'NGN' }
const fixed = { mode: 'fixed_amount', currency: 'NGN', amount: 150_000 }
const nothing = { codes: 0, acts: 0 }

async function written(businessId: string) {
  const [row] = await world().database.sql<{ codes: number; acts: number }[]>`
    select
      (select count(*)::int from merchant.qr_codes where business_id = ${businessId}) as codes,
      (select count(*)::int
       from kernel.audit_log
       where business_id = ${businessId}
         and action = 'qr_code.create') as acts`
  return row
}

describe('200', () => {
  // covers: mode: required, `fixed_amount` or `open_amount`
  // covers: POST /qr-codes, qr_codes:write
  it('makes an open code from a mode and a currency', async () => {
    const { text, businessId } = await newKey()
    const { status, body } = await post(text, { body: open })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: expect.stringMatching(/^https:\/\/tillbook\.example\/pay\/q\/[0-9A-Za-z]{45}$/),
      png_url: `${body.url}.png`,
      svg_url: `${body.url}.svg`,
      state: 'active',
      mode: 'open_amount',
      currency: 'NGN',
      amount: null,
      description: null,
      single_use: false,
      return_url: null,
      split_recipient_id: null,
      reference: null,
      metadata: {},
      environment: 'live',
      created_at: clock.now().toISOString(),
    })
    expect(parseHostedReference(body.url.split('/').at(-1))).toEqual({
      tenant: { businessId, environment: 'live' },
      id: body.id,
    })
    expect(await written(businessId)).toEqual({ codes: 1, acts: 1 })
  })

  // covers: amount: integer, required when mode is fixed_amount
  it('takes an amount of an open code as a suggestion that the payer can change', async () => {
    const { text } = await newKey()
    const { status, body } = await post(text, { body: { ...open, amount: 150_000 } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ mode: 'open_amount', amount: 150_000 })
    const page = await world().call('GET', new URL(body.url).pathname)
    expect(page.text).toMatch(/<input[^>]*value="1,500.00"/)
  })

  // covers: mode: required, `fixed_amount` or `open_amount`
  // covers: singleUse: boolean
  it('keeps every field that was sent', async () => {
    const { text } = await newKey()
    const { body } = await post(text, {
      body: {
        ...fixed,
        description: ' Table 7 ',
        singleUse: true,
        returnUrl: 'https://shop.example/thanks?table=7',
      },
    })
    expect(body).toMatchObject({
      mode: 'fixed_amount',
      amount: 150_000,
      description: 'Table 7',
      single_use: true,
      return_url: 'https://shop.example/thanks?table=7',
    })
  })

  // covers: Amount units differ by field and are stated per field
  it.each([
    // covers: amount: integer, required when mode is fixed_amount
    // covers: QR code amount: up to 10,000,000,000 minor units
    ['1', 1],
    // covers: amount: integer, required when mode is fixed_amount
    // covers: QR code amount: up to 10,000,000,000 minor units
    ['10000000000', 10_000_000_000],
    ['100.0', 100],
    ['1e2', 100],
  ])('takes %s minor units', async (sent, shown) => {
    const rawBody = `{"mode":"fixed_amount","currency":"JPY","amount":${sent}}`
    const { status, body } = await post((await newKey()).text, { rawBody })
    expect(status).toBe(200)
    expect(body.amount).toBe(shown)
  })

  it.each([
    // covers: description: string, max 140
    // covers: QR description 140
    ['description of 140 characters', { description: '🛒'.repeat(140) }],
    ['blank description', { description: ' ' }],
    ['return address of 2000 characters', { returnUrl: address(2000) }],
    ['code for many payers that says so', { singleUse: false }],
  ])('takes a %s', async (_, fields) => {
    const { status, text } = await post((await newKey()).text, { body: { ...open, ...fields } })
    expect(status, text).toBe(200)
  })

  it('is returned for a sandbox key, in the sandbox, for any business', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const { text } = await newKey({ businessId, environment: 'test' })
    const { status, body } = await post(text, { body: open })
    expect(status).toBe(200)
    expect(body.environment).toBe('test')
    const rows = await world().database.sql`
      select environment
      from merchant.qr_codes
      where business_id = ${businessId}`
    expect(rows).toMatchObject([{ environment: 'test' }])
  })

  it('makes a code with every call, since it has no idempotency key', async () => {
    const { text, businessId } = await newKey()
    const headers = { 'idempotency-key': 'order-1001' }
    await post(text, { body: open, headers })
    await post(text, { body: open, headers })
    expect(await written(businessId)).toEqual({ codes: 2, acts: 2 })
  })

  // covers: QR code (create request) › splitRecipientId: uuid
  it('assigns a split recipient, and writes into the audit log who did', async () => {
    const { text, id, businessId } = await newKey()
    const recipient = await insertRecipient(world(), { businessId, environment: 'live' })
    const { body } = await post(text, { body: { ...open, splitRecipientId: recipient } })
    expect(body.split_recipient_id).toBe(recipient)
    const acts = await world().database.sql`
      select environment, actor_kind, actor_id, object_kind, object_id, detail
      from kernel.audit_log
      where business_id = ${businessId}
        and action = 'qr_code.create'`
    expect(acts).toEqual([
      {
        environment: 'live',
        actorKind: 'key',
        actorId: id,
        objectKind: 'qr_code',
        objectId: body.id,
        detail: { split_recipient_id: recipient },
      },
    ])
  })
})

describe('400', () => {
  const cases: [string, string, object][] = [
    // covers: mode: required, `fixed_amount` or `open_amount`
    ['a missing mode', 'mode', { mode: undefined }],
    // covers: mode: required, `fixed_amount` or `open_amount`
    ['a mode that there is not', 'mode', { mode: 'any_amount' }],
    ['a null mode', 'mode', { mode: null }],
    // covers: currency: required, exactly 3 characters
    ['a missing currency', 'currency', { currency: undefined }],
    ['a currency in lower case', 'currency', { currency: 'ngn' }],
    ['a currency of four letters', 'currency', { currency: 'NGNN' }],
    ['a currency that there is not', 'currency', { currency: 'ZZZ' }],
    // covers: amount: integer, required when mode is fixed_amount
    ['a fixed amount that is missing', 'amount', { amount: undefined }],
    // covers: QR code amount: up to 10,000,000,000 minor units
    // covers: Out-of-range amounts: 400
    ['an amount of nothing', 'amount', { amount: 0 }],
    ['a negative amount', 'amount', { amount: -1 }],
    // covers: amount: integer, required when mode is fixed_amount
    ['part of a minor unit', 'amount', { amount: 100.5 }],
    // covers: amount: integer, required when mode is fixed_amount
    // covers: QR code amount: up to 10,000,000,000 minor units
    ['an amount above 10,000,000,000', 'amount', { amount: 10_000_000_001 }],
    // covers: Out-of-range amounts: 400
    ['an endless amount', 'amount', { amount: 1e300 }],
    ['text for an amount', 'amount', { amount: '100' }],
    ['a null amount', 'amount', { amount: null }],
    // covers: description: string, max 140
    // covers: QR description 140
    ['a description of 141 characters', 'description', { description: 'a'.repeat(141) }],
    ['a description with a control character', 'description', { description: '\u0007' }],
    // covers: singleUse: boolean
    ['text for a flag', 'singleUse', { singleUse: 'true' }],
    ['a null flag', 'singleUse', { singleUse: null }],
    ['a script to return to', 'returnUrl', { returnUrl: 'javascript:alert(1)' }],
    // covers: returnUrl: string uri
    ['a path to return to', 'returnUrl', { returnUrl: '/thanks' }],
    ['a return address of 2001 characters', 'returnUrl', { returnUrl: address(2001) }],
    ['a recipient that is no UUID', 'splitRecipientId', { splitRecipientId: 'x' }],
    ['a field of links', 'title', { title: 'A' }],
    ['an idempotency key, which codes do not have', 'idempotencyKey', { idempotencyKey: 'x' }],
    ['a field of another spelling', 'single_use', { single_use: true }],
  ]
  it.each(cases)('is the answer to %s', async (_, field, changed) => {
    const { text, businessId } = await newKey()
    const { status, body } = await post(text, { body: { ...fixed, ...changed } })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect(body.error.formErrors).toEqual([])
    expect(Object.keys(body.error.fieldErrors)).toEqual([field])
    expect(await written(businessId)).toEqual(nothing)
  })

  it.each(['null', '[]', '"A"', '{"mode"'])('is the answer to the body %s', async (rawBody) => {
    expect((await post((await newKey()).text, { rawBody })).status).toBe(400)
  })
})

describe('401', () => {
  it('is the answer without a key, before the body is looked at', async () => {
    expect((await call('POST', path, { rawBody: 'not JSON' })).status).toBe(401)
  })
})

describe('403', () => {
  // covers: POST /qr-codes, qr_codes:write
  it('is the answer to a key without the scope, before the body is looked at', async () => {
    const { text } = await newKey({ scopes: ['payment_links:write', 'splits:assign'] })
    for (const options of [{ body: open }, { rawBody: 'not JSON' }]) {
      const { status, body } = await post(text, options)
      expect(status).toBe(403)
      expect(body.error).toBe('The key needs the scope qr_codes:write.')
    }
  })

  // covers: POST /qr-codes, qr_codes:write
  it('is the answer to a recipient from a key that may not assign any', async () => {
    const { text, businessId } = await newKey({ scopes: ['qr_codes:write'] })
    const splitRecipientId = await insertRecipient(world(), { businessId, environment: 'live' })
    const { status, body } = await post(text, { body: { ...open, splitRecipientId } })
    expect(status).toBe(403)
    expect(body.error).toBe('The key needs the scope splits:assign.')
    expect(await written(businessId)).toEqual(nothing)
    expect((await post(text, { body: open })).status).toBe(200)
  })

  // covers: 5. A missing scope, an unverified business
  it.each(['unverified', 'pending', 'rejected'] as const)(
    'is the answer to a live key of a business that is %s',
    async (kycStatus) => {
      const businessId = await world().business({ kycStatus })
      const { text } = await newKey({ businessId })
      const { status, body } = await post(text, { body: open })
      expect(status).toBe(403)
      expect(body.code).toBe('permission_denied')
      expect(await written(businessId)).toEqual(nothing)
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
      const { status, body } = await post(text, { body: { ...open, splitRecipientId } })
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect(body.error).toBe('No such split recipient.')
    }
    expect(await written(businessId)).toEqual(nothing)
  })
})

describe('413', () => {
  // covers: 413 payload_too_large: body too large
  it('is the answer to a body of one byte more than 256 KiB', async () => {
    const rawBody = JSON.stringify(open).padEnd(bodyLimitBytes + 1)
    expect((await post((await newKey()).text, { rawBody })).status).toBe(413)
  })
})

describe('500', () => {
  it('leaves nothing behind when the last statement fails, and says nothing of it', async () => {
    const { text, businessId } = await newKey()
    const { sql } = world().database
    await sql`
      alter table kernel.audit_log
      add constraint no_codes_today check (action <> 'qr_code.create') not valid`
    try {
      const { status, text: raw } = await post(text, { body: open })
      expect(status).toBe(500)
      expect(raw).not.toMatch(/audit|constraint|check/i)
      expect(await written(businessId)).toEqual(nothing)
    } finally {
      await sql`alter table kernel.audit_log drop constraint no_codes_today`
    }
  })
})

describe('501', () => {
  // covers: 501 not_implemented: not available for that currency
  it('is the answer to a currency that the provider does not take', async () => {
    const { text, businessId } = await newKey()
    const { status, body } = await post(text, { body: { ...fixed, currency: 'CHF' } })
    expect(status).toBe(501)
    expect(body.code).toBe('not_implemented')
    expect(await written(businessId)).toEqual(nothing)
  })
})

describe('503', () => {
  it('is the answer to a live key where no provider is configured', async () => {
    const { text } = await unprovided.world().key({ service: 'merchant' })
    const { status, body } = await unprovided.call('POST', path, { key: text, body: open })
    expect(status).toBe(503)
    expect(body.code).toBe('unavailable')
  })
})

function address(length: number): string {
  return 'https://shop.example/'.padEnd(length, 'a')
}
