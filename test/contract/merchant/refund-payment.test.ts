import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../../src/kernel/basics/tenant.ts'
import { bodyLimitBytes } from '../../../src/kernel/http/app.ts'
import { creditBalanceOf } from '../../../src/kernel/ledger/ledger.ts'
import { merchantScopes } from '../../../src/merchant/scopes.ts'
import { paidPayment, putThreshold, stateOf } from '../../merchant/refunds/paid-payment.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useContract } from '../../support/openapi.ts'
import { lift, pause } from '../../support/pauses.ts'
import { payment as pendingPayment } from '../../support/payments.ts'
import type { CallOptions } from '../../support/world.ts'

const { world, call } = useContract()

const pathOf = (id: string) => `/merchant/api/v1/payments/${id}/refund`

type Wanted = { environment?: Environment; thresholdMinor?: bigint | null }

async function paid({ environment = 'live', thresholdMinor }: Wanted = {}) {
  const { text, businessId } = await world().key({ service: 'merchant', environment })
  const tenant = { businessId, environment }
  const payment = await paidPayment(world(), tenant, thresholdMinor)
  return {
    tenant,
    payment,
    refund: (options: CallOptions = {}) =>
      call('POST', pathOf(payment.id), { key: text, ...options }),
    state: () => stateOf(world(), tenant, payment.id),
    available: () =>
      creditBalanceOf(world().database.sql, tenant, {
        account: 'merchant:available',
        currency: payment.currency,
      }),
  }
}

