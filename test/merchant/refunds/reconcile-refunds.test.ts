// Refunds made in the provider's dashboard.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { listDiscrepancies } from '../../../src/merchant/discrepancies/discrepancy-store.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { reconcileRefundsSchedule } from '../../../src/merchant/refunds/reconcile-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, refundByHand } from './paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })

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

async function reconcile() {
  await reconcileRefundsSchedule.run(world().context, new AbortController().signal)
  return breaks()
}

const refund = () =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, {
    key,
    body: { amount: 40_000 },
  })

it('are a break of the payment, also where we have refunded nothing of it', async () => {
  const entry = await refundByHand(world(), tenant, payment, 10_000n)
  const found = await reconcile()
  expect(found).toMatchObject([
    { cause: 'refund_missing_here', objectKind: 'payment', objectId: payment.id },
  ])
  expect(found[0]?.detail.entries).toContain(`${entry}: 100`)
  expect(await reconcile()).toHaveLength(1)
})

it('reopen the break when there is another', async () => {
  await refundByHand(world(), tenant, payment, 10_000n)
  await reconcile()
  await world().database.sql`
    update merchant.breaks
    set resolved_at = now(), resolution = 'seen to'
    where business_id = ${tenant.businessId}`
  expect(await reconcile()).toMatchObject([{ resolution: 'seen to' }])
  const second = await refundByHand(world(), tenant, payment, 20_000n)
  const [found] = await reconcile()
  expect(found?.resolvedAt).toBeNull()
  expect(found?.detail.entries).toContain(`${second}: 200`)
})

it('are told once, also when one of ours is sent afterwards', async () => {
  await refundByHand(world(), tenant, payment, 10_000n)
  await reconcile()
  expect((await refund()).status).toBe(200)
  expect(await reconcile()).toHaveLength(1)
})

it('are told once, also when one of ours was sent before anybody compared', async () => {
  await refundByHand(world(), tenant, payment, 10_000n)
  expect((await refund()).status).toBe(200)
  expect(await breaks()).toMatchObject([{ cause: 'refund_missing_here', objectKind: 'refund' }])
  expect(await reconcile()).toHaveLength(1)
})

it('are not those of ours', async () => {
  expect((await refund()).status).toBe(200)
  expect(await reconcile()).toEqual([])
})

it('are not told from one of ours whose answer was lost, before that is known', async () => {
  const call = 'POST /transactions/:id/refund'
  await world().simulator.rule(tenant, { count: 1, operation: call, effect: 'drop_after' })
  expect((await refund()).status).toBe(502)
  expect(await reconcile()).toEqual([])
})

it('that failed are nothing', async () => {
  const failing = { count: 1, operation: 'refund', effect: 'fail_later', after_ms: 0 }
  await world().simulator.rule(tenant, failing)
  await refundByHand(world(), tenant, payment, 10_000n)
  await world().simulator.drain()
  expect(await reconcile()).toEqual([])
})

it('are found later when the provider cannot be asked now', async () => {
  await refundByHand(world(), tenant, payment, 10_000n)
  const failed: string[] = []
  const context = {
    ...world().context,
    onReconciliationFailed: (what: string) => failed.push(what),
  }
  const rule = { count: 1, operation: 'GET /refunds', effect: 'refuse', status: 500 }
  await world().simulator.rule(tenant, rule)
  await reconcileRefundsSchedule.run(context, new AbortController().signal)
  expect(failed).toContain('refunds')
  expect(await breaks()).toEqual([])
  expect(await reconcile()).toHaveLength(1)
})
