// Rules of the merchant interface about several operations, or in numbers and lists that no single
// route's test covers. docs/interface-coverage.md names the test of each sentence.
import { beforeEach, describe, expect, it } from 'vitest'
import { schedules } from '../../src/app/background-work.ts'
import { parseSettings } from '../../src/config.ts'
import type { JsonSchema } from '../../src/kernel/http/openapi-schema.ts'
import { merchantService } from '../../src/merchant/service.ts'
import { manualClock } from '../support/clock.ts'
import { documents, operations, useContract } from '../support/openapi.ts'
import {
  comeBack,
  eventsOf,
  newCode,
  newLink,
  paidPayment,
  payment,
  pressPay,
  shop,
  storedPayment,
} from '../support/payments.ts'
import { payer } from '../support/payouts.ts'
import { recipientBody } from '../support/recipients.ts'

const clock = manualClock()
const { world, call } = useContract({ clock })
const base = '/merchant/api/v1'
const described = operations.filter(({ service }) => service.name === 'merchant')

describe('the endpoints', () => {
  // Scopes of which one is enough, those that depend on what is sent, and the query.
  const rows: Record<string, string> = {
    'GET /payments':
      'payments:read; ?limit, status, starting_after, payment_link_id, qr_code_id, email, ' +
      'created_from, created_to',
    'GET /payments/{id}': 'payments:read',
    'POST /payments/{id}/cancel': 'payments:cancel',
    'POST /payments/{id}/refund':
      'refunds:create_full, refunds:create_partial; ' +
      'refunds:create_full when `amount` is left out; refunds:create_partial when `amount` is sent',
    'POST /payment-links': 'payment_links:write; splits:assign when `splitRecipientId` is set',
    'POST /qr-codes': 'qr_codes:write; splits:assign when `splitRecipientId` is set',
    'GET /split-recipients': 'recipients:read',
    'POST /split-recipients': 'recipients:write',
    'PATCH /split-recipients/{id}':
      'recipients:verify, recipients:disable; ' +
      'recipients:verify when `verified` is sent; recipients:disable when `disabled` is sent',
    'GET /payouts': 'payouts:read; ?starting_after',
    'POST /payouts': 'payouts:create',
    'POST /payouts/{id}/cancel': 'payouts:cancel',
    'GET /settlements':
      'settlements:read; reports:export when `format` is `csv`; ' +
      '?from, to, splitRecipientId, format',
    'GET /account': 'account:read, kyc:read',
    'POST /account/verification': 'kyc:write',
    'GET /webhooks': 'webhooks:read_logs, webhooks:manage',
    'POST /webhooks': 'webhooks:manage',
    'DELETE /webhooks/{id}': 'webhooks:manage',
    'GET /webhooks/{id}/deliveries': 'webhooks:read_logs',
    'POST /webhooks/deliveries/{id}/retry': 'webhooks:retry',
    'GET /reference': '',
    'GET /openapi.json': '',
  }

  // What goes beyond the interface: no new scopes.
  const beyond: Record<string, string> = {
    'GET /payments/{id}/refunds': 'payments:read',
    'GET /payment-links': 'payment_links:write; ?limit, starting_after, reference',
    'GET /payment-links/{id}': 'payment_links:write',
    'PATCH /payment-links/{id}': 'payment_links:write',
    'PATCH /payment-links/{id}/items/{itemId}': 'payment_links:write',
    'GET /qr-codes': 'qr_codes:write; ?limit, starting_after, reference',
    'GET /qr-codes/{id}': 'qr_codes:write',
    'PATCH /qr-codes/{id}': 'qr_codes:write',
    'GET /payouts/{id}': 'payouts:read',
    'GET /balances': 'payouts:read',
    'GET /approvals/{id}': 'payments:read, payouts:read',
  }

  // covers: The service lets a merchant accept payments
  // covers: `GET /openapi.json` returns a machine-readable OpenAPI 3.0
  // covers: All paths are relative to `{base_url}`
  // covers: 3. Each operation requires the scope listed in Endpoints
  // covers: The machine-readable description is kept in step with the implementation
  // covers: Change history, with breaking changes marked
  it('are those of the interface, with their scopes and queries', () => {
    const found = described.map(({ method, path, operation }) => {
      const query = operation.parameters.filter((parameter) => parameter.in === 'query')
      const parts = [
        operation['x-scopes'].join(', '),
        ...(operation['x-body-scopes'] ?? []).map(({ scope, when }) => `${scope} when ${when}`),
        ...(query.length > 0 ? [`?${query.map(({ name }) => name).join(', ')}`] : []),
      ]
      return [`${method} ${path}`, parts.join('; ')]
    })
    expect(Object.fromEntries(found)).toEqual({ ...rows, ...beyond })
  })

  // covers: `GET /openapi.json` returns a machine-readable OpenAPI 3.0
  it('are all in the description that is served', async () => {
    const { text: key } = await world().key({ service: 'merchant' })
    const { body } = await call('GET', `${base}/openapi.json`, { key })
    expect(body).toEqual(documents.get('merchant'))
  })

  // covers: Scopes: payments:read, payments:cancel
  it('have the scopes of the interface between them, and no other', () => {
    expect([...merchantService.scopes].join(', ')).toBe(
      'payments:read, payments:cancel, refunds:create_full, refunds:create_partial, ' +
        'payment_links:write, qr_codes:write, splits:assign, recipients:read, ' +
        'recipients:write, recipients:verify, recipients:disable, payouts:read, ' +
        'payouts:create, payouts:cancel, settlements:read, reports:export, account:read, ' +
        'kyc:read, kyc:write, webhooks:read_logs, webhooks:manage, webhooks:retry',
    )
  })

  // covers: Only GET /payments is cursor-paginated
  it('have a cursor at GET /payments, and besides where the interface shows no list or only fifty', () => {
    const paginated = described.filter(({ operation }) =>
      operation.parameters.some(({ name }) => /cursor|after|before|page|offset/.test(name)),
    )
    expect(paginated.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /payment-links',
      'GET /payments',
      'GET /payouts',
      'GET /qr-codes',
    ])
  })
})

