// A person matches a refund with an unknown outcome with an entry of the provider's list, or with
// none.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { listDiscrepancies } from '../../../src/merchant/discrepancies/discrepancy-store.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { decideRefund, type RefundDecision } from '../../../src/merchant/refunds/decide-refund.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, refundByHand, stateOf } from './paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })
const refundCall = 'POST /transactions/:id/refund'

let tenant: Tenant
let payment: Payment
let key: string

beforeEach(async () => {
  const issued = await world().key({ service: 'merchant' })
  key = issued.text
  tenant = { businessId: issued.businessId, environment: 'live' }
  payment = await paidPayment(world(), tenant)
})
afterEach(() => expectInvariants(world().database))

const breaks = () => listDiscrepancies(world().database.sql, { ...tenant, isOpen: false }, 100)

const state = () => stateOf(world(), tenant, payment.id)
const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(tenant, { count: 1, ...wanted })

async function resolveAfter(seconds: number) {
  clock.advance(seconds * 1000)
  await resolveRefundsSchedule.run(world().context, new AbortController().signal)
  return state()
}

// Its answer was lost, whether it arrived or not, and a live entry of another amount stands there.
async function unclear(arrives: boolean) {
  await rule({ operation: refundCall, effect: arrives ? 'drop_after' : 'drop' })
  const path = `/merchant/api/v1/payments/${payment.id}/refund`
  const { status } = await world().call('POST', path, { key, body: { amount: 40_000 } })
  expect(status).toBe(502)
  const difference = { operation: 'refund_list', effect: 'other_amount', difference: '5' }
  if (arrives) await rule({ ...difference, count: 1_000 })
  else await refundByHand(world(), tenant, payment, 10_000n)
  const { refunds } = await resolveAfter(60)
  const [found] = await unclearDiscrepancies()
  expect(found?.resolvedAt).toBeNull()
  const entry = found?.detail.entries?.split(':')[0] ?? ''
  return { id: refunds[0]?.id ?? '', entry }
}

async function unclearDiscrepancies() {
  return (await breaks()).filter(({ cause }) => cause === 'refund_unclear')
}

function decide(id: string, decision: RefundDecision) {
  const { context } = world()
  const actor: PersonActor = {
    ...tenant,
    kind: 'person',
    personId: context.ids.uuid(),
    role: 'owner',
  }
  const reason = 'asked the provider'
  return runOperation(decideRefund, context, actor, { id, decision, reason })
}

it('an entry that a person names is the refund, and nothing is sent again', async () => {
  const { id, entry } = await unclear(true)
  await decide(id, { kind: 'is', entry })
  const after = await resolveAfter(1)
  expect(after.effects).toBe(1)
  expect(after.refunds).toMatchObject([{ sends: 1, providerRefundId: entry }])
  expect(after.refunds[0]?.status).toMatch(/accepted|settled/)
  expect(after.payment.refundedMinor).toBe(40_000n)
  expect(after.events).toHaveLength(1)
  // What the entry says is another amount than what is booked.
  expect(after.breaks).toEqual(['refund_unclear', 'refund_differs'])
  expect((await resolveAfter(4_000)).effects).toBe(1)
})

it('what a person named and the list does not show is not sent', async () => {
  const { id, entry } = await unclear(true)
  await decide(id, { kind: 'is', entry })
  await rule({ operation: 'refund_list', effect: 'late', count: 1_000 })
  for (const seconds of [1, 700, 4_000]) {
    const after = await resolveAfter(seconds)
    expect(after.effects).toBe(1)
    expect(after.refunds).toMatchObject([{ status: 'pending', sends: 1 }])
  }
})

it('a refund that is none of the entries is one that the provider does not have', async () => {
  const { id, entry } = await unclear(false)
  expect((await resolveAfter(4_000)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
  await decide(id, { kind: 'none', entries: [entry] })
  await resolveAfter(700)
  const after = await resolveAfter(24 * 60 * 60)
  expect(after.refunds).toMatchObject([{ status: 'failed', sends: 1, providerRefundId: null }])
  expect(after.payment.refundedMinor).toBe(0n)
  // By hand.
  expect(after.effects).toBe(1)
  expect(await unclearDiscrepancies()).toMatchObject([{ resolution: 'asked the provider' }])
})

it('an entry that comes after the decision is unclear again', async () => {
  const { id, entry } = await unclear(false)
  await decide(id, { kind: 'none', entries: [entry] })
  const second = await refundByHand(world(), tenant, payment, 20_000n)
  expect((await resolveAfter(700)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
  const [found] = await unclearDiscrepancies()
  expect(found?.resolvedAt).toBeNull()
  expect(found?.detail.entries).toContain(`${second}: 200`)
})

it('no one answers for entries that the break does not show, or for some of them', async () => {
  const { id, entry } = await unclear(false)
  const refused = { kind: 'invalid_request' }
  await expect(decide(id, { kind: 'is', entry: '1' })).rejects.toMatchObject(refused)
  const more = [entry, '1']
  await expect(decide(id, { kind: 'none', entries: more })).rejects.toMatchObject(refused)
  const second = await refundByHand(world(), tenant, payment, 20_000n)
  await resolveAfter(60)
  await expect(decide(id, { kind: 'none', entries: [entry] })).rejects.toMatchObject(refused)
  await decide(id, { kind: 'none', entries: [second, entry] })
})

it('what is decided, unknown or of another business is refused', async () => {
  const { id, entry } = await unclear(true)
  await decide(id, { kind: 'is', entry })
  await expect(decide(id, { kind: 'is', entry })).rejects.toMatchObject({ kind: 'invalid_request' })
  await resolveAfter(1)
  await expect(decide(id, { kind: 'is', entry })).rejects.toMatchObject({ kind: 'conflict' })
  const { businessId } = await world().key({ service: 'merchant' })
  tenant = { ...tenant, businessId }
  await expect(decide(id, { kind: 'is', entry })).rejects.toMatchObject({ kind: 'not_found' })
})

it('the decision is in the audit log, with the reason', async () => {
  const { id, entry } = await unclear(true)
  await decide(id, { kind: 'is', entry })
  const [act] = await world().database.sql`
    select actor_kind, detail
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and action = 'refund.decide'`
  expect(act).toMatchObject({
    actorKind: 'person',
    detail: { paymentId: payment.id, is: entry, reason: 'asked the provider' },
  })
})
