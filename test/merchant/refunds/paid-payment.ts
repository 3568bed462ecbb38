// A payment paid at the simulated provider, with a threshold for its refunds, and short ways to
// look at its state.
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { findPayment } from '../../../src/merchant/payments/payment-store.ts'
import { listRefundsOfPayment } from '../../../src/merchant/refunds/refund-store.ts'
import {
  discrepanciesOf,
  eventsOf,
  newLink,
  paidPayment as paidLink,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import type { World } from '../../support/world.ts'

const currency = 'NGN'

// 5,000.00 NGN. The threshold is above everything unless a test wants another one, or none (null).
export async function paidPayment(
  world: World,
  tenant: Tenant,
  thresholdMinor: bigint | null = 100_000_000n,
): Promise<Payment> {
  await putThreshold(world, tenant, currency, thresholdMinor)
  // Refunds are paid out of the settled balance, which the provider's fee has lessened.
  await world.simulator.control(tenant, 'POST', '/fund', { amount: 10_000, currency })
  const seller = await shop(world, tenant)
  const path = await newLink(world, seller, { amount: 5000 })
  return storedPayment(world, await paidLink(world, seller, path))
}

export async function putThreshold(
  world: World,
  { businessId }: Tenant,
  of: string,
  amountMinor: bigint | null,
): Promise<void> {
  const { sql } = world.database
  await sql`
    delete from merchant.approval_thresholds
    where business_id = ${businessId}
      and currency = ${of}`
  if (amountMinor === null) return
  const updatedAt = world.context.clock.now()
  const row = { businessId, operation: 'refund', currency: of, amountMinor, updatedAt }
  await sql`insert into merchant.approval_thresholds ${sql(row)}`
}

export async function stateOf(world: World, tenant: Tenant, paymentId: string) {
  const { sql } = world.database
  const payment = await findPayment(sql, tenant, paymentId)
  if (!payment) throw new Error(`there is no payment ${paymentId}`)
  const events = await eventsOf(world, tenant)
  return {
    payment,
    refunds: await listRefundsOfPayment(sql, tenant, paymentId),
    events: events
      .filter(({ type, objectId }) => type === 'payment.refunded' && objectId === paymentId)
      .map(({ data }) => data),
    breaks: (await discrepanciesOf(world, tenant)).map(({ cause }) => cause),
    // How often the provider really refunded.
    effects: (await world.simulator.effects(tenant, payment.providerReference)).refund,
  }
}

// As someone does it in the provider's dashboard; answers with the provider's id of it.
export async function refundByHand(
  world: World,
  tenant: Tenant,
  { providerTransactionId }: Payment,
  amountMinor: bigint,
): Promise<string> {
  const provider = await world.context.providerFor(tenant)
  const outcome = await provider.refund({
    transactionId: providerTransactionId ?? '',
    amountMinor,
    currency,
    note: 'By hand',
  })
  if (outcome.kind !== 'success') throw new Error(`refunding by hand was ${outcome.kind}`)
  return outcome.value.refundId
}
