// What becomes of refunds after the request: states of the provider, and refunds that the system
// owes; those whose caller got no answer are in lost-refunds.test.ts. Time is moved by hand; the
// provider is the simulator, over HTTP.
import { beforeEach, describe, expect, it } from 'vitest'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { creditBalanceOf } from '../../../src/kernel/ledger/ledger.ts'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { lockPayment } from '../../../src/merchant/payments/payment-store.ts'
import { insertRefund, type NewRefund } from '../../../src/merchant/refunds/refund-store.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { settleRefund } from '../../../src/merchant/refunds/settle-refund.ts'
import { manualClock } from '../../support/clock.ts'
import { untilBlocked } from '../../support/database.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, stateOf } from './paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })
const refundCall = 'POST /transactions/:id/refund'
const day = 24 * 60 * 60

let tenant: Tenant
let payment: Payment
let key: string

beforeEach(async () => {
  const issued = await world().key({ service: 'merchant' })
  key = issued.text
  tenant = { businessId: issued.businessId, environment: 'live' }
  payment = await paidPayment(world(), tenant)
})

const state = () => stateOf(world(), tenant, payment.id)
const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(tenant, { count: 1, ...wanted })
const refund = (amount: number) =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, { key, body: { amount } })
const balance = (account: string) =>
  creditBalanceOf(world().database.sql, tenant, { account, currency: 'NGN' })

const { signal } = new AbortController()
const resolveRefunds = (context: MerchantContext) => resolveRefundsSchedule.run(context, signal)

// The provider's message would make the resolver look earlier, whenever it happens to come.
const withoutMessages = () => rule({ operation: 'webhook', effect: 'withhold', count: 1_000 })

async function resolveAfter(seconds: number) {
  clock.advance(seconds * 1000)
  await resolveRefunds(world().context)
  return state()
}

describe('a refund without an answer at the upgrade', () => {
  it('is only looked up, also one that the system owes', async () => {
    await rule({ operation: refundCall, effect: 'drop' })
    await owed(100_000n)
    expect((await resolveAfter(0)).refunds).toMatchObject([{ sends: 1, status: 'pending' }])
    await world().database.sql`
      update merchant.refunds
      set lookup_only = true
      where payment_id = ${payment.id}`
    expect((await resolveAfter(600)).refunds).toMatchObject([{ sends: 1, status: 'pending' }])
    const after = await resolveAfter(day)
    expect(after.refunds).toMatchObject([{ sends: 1, status: 'failed' }])
    expect(after.effects).toBe(0)
    expect(after.breaks).toEqual(['refund_not_found'])
  })
})

describe('an automatic refund whose answer was lost', () => {
  it('is sent again, once, when the provider definitely lacks it and the time is up', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 500 })
    await owed(100_000n)
    const looked = await resolveAfter(0)
    expect(looked.refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    expect((await resolveAfter(60)).effects).toBe(0)
    const after = await resolveAfter(540)
    expect(after.refunds).toMatchObject([{ sends: 2, providerRefundId: expect.any(String) }])
    await resolveAfter(4_000)
    expect((await resolveAfter(4_000)).effects).toBe(1)
    expect((await state()).breaks).toEqual([])
  })

  it('is sent again when the time is up and no later, at the rounds of the resolver', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 500 })
    await owed(100_000n)
    await resolveAfter(0)
    const sentAtMs = clock.now().getTime()
    for (;;) {
      const [pending] = (await state()).refunds
      clock.set(pending?.nextLookAt ?? clock.now())
      if ((await resolveAfter(0)).refunds[0]?.sends === 2) break
    }
    expect(clock.now().getTime() - sentAtMs).toBe(600_000)
  })

  it('is adopted when the second send was refused because the first had worked', async () => {
    await withoutMessages()
    await rule({ operation: refundCall, effect: 'drop_after' })
    await owed(500_000n)
    await resolveAfter(0)
    clock.advance(600_000)
    await resolveRefunds(await withLaggingList())
    const after = await state()
    expect(after.refunds).toMatchObject([{ sends: 2, providerRefundId: expect.any(String) }])
    expect(after.effects).toBe(1)
  })

  it('is resolved once when several resolvers look at the same moment', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 500 })
    await owed(100_000n)
    await resolveAfter(0)
    clock.advance(700_000)
    await Promise.all(Array.from({ length: 5 }, () => resolveRefunds(world().context)))
    const after = await state()
    expect(after.effects).toBe(1)
    expect(after.refunds).toMatchObject([{ sends: 2 }])
  })
})