describe('200', () => {
  // covers: succeeded → refunded by a full refund
  // covers: 200 refunded
  // covers: Amounts in `data` are minor units
  // covers: payment.refunded: sent when a full or partial refund was executed
  // covers: data: id, amount (original)
  it('refunds all of a payment when no amount is sent', async () => {
    const { payment, refund, state, available } = await paid()
    const before = await available()
    const { status, body } = await refund()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: payment.id,
      amount: 500_000,
      refunded_amount: 500_000,
      status: 'refunded',
      refund_amount: 500_000,
    })
    const after = await state()
    expect(after.refunds).toMatchObject([{ id: body.refund_id, cause: 'requested', sends: 1 }])
    expect(after.effects).toBe(1)
    expect(after.events).toEqual([
      {
        id: payment.id,
        amount: 500_000,
        refunded_amount: 500_000,
        refund_amount: 500_000,
        currency: 'NGN',
        status: 'refunded',
        fully_refunded: true,
      },
    ])
    // The gross goes back and the fee is kept, so the merchant is overdrawn by it.
    expect(before - (await available())).toBe(500_000n)
    expect(await available()).toBe(-(payment.feeMinor ?? 0n))
  })

  // covers: Amount units differ by field and are stated per field
  // covers: refunded_amount: cumulative total refunded
  // covers: succeeded → partially_refunded by POST /payments/{id}/refund with
  // covers: succeeded → refunded by a full refund
  // covers: partially_refunded → partially_refunded or refunded while cumulative
  // covers: 200 refunded
  // covers: payment.refunded: sent when a full or partial refund was executed
  it('adds up partial refunds until nothing is left', async () => {
    const { payment, refund, state } = await paid()
    const answers = [
      await refund({ body: { amount: 120_000 } }),
      await refund({ body: { amount: 120_000 } }),
      await refund({ body: { amount: 260_000 } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(
      answers.map(({ body }) => [body.status, body.refunded_amount, body.refund_amount]),
    ).toEqual([
      ['partially_refunded', 120_000, 120_000],
      ['partially_refunded', 240_000, 120_000],
      ['refunded', 500_000, 260_000],
    ])
    const { events, effects } = await state()
    expect(events).toMatchObject([
      { id: payment.id, refunded_amount: 120_000, fully_refunded: false },
      { id: payment.id, refunded_amount: 240_000, fully_refunded: false },
      { id: payment.id, refunded_amount: 500_000, fully_refunded: true },
    ])
    expect(effects).toBe(3)
  })

  // covers: partially_refunded → partially_refunded or refunded while cumulative
  it('refunds what remains when no amount is sent after a partial refund', async () => {
    const { refund } = await paid()
    await refund({ body: { amount: 100_000 } })
    expect((await refund()).body).toMatchObject({ status: 'refunded', refund_amount: 400_000 })
  })

  // covers: optional body `amount` (integer, minor units)
  it('takes an empty body, an empty object and a whole number in any spelling', async () => {
    const { refund } = await paid()
    expect((await refund({ rawBody: '{"amount": 1e5}' })).body.refund_amount).toBe(100_000)
    expect((await refund({ rawBody: '{"amount": 100000.0}' })).body.refund_amount).toBe(100_000)
    expect((await refund({ rawBody: '' })).body.refund_amount).toBe(300_000)
  })

  // covers: 202 with `requiresApproval: true` when above the
  it('is not held at the threshold, which is meant strictly', async () => {
    const { refund } = await paid({ thresholdMinor: 500_000n })
    expect((await refund()).status).toBe(200)
  })

  // covers: Sandbox keys move no real money
  // covers: 202 with `requiresApproval: true` when above the
  it('is never held in the sandbox', async () => {
    const { refund } = await paid({ environment: 'test', thresholdMinor: null })
    expect((await refund()).status).toBe(200)
  })

  it('may refund more than the merchant has', async () => {
    const { refund, available } = await paid()
    await refund()
    expect(await available()).toBeLessThan(0n)
  })

  it('leaves every invariant whole', async () => {
    const { refund } = await paid()
    await refund({ body: { amount: 100_000 } })
    await expectInvariants(world().database)
  })
})

describe('202', () => {
  // covers: 202 with `requiresApproval: true` when above the
  // covers: payment.refunded: sent when a full or partial refund was executed
  // covers: a 202 is not an error
  it('holds a live refund above the threshold, and leaves the payment as it was', async () => {
    const { payment, refund, state } = await paid({ thresholdMinor: 499_999n })
    const { status, body } = await refund()
    expect(status).toBe(202)
    expect(body).toEqual({
      requiresApproval: true,
      approvalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      paymentId: payment.id,
    })
    expect(await state()).toMatchObject({ payment, refunds: [], events: [], effects: 0 })
  })

  // covers: 202 with `requiresApproval: true` when above the
  it('compares the sum of all refunds of the payment, so slicing does not help', async () => {
    const { refund } = await paid({ thresholdMinor: 200_000n })
    expect((await refund({ body: { amount: 150_000 } })).status).toBe(200)
    expect((await refund({ body: { amount: 50_001 } })).status).toBe(202)
    expect((await refund({ body: { amount: 50_000 } })).status).toBe(200)
    expect((await refund({ body: { amount: 10_000 } })).status).toBe(202)
  })

  // covers: A currency with no configured threshold always
  it('holds everything in a currency without a threshold', async () => {
    const { refund } = await paid({ thresholdMinor: null })
    expect((await refund({ body: { amount: 10_000 } })).status).toBe(202)
  })

  // covers: A currency with no configured threshold always
  it('takes a threshold of another currency for none', async () => {
    const { tenant, refund } = await paid({ thresholdMinor: null })
    await putThreshold(world(), tenant, 'USD', 1_000_000n)
    expect((await refund()).status).toBe(202)
  })
})

describe('400', () => {
  it.each([
    // covers: optional body `amount` (integer, minor units)
    // covers: Out-of-range amounts: 400
    ['zero', '{"amount": 0}'],
    // covers: Out-of-range amounts: 400
    ['less than zero', '{"amount": -100}'],
    // covers: optional body `amount` (integer, minor units)
    ['a fraction', '{"amount": 100.5}'],
    // covers: optional body `amount` (integer, minor units)
    ['text', '{"amount": "100"}'],
    ['null', '{"amount": null}'],
    // covers: Out-of-range amounts: 400
    ['more than any payment', '{"amount": 1000000000000001}'],
    ['a misspelt field', '{"amuont": 100}'],
    ['a list', '[]'],
    ['null as the body', 'null'],
    ['no JSON', '{'],
  ])('is the answer to %s', async (_, rawBody) => {
    const { refund, state } = await paid()
    const { status, body } = await refund({ rawBody })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect((await state()).refunds).toEqual([])
  })

  // covers: partially_refunded → partially_refunded or refunded while cumulative
  // covers: 400 when above what remains
  // covers: 400 invalid_request: invalid input or a broken business rule
  // covers: Refund rule violations return 400
  it('is the answer to more than what remains', async () => {
    const { refund, state } = await paid()
    await refund({ body: { amount: 400_000 } })
    const { status, body } = await refund({ body: { amount: 100_001 } })
    expect(status).toBe(400)
    expect(body.error).toBe('The amount is more than what remains of this payment.')
    expect((await state()).payment.refundedMinor).toBe(400_000n)
  })

  it('is the answer to less than the provider refunds, and nothing is sent', async () => {
    for (const thresholdMinor of [1_000_000n, 0n]) {
      const { refund, state } = await paid({ thresholdMinor })
      const { status, body } = await refund({ body: { amount: 9_999 } })
      expect(status).toBe(400)
      expect(body.code).toBe('invalid_request')
      expect(body.error).toBe('The payment provider refunds at least NGN 100.00 at a time.')
      expect(await state()).toMatchObject({ refunds: [], effects: 0 })
      expect((await refund({ body: { amount: 10_000 } })).status).toBeLessThan(300)
    }
  })

  // covers: partially_refunded → partially_refunded or refunded while cumulative
  // covers: 400 when above what remains
  // covers: Refund rule violations return 400
  it('is the answer when nothing remains', async () => {
    const { refund } = await paid()
    await refund()
    for (const options of [{}, { body: { amount: 1 } }]) {
      const { status, body } = await refund(options)
      expect(status).toBe(400)
      expect(body.error).toBe('This payment is already fully refunded.')
    }
  })

  // covers: Refund rule violations return 400
  it('is the answer for a payment that was not collected', async () => {
    const { id, key } = await pendingPayment(world())
    const { status, body } = await call('POST', pathOf(id), { key })
    expect(status).toBe(400)
    expect(body.error).toBe('Only a collected payment can be refunded.')
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('POST', pathOf(randomUUID()))).status).toBe(401)
  })
})

