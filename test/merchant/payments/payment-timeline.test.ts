// The timeline of a payment's money.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SystemActor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { getPaymentTimeline } from '../../../src/merchant/payments/get-payment-timeline.ts'
import { resolvePayment } from '../../../src/merchant/payments/resolve-payment.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { type Begun, eventsOf, paidPayment, payment, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'
import { putThreshold } from '../refunds/paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })

let begun: Begun

beforeEach(async () => {
  begun = await payment(world())
  await world().simulator.control(begun.tenant, 'POST', '/fund', { amount: 5_000, currency: 'NGN' })
  clock.advance(1000)
})

afterEach(() => expectInvariants(world().database))

const asked = (change: Partial<SystemActor> = {}) => {
  const actor = { ...begun.tenant, kind: 'system', name: 'test', ...change } as const
  return runOperation(getPaymentTimeline, world().context, actor, { id: begun.id })
}

const told = async () => (await asked()).map(({ text }) => text)

const resolve = () => resolvePayment(world().context, begun.tenant, begun.id)

it('tells that the provider collected after a cancel, and that it went back', async () => {
  const path = `/merchant/api/v1/payments/${begun.id}`
  await world().call('POST', `${path}/cancel`, { key: begun.key })
  clock.advance(1000)
  await world().simulator.pay(begun.tenant, begun.reference)
  await resolve()
  clock.advance(1000)
  await resolveRefundsSchedule.run(world().context, new AbortController().signal)
  expect(await told()).toEqual([
    'Refund of NGN 1000.00 accepted by the provider.',
    'Refund of NGN 1000.00 begun by Tillbook.',
    'The provider collected NGN 1000.00 after the payment had been cancelled. It goes back to the payer.',
    'Cancelled.',
    'Payment of NGN 1000.00 begun.',
  ])
  const { body } = await world().call('GET', path, { key: begun.key })
  expect(body).toMatchObject({ status: 'cancelled', refunded_amount: 0, fee_amount: 0 })
  expect(await eventsOf(world(), begun.tenant)).toEqual([])
  const acts = await world().database.sql`
    select action
    from kernel.audit_log
    where business_id = ${begun.tenant.businessId}
      and action like 'refund.%'
    order by id`
  expect(acts.map(({ action }) => action)).toEqual(['refund.create', 'refund.accept'])
})

it('tells of a success, its settlement and a refund that someone requested', async () => {
  begun = await paidPayment(world(), begun)
  await putThreshold(world(), begun.tenant, 'NGN', 100_000n)
  clock.advance(1000)
  const path = `/merchant/api/v1/payments/${begun.id}/refund`
  await world().call('POST', path, { key: begun.key, body: { amount: 30_000 } })
  expect(await told()).toEqual([
    'Refund of NGN 300.00 accepted by the provider.',
    'Refund of NGN 300.00 requested.',
    'The provider made the money available.',
    'The provider collected NGN 1000.00.',
    'Payment of NGN 1000.00 begun.',
  ])
})

it('tells why a payment failed', async () => {
  await world().simulator.pay(begun.tenant, begun.reference, 'insufficient_funds')
  await resolve()
  expect((await told())[0]).toBe('Failed: Insufficient Funds.')
})

it('is told to no one else', async () => {
  const { tenant: other } = await shop(world())
  await expect(asked(other)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(asked({ environment: 'test' })).rejects.toMatchObject({ kind: 'not_found' })
})