it.each([
  // covers: 2. A key is either live (prefix
  'live',
  // covers: 2. A key is either live (prefix
  'test',
] as const)('a %s key says so in its prefix', async (environment) => {
  const { text } = await world().key({ service: 'merchant', environment })
  expect(text.startsWith(`svc_${environment}_`)).toBe(true)
})

describe('the fields of requests', () => {
  // A star marks what must be sent.
  it.each([
    // covers: title: string, required, max 140
    [
      'createPaymentLink',
      'title* currency* description amount presetAmount expiresAt imageUrl returnUrl ' +
        'idempotencyKey splitRecipientId reference metadata items payerFields',
    ],
    [
      'createQrCode',
      'mode* currency* amount description singleUse returnUrl splitRecipientId reference metadata',
    ],
    [
      'createSplitRecipient',
      'externalReference* name* accountBank* accountNumber* splitValue* recipientMobile',
    ],
    ['updateSplitRecipient', 'verified disabled'],
    ['createPayout', 'amount* currency* destinationType* bankDetails'],
    ['refundPayment', 'amount'],
    ['cancelPayment', ''],
    ['cancelPayout', ''],
    // covers: Endpoint: `url` (https uri, max 500)
    ['createWebhook', 'url*'],
  ])('of %s are those of the interface', (operationId, fields) => {
    const found = described.find(({ operation }) => operation.operationId === operationId)
    const schema = found?.operation.requestBody?.content['application/json'].schema ?? {}
    const required = new Set((schema.required as string[] | undefined) ?? [])
    const names = Object.keys((schema.properties as JsonSchema | undefined) ?? {})
    expect(names.map((name) => (required.has(name) ? `${name}*` : name)).join(' ')).toBe(fields)
  })

  it.each([
    // covers: Payment link (create request) › currency: string, required, exactly 3 characters
    ['/payment-links', { title: 'Order' }],
    // covers: currency: required, exactly 3 characters
    ['/qr-codes', { mode: 'open_amount' }],
    // covers: Payout › currency: string, required, exactly 3 characters
    ['/payouts', { amount: 1, destinationType: 'service_account' }],
  ])('take a currency of three characters, not of two or four: %s', async (path, fields) => {
    const { key } = await payer(world(), {}, call)
    for (const [currency, expected] of [
      ['NGN', 200],
      ['NG', 400],
      ['NGNN', 400],
      ['', 400],
    ] as const) {
      const { status } = await call('POST', base + path, { key, body: { ...fields, currency } })
      expect(status).toBe(expected)
    }
  })

  // covers: bankDetails: `accountNumber`, `bankCode`
  it.each(['accountNumber', 'bankCode', 'beneficiaryName'])(
    'take text as the %s of bank details, and no number',
    async (field) => {
      const { payOut } = await payer(world(), {}, call)
      const { status, body } = await payOut({ bankDetails: { [field]: 44 } })
      expect([status, body.code]).toEqual([400, 'invalid_request'])
    },
  )

  // covers: Bodies are JSON (`Content-Type
  it('are read as JSON and as nothing else', async () => {
    const { key } = await shop(world())
    const rawBody = JSON.stringify({ title: 'Order', currency: 'NGN' })
    const statuses = []
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': type }
      const { status } = await call('POST', `${base}/payment-links`, { key, rawBody, headers })
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 400, 400])
  })
})