// A provider whose list shows a refund only when it is asked a second time.
async function withLaggingList(): Promise<MerchantContext> {
  const { context } = world()
  let asked = 0
  return {
    ...context,
    async providerFor(wanted) {
      const provider = await context.providerFor(wanted)
      return {
        ...provider,
        async listRefunds(transactionId) {
          // Refunds of earlier tests may be looked at as well.
          const isOurs = transactionId === payment.providerTransactionId
          if (isOurs) asked += 1
          if (isOurs && asked === 1) return { kind: 'success', value: [] }
          return provider.listRefunds(transactionId)
        },
      }
    },
  }
}

describe('an accepted refund', () => {
  it('is looked up until the provider has paid', async () => {
    await rule({ operation: 'refund', effect: 'stay_accepted' })
    expect((await refund(100_000)).status).toBe(200)
    expect((await resolveAfter(60)).refunds).toMatchObject([{ status: 'accepted' }])
    await proceed()
    expect((await resolveAfter(600)).refunds).toMatchObject([{ status: 'settled' }])
    expect((await state()).events).toHaveLength(1)
  })

  it('stays accepted through the states on the way', async () => {
    const states = ['processing', 'pending-momo', 'completed-momo']
    await rule({ operation: 'refund', effect: 'pass_through', states })
    await refund(100_000)
    for (const expected of ['accepted', 'accepted', 'settled']) {
      await proceed()
      expect((await resolveAfter(4_000)).refunds).toMatchObject([{ status: expected }])
    }
    expect((await state()).events).toHaveLength(1)
  })

  it('is undone when the provider fails it afterwards, and becomes a break', async () => {
    await rule({ operation: 'refund', effect: 'fail_later' })
    const before = await balance('merchant:available')
    expect((await refund(500_000)).body.status).toBe('refunded')
    expect(await balance('merchant:available')).toBe(before - 500_000n)
    await proceed()
    const after = await resolveAfter(600)
    expect(after.refunds).toMatchObject([{ status: 'reversed' }])
    expect(after.payment).toMatchObject({ status: 'succeeded', refundedMinor: 0n })
    expect(after.breaks).toEqual(['refund_failed_after_acceptance'])
    expect(await balance('merchant:available')).toBe(before)
    // The event told of the refund; none is documented that takes it back.
    expect(after.events).toHaveLength(1)
    expect((await resolveAfter(10_000)).breaks).toHaveLength(1)
    await expectInvariants(world().database)
  })

  it('gives back only its own part when others stand', async () => {
    expect((await refund(200_000)).status).toBe(200)
    await rule({ operation: 'refund', effect: 'fail_later' })
    expect((await refund(300_000)).body.status).toBe('refunded')
    await proceed()
    const after = await resolveAfter(600)
    expect(after.payment).toMatchObject({ status: 'partially_refunded', refundedMinor: 200_000n })
    expect((await refund(300_000)).body.status).toBe('refunded')
    await expectInvariants(world().database)
  })

  async function proceed() {
    const { providerReference: reference } = payment
    await world().simulator.control(tenant, 'POST', '/proceed', { subject: 'refund', reference })
  }
})