describe('403', () => {
  it.each([
    // covers: POST /payments/{id}/refund: refunds:create_full when amount omitted
    ['refunds:create_full', { amount: 100_000 }, 'refunds:create_partial'],
    // covers: POST /payments/{id}/refund: refunds:create_full when amount omitted
    ['refunds:create_partial', {}, 'refunds:create_full'],
  ])('is the answer to a key with %s alone for %o', async (scope, body, needed) => {
    const { tenant, payment, state } = await paid()
    const { text } = await world().key({ service: 'merchant', ...tenant, scopes: [scope] })
    const answer = await call('POST', pathOf(payment.id), { key: text, body })
    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe(`The key needs the scope ${needed}.`)
    expect((await state()).refunds).toEqual([])
  })

  it.each([
    // covers: POST /payments/{id}/refund: refunds:create_full when amount omitted
    ['refunds:create_full', {}],
    // covers: succeeded → refunded by a full refund
    // covers: POST /payments/{id}/refund: refunds:create_full when amount omitted
    ['refunds:create_partial', { amount: 500_000 }],
  ])('is not the answer to a key with %s for %o', async (scope, body) => {
    const { tenant, payment } = await paid()
    const { text } = await world().key({ service: 'merchant', ...tenant, scopes: [scope] })
    expect((await call('POST', pathOf(payment.id), { key: text, body })).status).toBe(200)
  })

  // covers: POST /payments/{id}/refund: refunds:create_full when amount omitted
  it('is the answer to a key with neither scope', async () => {
    const { tenant, payment } = await paid()
    const scopes = merchantScopes.filter((scope) => !scope.startsWith('refunds:'))
    const { text } = await world().key({ service: 'merchant', ...tenant, scopes })
    expect((await call('POST', pathOf(payment.id), { key: text })).status).toBe(403)
  })

  // covers: 5. A missing scope, an unverified business
  it('is the answer to a business that is not verified, with a live key only', async () => {
    const businessId = await world().business({ kycStatus: 'pending' })
    for (const [environment, expected] of [
      ['live', 403],
      ['test', 404],
    ] as const) {
      const { text } = await world().key({ service: 'merchant', businessId, environment })
      expect((await call('POST', pathOf(randomUUID()), { key: text })).status).toBe(expected)
    }
  })
})