// covers: Maximum request body size: not shown
it('a body may have 256 KiB, and not a byte more', async () => {
  const { key } = await shop(world())
  const body = JSON.stringify({ title: 'Order', currency: 'NGN' })
  const send = async (bytes: number) =>
    (await call('POST', `${base}/payment-links`, { key, rawBody: body.padEnd(bytes) })).status
  expect([await send(262_144), await send(262_145)]).toEqual([200, 413])
})

describe('an idempotency key', () => {
  const headers = { 'idempotency-key': 'order-1001' }

  // covers: never expire
  it('is known ten years later, whatever is swept away meanwhile', async () => {
    const { key, payOut } = await payer(world(), {}, call)
    const link = { title: 'Order', currency: 'NGN' }
    const recipient = recipientBody()
    const ask = async () => [
      (await call('POST', `${base}/payment-links`, { key, body: link, headers })).body.id,
      (await call('POST', `${base}/split-recipients`, { key, body: recipient })).body.id,
      (await payOut({ destinationType: 'service_account' }, { headers })).body.payoutId,
    ]
    const first = await ask()
    expect(new Set(first).size).toBe(3)
    clock.advance(3653 * 86_400_000)
    const { signal } = new AbortController()
    for (const { run } of schedules) await run(world().context, signal)
    expect(await ask()).toEqual(first)
  })

  // covers: POST /payment-links: `Idempotency-Key` header or body field
  // covers: Payment-link idempotency key: up to 255 characters
  it('of a payment link has up to 255 characters, also as a header', async () => {
    const { key } = await shop(world())
    const body = { title: 'Order', currency: 'NGN' }
    for (const [length, expected] of [
      [255, 200],
      [256, 400],
    ] as const) {
      const long = { 'idempotency-key': 'k'.repeat(length) }
      const { status } = await call('POST', `${base}/payment-links`, { key, body, headers: long })
      expect(status).toBe(expected)
    }
  })

  // covers: POST /payments/{id}/refund: not supported
  it('does not make a refund a repeat: each call is a new one', async () => {
    const owner = await shop(world(), { environment: 'test' })
    const { id } = await paidPayment(world(), owner)
    const path = `${base}/payments/${id}/refund`
    const refund = () => call('POST', path, { key: owner.key, body: { amount: 20_000 }, headers })
    expect((await refund()).body).toMatchObject({ refunded_amount: 20_000 })
    expect((await refund()).body).toMatchObject({ refunded_amount: 40_000 })
  })
})

// covers: query `limit` (integer 1-100, default 20)
// covers: GET /payments page size: 1 to 100, default 20
it('a page of payments has a hundred of more than that, and one when one is asked for', async () => {
  const owner = await shop(world())
  const page = await newLink(world(), owner)
  for (let pressed = 0; pressed < 101; pressed += 1) await pressPay(world(), page)
  const list = async (limit: number) =>
    (await call('GET', `${base}/payments?limit=${limit}`, { key: owner.key })).body
  const full = await list(100)
  expect([full.data.length, full.has_more]).toEqual([100, true])
  expect((await list(1)).data).toEqual(full.data.slice(0, 1))
})