describe('a refund that the system owes', () => {
  it('is sent at the first look, out of the money that no one wanted', async () => {
    const available = await balance('merchant:available')
    await owed(100_000n)
    const after = await resolveAfter(0)
    expect(after.refunds).toMatchObject([{ cause: 'overpayment', sends: 1 }])
    expect(after.effects).toBe(1)
    expect(await balance('suspense:unmatched')).toBe(-100_000n)
    expect(await balance('merchant:available')).toBe(available)
    // It is no refund of the payment.
    expect(after.payment).toMatchObject({ status: 'succeeded', refundedMinor: 0n })
    expect(after.events).toEqual([])
  })

  it('is tried again every hour while the provider refuses it, for a week', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 400, count: 2 })
    await owed(100_000n)
    expect((await resolveAfter(0)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    expect((await resolveAfter(3_599)).refunds).toMatchObject([{ sends: 1 }])
    expect((await resolveAfter(1)).refunds).toMatchObject([{ status: 'pending', sends: 2 }])
    const after = await resolveAfter(3_600)
    expect(after.refunds).toMatchObject([{ sends: 3, failureReason: null }])
    expect(after.refunds[0]?.status).not.toBe('pending')
    expect(after.effects).toBe(1)
  })

  it('ends as failed, with a break, when a week of tries was refused', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 400 })
    await owed(100_000n, { sends: 7 * 24 - 1 })
    const after = await resolveAfter(700)
    expect(after.refunds).toMatchObject([{ status: 'failed' }])
    expect(after.breaks).toEqual(['refund_refused'])
  })

  it('fails at once, with a break, when it is less than the provider refunds', async () => {
    await owed(9_999n)
    const after = await resolveAfter(0)
    const failureReason = 'less than the provider refunds'
    expect(after.refunds).toMatchObject([{ status: 'failed', sends: 0, failureReason }])
    expect(after.breaks).toEqual(['refund_refused'])
    expect(after.effects).toBe(0)
    await owed(10_000n)
    expect((await resolveAfter(0)).effects).toBe(1)
  })

  it('keeps no one from refunding the payment while the provider refuses it', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 400 })
    await owed(100_000n)
    expect((await resolveAfter(0)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    expect((await refund(100_000)).status).toBe(200)
    const after = await resolveAfter(3_600)
    expect(after.refunds).toMatchObject([
      { cause: 'overpayment', sends: 2, providerRefundId: expect.any(String) },
      { cause: 'requested', providerRefundId: expect.any(String) },
    ])
    const [owing, asked] = after.refunds
    expect(owing?.providerRefundId).not.toBe(asked?.providerRefundId)
    expect(after.effects).toBe(2)
    expect(after.payment.refundedMinor).toBe(100_000n)
  })

  it('waits while another refund of the payment is in flight, and holds others up itself', async () => {
    await withoutMessages()
    await rule({ operation: refundCall, effect: 'drop_after' })
    expect((await refund(200_000)).status).toBe(502)
    await owed(100_000n)
    expect((await resolveAfter(0)).refunds).toMatchObject([{ sends: 1 }, { sends: 0 }])
    await rule({ operation: refundCall, effect: 'drop_after', amount: 1000 })
    // Looked at in one round, either could come first.
    await world().database.sql`
      update merchant.refunds
      set next_look_at = ${addSeconds(clock.now(), 701)}
      where payment_id = ${payment.id}
        and cause = 'overpayment'`
    await resolveAfter(700)
    expect((await resolveAfter(700)).refunds).toMatchObject([
      { cause: 'requested', sends: 1, providerRefundId: expect.any(String) },
      { cause: 'overpayment', sends: 1, status: 'pending' },
    ])
    expect((await refund(100_000)).status).toBe(409)
    expect((await resolveAfter(700)).effects).toBe(2)
    expect((await refund(100_000)).status).toBe(200)
    await expectInvariants(world().database)
  })

  it('is not sent when another refund began at the last moment', async () => {
    await owed(100_000n)
    const { sql, transaction } = world().database
    const locked = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const asking = transaction(async (tx) => {
      await lockPayment(tx, tenant, payment.id)
      locked.resolve()
      await waiting.promise
      await insertRefund(tx, tenant, refundOf(200_000n, { cause: 'requested', sends: 1 }))
    })
    await locked.promise
    const resolving = resolveRefunds(world().context)
    // It has read the provider's list, and waits for the lock to send.
    await untilBlocked(sql, 1)
    waiting.resolve()
    await Promise.all([asking, resolving])
    const after = await state()
    expect(after.refunds).toMatchObject([{ cause: 'overpayment', sends: 0 }, { sends: 1 }])
    expect(after.effects).toBe(0)
  })

  it('is not taken for a refund of the same amount whose answer was lost', async () => {
    await withoutMessages()
    await rule({ operation: refundCall, effect: 'drop_after' })
    expect((await refund(100_000)).status).toBe(502)
    await owed(100_000n)
    expect((await resolveAfter(0)).refunds).toMatchObject([
      { cause: 'requested', providerRefundId: null },
      { cause: 'overpayment', providerRefundId: null, sends: 0 },
    ])
    await resolveAfter(60)
    const { refunds, effects } = await resolveAfter(60)
    expect(new Set(refunds.map(({ providerRefundId }) => providerRefundId)).size).toBe(2)
    expect(refunds).toMatchObject([{ sends: 1 }, { sends: 1 }])
    expect(effects).toBe(2)
  })

  it('is adopted when someone has given the money back by hand', async () => {
    const provider = await world().context.providerFor(tenant)
    await provider.refund({
      transactionId: payment.providerTransactionId ?? '',
      amountMinor: 100_000n,
      currency: 'NGN',
      note: 'By hand',
    })
    await owed(100_000n)
    const after = await resolveAfter(0)
    expect(after.refunds).toMatchObject([{ sends: 0, providerRefundId: expect.any(String) }])
    expect(after.effects).toBe(1)
  })
})

