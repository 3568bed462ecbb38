// The threshold of an unapproved refund is stored with it, so that it can be checked later.
import { beforeEach, expect, it } from 'vitest'
import { invariants } from '../../../src/app/invariants.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, putThreshold, stateOf } from './paid-payment.ts'

const world = useWorld()

let tenant: Tenant
let payment: Payment
let key: string

beforeEach(async () => {
  const issued = await world().key({ service: 'merchant' })
  key = issued.text
  tenant = { businessId: issued.businessId, environment: 'live' }
  payment = await paidPayment(world(), tenant, 90_000n)
})

const refund = (amount: number) =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, { key, body: { amount } })

async function broken(): Promise<readonly object[]> {
  const [found] = invariants.filter(({ id }) => id === 'I13.3')
  const violations = await found?.violations(world().database.sql, world().context.clock.now())
  const { businessId } = tenant
  return (violations ?? []).filter((violation) => violation.businessId === businessId)
}

it('a refund keeps the threshold of its time, whatever becomes of that', async () => {
  expect((await refund(40_000)).status).toBe(200)
  expect((await refund(50_000)).status).toBe(200)
  await putThreshold(world(), tenant, 'NGN', 1n)
  expect((await stateOf(world(), tenant, payment.id)).refunds).toMatchObject([
    { thresholdMinor: 90_000n, approvalId: null },
    { thresholdMinor: 90_000n, approvalId: null },
  ])
  expect(await broken()).toEqual([])
})

it('refunds that were together above their threshold break an invariant', async () => {
  expect((await refund(40_000)).status).toBe(200)
  expect((await refund(50_000)).status).toBe(200)
  await setStoredThreshold(89_999n)
  const [, second] = (await stateOf(world(), tenant, payment.id)).refunds
  expect(await broken()).toMatchObject([{ refundId: second?.id }])
})

it('a refund without threshold and without approval breaks an invariant', async () => {
  expect((await refund(40_000)).status).toBe(200)
  await setStoredThreshold(null)
  expect(await broken()).toHaveLength(1)
})

async function setStoredThreshold(thresholdMinor: bigint | null) {
  await world().database.sql`
    update merchant.refunds
    set threshold_minor = ${thresholdMinor}
    where business_id = ${tenant.businessId}`
}