describe('an event', () => {
  // covers: Amount units differ by field and are stated per field
  // covers: payment.succeeded: sent when a payment link or QR charge succeeded
  // covers: data: id, amount, currency
  it('of a code that was paid names the code, and a null link', async () => {
    const owner = await shop(world())
    const begun = await paidPayment(world(), owner, await newCode(world(), owner))
    const { qrCodeId } = await storedPayment(world(), begun)
    expect(qrCodeId).not.toBeNull()
    expect(await eventsOf(world(), owner.tenant)).toEqual([
      {
        type: 'payment.succeeded',
        objectId: begun.id,
        data: {
          id: begun.id,
          amount: 100_000,
          currency: 'NGN',
          fee_amount: 1_500,
          net_amount: 98_500,
          status: 'succeeded',
          qr_code_id: qrCodeId,
          payment_link_id: null,
        },
      },
    ])
  })

  // covers: data: amount, currency
  it('of a link whose payer was declined names the link, and a null code', async () => {
    const begun = await payment(world())
    await world().simulator.pay(begun.tenant, begun.reference, 'do_not_honour')
    await comeBack(world(), begun.reference)
    const { paymentLinkId, failureReason } = await storedPayment(world(), begun)
    expect(paymentLinkId).not.toBeNull()
    expect(await eventsOf(world(), begun.tenant)).toMatchObject([
      {
        type: 'payment.failed',
        data: { failure_reason: failureReason, qr_code_id: null, payment_link_id: paymentLinkId },
      },
    ])
  })

  // covers: succeeded → partially_refunded by POST /payments/{id}/refund with
  // covers: data: id, amount (original)
  it('of a partial refund has the original amount, the sum and this part', async () => {
    const owner = await shop(world(), { environment: 'test' })
    const { id } = await paidPayment(world(), owner)
    for (const amount of [20_000, 30_000]) {
      await call('POST', `${base}/payments/${id}/refund`, { key: owner.key, body: { amount } })
    }
    const [, , last] = await eventsOf(world(), owner.tenant)
    expect(last).toEqual({
      type: 'payment.refunded',
      objectId: id,
      data: {
        id,
        amount: 100_000,
        refunded_amount: 50_000,
        refund_amount: 30_000,
        currency: 'NGN',
        status: 'partially_refunded',
        fully_refunded: false,
      },
    })
  })
})

// covers: returnUrl: string uri
it('the payer of a code goes to its returnUrl, as that of a link does', async () => {
  const owner = await shop(world())
  const page = await newCode(world(), owner, { returnUrl: 'https://shop.example/table/7' })
  const paid = await paidPayment(world(), owner, page)
  const { headers } = await comeBack(world(), paid.reference)
  expect(headers.get('location')).toBe(
    `https://shop.example/table/7?payment_id=${paid.id}&status=success`,
  )
})

describe('with the settings as they come', () => {
  const { rateLimitPerKey, rateLimitPerAddress } = parseSettings({})
  const limited = useContract({ clock, settings: { rateLimitPerKey, rateLimitPerAddress } })

  beforeEach(() => clock.advance(61_000))

  // covers: Requests per API key: 180 per minute
  it('a key has 180 requests a minute', async () => {
    const { text: key } = await limited.world().key({ service: 'merchant' })
    const ask = () => limited.call('GET', `${base}/account`, { key })
    for (let asked = 0; asked < 180; asked += 1) expect((await ask()).status).toBe(200)
    const { status, headers, body } = await ask()
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '60'])
  })

  // covers: Requests per IP address: 600 per minute
  it('an address has 600 requests a minute', async () => {
    const ask = () => limited.call('GET', `${base}/reference`)
    for (let asked = 0; asked < 600; asked += 1) expect((await ask()).status).toBe(200)
    const { status, headers, body } = await ask()
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '60'])
  })
})
