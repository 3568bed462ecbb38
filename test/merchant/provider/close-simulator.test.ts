// A real provider is configured where the simulator served live keys: nothing that the simulator
// collected is ever paid out or refunded by it.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { listBusinessBalances } from '../../../src/merchant/balances/balance-store.ts'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import { createPayout } from '../../../src/merchant/payouts/create-payout.ts'
import { closeSimulator } from '../../../src/merchant/provider/close-simulator.ts'
import { refundPayment } from '../../../src/merchant/refunds/refund-payment.ts'
import { withProviders } from '../../../src/start/start-simulator.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import {
  balancesOf,
  payment as begun,
  newLink,
  paidPayment,
  type Shop,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { member, payer } from '../../support/payouts.ts'
import { createWorld, type World } from '../../support/world.ts'
import { putThreshold } from '../refunds/paid-payment.ts'

let world: World
let seller: Shop
let real: MerchantContext

// Its own database, since it has a real provider afterwards.
beforeEach(async () => {
  world = await createWorld()
  seller = await payer(world, { availableMinor: 0n })
  // Another account at the simulator's server plays the real provider.
  const flutterwave = {
    baseUrl: `${world.simulator.url}/v3`,
    secretKey: 'FLWSECK-platform-X',
    webhookHash: undefined,
  }
  real = withProviders(world.context, undefined, { flutterwave, simulatorServesLive: false })
  return () => world.close()
})

const close = () => closeSimulator(real, 'flutterwave', [seller.tenant.businessId])
const payOut = (context: MerchantContext, amountMinor = 50_000n) => {
  const input = { amountMinor, currency: 'NGN', destinationType: 'provider_bank' as const }
  return runOperation(createPayout, context, actorOf(seller.tenant), input)
}
const actorOf = (tenant: Tenant): Actor => ({ kind: 'system', name: 'test', ...tenant })
const availableMinor = async () =>
  (await listBusinessBalances(world.database.sql, seller.tenant))[0]?.availableMinor

async function paid() {
  return paidPayment(world, seller, await newLink(world, seller))
}

// As if the configured provider had collected it before providers were kept.
async function paidAtRealProvider() {
  const one = await paid()
  await world.database.sql`
    update merchant.payments
    set provider = null
    where id = ${one.id}`
  return one
}

it('a charge and a payout name the provider that they went to', async () => {
  const { id } = await paid()
  const { payout } = await payOut(world.context)
  expect(await storedPayment(world, { ...seller, id })).toMatchObject({ provider: 'simulator' })
  expect(payout.provider).toBe('simulator')
})

describe('after a real provider was configured', () => {
  it('simulated money cannot be paid out', async () => {
    await paid()
    expect(await availableMinor()).toBe(98_500n)
    await close()
    expect(await availableMinor()).toBe(0n)
    await expect(payOut(real)).rejects.toMatchObject({ kind: 'invalid_request' })
    expect(await balancesOf(world, seller.tenant)).toMatchObject({
      'simulated:merchant:available NGN': -98_500n,
    })
    await expectInvariants(world.database)
  })

  it('refunds of simulated payments are unavailable, held ones too', async () => {
    const { id } = await paid()
    const held = await paid()
    await putThreshold(world, seller.tenant, 'NGN', 0n)
    const asked = await world.call('POST', `/merchant/api/v1/payments/${held.id}/refund`, {
      key: seller.key,
      body: {},
    })
    await close()
    const refund = runOperation(refundPayment, real, actorOf(seller.tenant), { paymentId: id })
    await expect(refund).rejects.toMatchObject({ kind: 'unavailable' })
    const path = `/merchant/api/v1/payments/${id}/refund`
    const { status, body } = await world.call('POST', path, { key: seller.key, body: {} })
    expect([status, body.code]).toEqual([503, 'unavailable'])
    const approver = await member(world, seller.tenant, 'admin')
    const approving = runOperation(approveApproval, real, approver, { id: asked.body.approvalId })
    await expect(approving).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await storedPayment(world, { ...seller, id })).refundedMinor).toBe(0n)
  })

  it('what the real provider collected stays and can be paid out', async () => {
    await paid()
    await paidAtRealProvider()
    await close()
    expect(await availableMinor()).toBe(98_500n)
    const { payout } = await payOut(real)
    expect(payout).toMatchObject({ provider: 'flutterwave', amountMinor: 50_000n })
    await expect(payOut(real)).rejects.toMatchObject({ kind: 'invalid_request' })
    await expectInvariants(world.database)
  })

  it('what is open at the simulator ends without money', async () => {
    await paid()
    const open = await begun(world, seller)
    await world.simulator.rule(seller.tenant, { operation: 'POST /transfers', effect: 'drop' })
    const { payout: sent } = await payOut(world.context)
    await close()
    expect(await storedPayment(world, open)).toMatchObject({ status: 'failed' })
    const [payout] = await world.database.sql`
      select status, next_look_at
      from merchant.payouts
      where id = ${sent.id}`
    expect(payout).toEqual({ status: 'failed', nextLookAt: null })
    await expectInvariants(world.database)
  })

  it('live keys never reach the simulator again, and closing again changes nothing', async () => {
    await paid()
    await close()
    await close()
    const { status, body } = await world.call('POST', '/merchant/api/v1/payment-links', {
      key: seller.key,
      body: { title: 'Order', currency: 'NGN', amount: 100 },
    })
    expect([status, body.code]).toEqual([503, 'unavailable'])
    const separated = await world.database.sql`
      select
      from kernel.ledger_entries
      where kind = 'provider.separated'`
    expect(separated).toHaveLength(1)
  })

  it('an invariant finds what is still open at the simulator', async () => {
    // Of a business that was left out.
    await begun(world, await shop(world))
    await close()
    expect(await brokenInvariants(world.database)).toEqual(['I4.5'])
  })

  it('a demo business keeps the simulator and its money', async () => {
    await paid()
    await world.database.sql`
      update kernel.businesses
      set is_demo = true
      where id = ${seller.tenant.businessId}`
    await close()
    expect(await availableMinor()).toBe(98_500n)
    await paid()
    await payOut(world.context)
  })
})
