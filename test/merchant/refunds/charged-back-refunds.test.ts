// Money that the payer's bank took back is not refunded again.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { reconcileChargebacksSchedule } from '../../../src/merchant/chargebacks/find-chargebacks.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { resolvePayment } from '../../../src/merchant/payments/resolve-payment.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { balancesOf, payment as begun, shop } from '../../support/payments.ts'
import { member } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, putThreshold, stateOf } from './paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })
const refundCall = 'POST /transactions/:id/refund'
const { signal } = new AbortController()

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

const state = () => stateOf(world(), tenant, payment.id)
const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(tenant, { count: 1, ...wanted })
const refund = (body: object = {}) =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, { key, body })

async function resolveAfter(seconds: number) {
  clock.advance(seconds * 1000)
  await resolveRefundsSchedule.run(world().context, signal)
  return state()
}

async function act(reference: string, step: string) {
  await world().simulator.control(tenant, 'POST', '/act', { subject: 'charge', reference, step })
  await reconcileChargebacksSchedule.run(world().context, signal)
}

const effectsOf = (reference: string) => world().simulator.effects(tenant, reference)

// Approved, and its answer is lost: no one waits for it, so it would be sent again.
async function loseApprovedRefund() {
  await putThreshold(world(), tenant, 'NGN', 0n)
  const { body } = await refund()
  const approver = await member(world(), tenant, 'admin')
  await runOperation(approveApproval, world().context, approver, { id: body.approvalId })
  await rule({ operation: refundCall, effect: 'drop' })
  expect((await resolveAfter(0)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
}

it('a lost refund of a payment that was charged back meanwhile is not sent again', async () => {
  await loseApprovedRefund()
  await act(payment.providerReference, 'charge_back')
  const looked = await resolveAfter(60)
  expect(looked.refunds).toMatchObject([{ status: 'pending', sends: 1 }])
  const after = await resolveAfter(600)
  expect(await effectsOf(payment.providerReference)).toMatchObject({ chargeback: 1, refund: 0 })
  expect(after.refunds).toMatchObject([{ status: 'failed', sends: 1 }])
  expect(after.breaks.toSorted()).toEqual(['chargeback', 'refund_charged_back'])
  expect(after.payment).toMatchObject({ status: 'succeeded', refundedMinor: 0n })
})

it('a lost refund that had arrived before the chargeback is adopted', async () => {
  await rule({ operation: refundCall, effect: 'drop_after' })
  expect((await refund({ amount: 40_000 })).status).toBe(502)
  await act(payment.providerReference, 'charge_back')
  const after = await resolveAfter(700)
  expect(after.refunds).toMatchObject([{ sends: 1, providerRefundId: expect.any(String) }])
  expect(after.payment.refundedMinor).toBe(40_000n)
})

it('a lost refund is sent again when the chargeback was won', async () => {
  await loseApprovedRefund()
  await act(payment.providerReference, 'charge_back')
  await act(payment.providerReference, 'win_chargeback')
  const after = await resolveAfter(700)
  expect(after.refunds).toMatchObject([{ sends: 2, providerRefundId: expect.any(String) }])
  expect(after.effects).toBe(1)
})

it('a refund that the provider refuses for a chargeback we have not heard of fails', async () => {
  await rule({ operation: 'refund', effect: 'refuse_charged_back', count: 1_000 })
  const { providerReference: reference } = payment
  const step = { subject: 'charge', reference, step: 'charge_back' }
  await world().simulator.control(tenant, 'POST', '/act', step)
  expect((await refund()).body.error).toContain('Nothing was refunded')
  expect((await state()).refunds).toMatchObject([{ status: 'failed' }])
  expect((await state()).effects).toBe(0)
})

it('a late success that was charged back is not given back as well', async () => {
  const late = await begun(world(), await shop(world(), tenant))
  await world().call('POST', `/merchant/api/v1/payments/${late.id}/cancel`, { key, body: {} })
  await world().simulator.pay(tenant, late.reference)
  await resolvePayment(world().context, tenant, late.id)
  await act(late.reference, 'charge_back')
  await resolveAfter(0)
  const after = await stateOf(world(), tenant, late.id)
  expect(after.refunds).toMatchObject([{ cause: 'late_success', status: 'failed', sends: 0 }])
  expect(await effectsOf(late.reference)).toMatchObject({ chargeback: 1, refund: 0 })
  expect((await balancesOf(world(), tenant))['suspense:unmatched NGN'] ?? 0n).toBe(0n)
  expect(after.breaks).toContain('refund_charged_back')
})