describe('404', () => {
  // covers: Refund rule violations return 400
  it('is the answer for a payment of another business or environment', async () => {
    const { tenant, payment, state } = await paid()
    const stranger = await world().key({ service: 'merchant' })
    const sandbox = await world().key({ service: 'merchant', ...tenant, environment: 'test' })
    for (const { text } of [stranger, sandbox]) {
      const { status, body } = await call('POST', pathOf(payment.id), { key: text })
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: 'No such payment.', code: 'not_found' })
    }
    expect((await state()).refunds).toEqual([])
  })
})

describe('409', () => {
  // covers: 409 on a concurrent change
  // covers: 409 conflict: the object changed underneath the call
  // covers: Two simultaneous refunds of one payment cannot both succeed
  it('is the answer to all but one of fifty refunds at once, which never exceed the payment', async () => {
    const { refund, state } = await paid()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund()))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // Calls after the first one has ended find nothing left.
    expect(statuses.filter((status) => ![200, 400, 409].includes(status))).toEqual([])
    expect(statuses).toContain(409)
    const { payment, effects, events, refunds } = await state()
    expect(payment).toMatchObject({ status: 'refunded', refundedMinor: 500_000n })
    expect([effects, events.length, refunds.length]).toEqual([1, 1, 1])
  })

  // covers: Two simultaneous refunds of one payment cannot both succeed
  it('lets parts asked for at once through one after the other, up to the amount', async () => {
    const { refund, state } = await paid()
    const part = { body: { amount: 200_000 } }
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(part)))
    const taken = answers.filter(({ status }) => status === 200).length
    const { payment, effects, events } = await state()
    expect(taken).toBeGreaterThan(0)
    expect(payment.refundedMinor).toBe(BigInt(taken) * 200_000n)
    expect(payment.refundedMinor).toBeLessThanOrEqual(500_000n)
    expect([effects, events.length]).toEqual([taken, taken])
  })

  // covers: 409 on a concurrent change
  // covers: 409 conflict: the object changed underneath the call
  // covers: Refund rule violations return 400
  it('is the answer while the outcome of another refund is not known', async () => {
    const { tenant, refund, state } = await paid()
    await world().simulator.rule(tenant, {
      operation: 'POST /transactions/:id/refund',
      effect: 'drop_after',
      count: 1,
    })
    expect((await refund({ body: { amount: 100_000 } })).status).toBe(502)
    const { status, body } = await refund({ body: { amount: 100_000 } })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      error: 'Another refund of this payment is in progress.',
      code: 'conflict',
    })
    expect((await state()).effects).toBe(1)
  })
})

describe('413', () => {
  it('is the answer to a body above 256 KiB', async () => {
    const { refund } = await paid()
    expect((await refund({ rawBody: `{}${' '.repeat(bodyLimitBytes)}` })).status).toBe(413)
  })
})