describe('a refusal that is told late', () => {
  const refuse = (id: string, send: number) => {
    const { database, context } = world()
    const actor = { kind: 'system', name: 'held up', ...tenant } as const
    const refused = { status: 'failed', refundId: null, send, reason: 'refused' } as const
    return database.transaction((tx) =>
      settleRefund(tx, context, actor, { id, paymentId: payment.id }, refused),
    )
  }

  it('undoes no refund that the provider has taken on since', async () => {
    expect((await refund(100_000)).status).toBe(200)
    const [known] = (await state()).refunds
    await refuse(known?.id ?? '', 1)
    const after = await state()
    expect(after.refunds[0]?.status).not.toBe('reversed')
    expect(after.payment.refundedMinor).toBe(100_000n)
    expect(after.breaks).toEqual([])
  })

  it('fails no refund that someone else has sent since', async () => {
    await rule({ operation: refundCall, effect: 'drop', count: 2 })
    await owed(100_000n)
    await resolveAfter(0)
    expect((await resolveAfter(700)).refunds).toMatchObject([{ status: 'pending', sends: 2 }])
    const [known] = (await state()).refunds
    await refuse(known?.id ?? '', 1)
    expect((await state()).refunds).toMatchObject([{ status: 'pending' }])
    await refuse(known?.id ?? '', 2)
    expect((await state()).refunds).toMatchObject([{ status: 'failed' }])
  })
})

it('looks at the other refunds when one cannot be looked at', async () => {
  await rule({ operation: refundCall, effect: 'drop_after' })
  await refund(100_000)
  const hopeless = await world().key({ service: 'merchant' })
  const other = { businessId: hopeless.businessId, environment: 'live' } as const
  const broken = await paidPayment(world(), other)
  await world().simulator.rule(other, { operation: refundCall, effect: 'drop', count: 1 })
  const path = `/merchant/api/v1/payments/${broken.id}/refund`
  await world().call('POST', path, { key: hopeless.text })
  await world().database.sql`
    update merchant.payments
    set provider_transaction_id = null
    where id = ${broken.id}`
  const after = await resolveAfter(60)
  expect(after.refunds).toMatchObject([{ providerRefundId: expect.any(String) }])
  expect(world().logLines.some((line) => line.includes('could not look up a refund'))).toBe(true)
})

async function owed(amountMinor: bigint, changes: Partial<NewRefund> = {}) {
  await world().database.transaction((tx) =>
    insertRefund(tx, tenant, refundOf(amountMinor, changes)),
  )
}

function refundOf(amountMinor: bigint, changes: Partial<NewRefund>): NewRefund {
  const now = clock.now()
  return {
    id: world().context.ids.uuid(),
    paymentId: payment.id,
    status: 'pending',
    amountMinor,
    currency: 'NGN',
    cause: 'overpayment',
    requestedByKind: 'system',
    requestedBy: 'payment provider',
    approvalId: null,
    providerRefundId: null,
    failureReason: null,
    sends: 0,
    nextLookAt: null,
    createdAt: now,
    updatedAt: now,
    ...changes,
  }
}