describe('502', () => {
  // covers: payment.refunded: sent when a full or partial refund was executed
  // covers: 502 internal_error: the payment provider failed or could not be reached
  // covers: Refund rule violations return 400
  it('is the answer when the provider refuses, and nothing was refunded', async () => {
    const { tenant, refund, state, available } = await paid()
    const before = await available()
    await world().simulator.rule(tenant, {
      operation: 'POST /transactions/:id/refund',
      effect: 'refuse',
      status: 400,
      count: 1,
    })
    const { status, body } = await refund({ body: { amount: 10_000 } })
    expect(status).toBe(502)
    expect(body).toMatchObject({
      error: 'The payment provider refused the refund. Nothing was refunded.',
      code: 'internal_error',
    })
    const after = await state()
    expect(after.payment).toMatchObject({ status: 'succeeded', refundedMinor: 0n })
    expect(after.refunds).toMatchObject([{ status: 'failed', failureReason: expect.any(String) }])
    expect(after.events).toEqual([])
    expect(await available()).toBe(before)
    // A refused refund is over, so another may follow.
    expect((await refund({ body: { amount: 10_000 } })).status).toBe(200)
  })

  // covers: Refund rule violations return 400
  it.each([
    ['the answer is lost', { effect: 'drop_after' }, 1],
    // covers: 502 internal_error: the payment provider failed or could not be reached
    ['the connection breaks', { effect: 'drop' }, 0],
    // covers: 502 internal_error: the payment provider failed or could not be reached
    ['the provider fails', { effect: 'refuse', status: 500 }, 0],
    ['the answer makes no sense', { effect: 'unreadable' }, 1],
    ['the key is refused', { effect: 'refuse', status: 401 }, 0],
  ])('is the answer when %s, and the refund stays pending', async (_, effect, effects) => {
    const { tenant, refund, state } = await paid()
    await world().simulator.rule(tenant, {
      operation: 'POST /transactions/:id/refund',
      count: 1,
      ...effect,
    })
    const { status, body } = await refund({ body: { amount: 100_000 } })
    expect(status).toBe(502)
    expect(body.code).toBe('internal_error')
    expect(body.error).toBe(
      'The payment provider did not confirm the refund. Its outcome is being resolved; until ' +
        'then further refunds of this payment are refused.',
    )
    const after = await state()
    expect(after.refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    expect(after.payment).toMatchObject({ status: 'succeeded', refundedMinor: 0n })
    expect(after.effects).toBe(effects)
  })
})

describe('503', () => {
  const paused = async (test: () => Promise<void>) => {
    await pause(world(), 'refunds', 3600)
    try {
      await test()
    } finally {
      await lift(world(), 'refunds')
    }
  }

  // covers: 503 service_paused: payouts
  it.each(['live', 'test'] as const)(
    'is service_paused with the time until the announced end, and nothing is processed: %s',
    async (environment) => {
      const { refund, state } = await paid({ environment })
      await paused(async () => {
        const { status, body, headers } = await refund()
        expect([status, body.code]).toEqual([503, 'service_paused'])
        expect(body.error).toMatch(/^Refunds are paused for maintenance until .*Z\. Nothing was/)
        const seconds = Number(headers.get('retry-after'))
        expect(seconds).toBeGreaterThan(3500)
        expect(seconds).toBeLessThanOrEqual(3600)
      })
      expect(await state()).toMatchObject({
        refunds: [],
        events: [],
        payment: { refundedMinor: 0n },
      })
      expect((await refund()).status).toBe(200)
    },
  )

  // covers: 503 service_paused: payouts
  it('records no approval either', async () => {
    const { refund, tenant } = await paid({ thresholdMinor: 0n })
    await paused(async () => expect((await refund()).status).toBe(503))
    const rows = await world().database.sql`
      select
      from merchant.approvals
      where business_id = ${tenant.businessId}`
    expect(rows).toHaveLength(0)
  })

  it('comes after the scope, the body and the verification of the business', async () => {
    const { payment, refund, tenant } = await paid()
    const { text } = await world().key({
      service: 'merchant',
      businessId: tenant.businessId,
      scopes: ['refunds:create_full'],
    })
    await paused(async () => {
      const partial = { key: text, body: { amount: 1 } }
      expect((await call('POST', pathOf(payment.id), partial)).status).toBe(403)
      expect((await refund({ body: { amount: 0 } })).status).toBe(400)
      await world().database.sql`
        update merchant.profiles
        set kyc_status = 'pending'
        where business_id = ${tenant.businessId}`
      expect((await refund()).status).toBe(403)
    })
  })
})
