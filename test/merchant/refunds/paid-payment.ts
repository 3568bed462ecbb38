// A payment that was really paid at the simulated provider, and short ways to look at what became
// of it.
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { applyChargeFact } from '../../../src/merchant/payments/apply-charge-fact.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { findPayment, insertPayment } from '../../../src/merchant/payments/payment-store.ts'
import { listRefundsOfPayment } from '../../../src/merchant/refunds/refund-store.ts'
import type { World } from '../../support/world.ts'

export type Wanted = { amountMinor?: bigint; currency?: string; thresholdMinor?: bigint | null }

// The threshold is above everything unless a test wants another one, or none (null).
export async function paidPayment(
  world: World,
  tenant: Tenant,
  wanted: Wanted = {},
): Promise<Payment> {
  const { amountMinor = 500_000n, currency = 'NGN', thresholdMinor = 100_000_000n } = wanted
  await setThreshold(world, tenant, currency, thresholdMinor)
  const { id, providerReference } = await pendingPayment(world, tenant, amountMinor, currency)
  const provider = await world.context.providerFor(tenant)
  const checkout = await provider.createCheckout({
    reference: providerReference,
    amountMinor,
    currency,
    payerEmail: 'payer@example.com',
    payerName: null,
    title: 'Corner shop',
    description: null,
    returnUrl: 'https://tillbook.example/back',
    sessionMinutes: 30,
    split: null,
  })
  if (checkout.kind !== 'success') throw new Error(`no checkout: ${JSON.stringify(checkout)}`)
  // Refunds are paid out of the settled balance, which the provider's fee has lessened.
  await world.simulator.control(tenant, 'POST', '/fund', { amount: 10_000, currency })
  await world.simulator.pay(tenant, providerReference)
  const found = await provider.findCharge(providerReference)
  const fact = found.kind === 'success' ? found.value : null
  if (!fact) throw new Error(`no charge: ${JSON.stringify(found)}`)
  return world.database.transaction((tx) => applyChargeFact(tx, world.context, tenant, id, fact))
}

export async function setThreshold(
  world: World,
  tenant: Tenant,
  currency: string,
  amountMinor: bigint | null,
): Promise<void> {
  const { sql } = world.database
  await sql`
    delete from merchant.approval_thresholds
    where business_id = ${tenant.businessId}
      and currency = ${currency}`
  if (amountMinor === null) return
  const row = { ...ofBusiness(tenant), operation: 'refund', currency, amountMinor }
  await sql`
    insert into merchant.approval_thresholds
      ${sql({ ...row, updatedAt: world.context.clock.now() })}`
}

export async function pendingPayment(
  world: World,
  tenant: Tenant,
  amountMinor = 500_000n,
  currency = 'NGN',
): Promise<Payment> {
  const { ids, clock } = world.context
  const now = clock.now()
  const linkId = ids.uuid()
  const payment: Payment = {
    id: ids.uuid(),
    status: 'pending',
    currency,
    amountMinor,
    refundedMinor: 0n,
    feeMinor: null,
    netMinor: null,
    paymentLinkId: linkId,
    qrCodeId: null,
    subscriptionId: null,
    splitRecipientId: null,
    splitMinor: null,
    payerEmail: 'payer@example.com',
    payerName: null,
    failureReason: null,
    providerReference: `till-${ids.uuid()}`,
    providerTransactionId: null,
    checkoutUrl: null,
    checkoutExpiresAt: now,
    createdAt: now,
    updatedAt: now,
    succeededAt: null,
    settledAt: null,
  }
  await world.database.transaction(async (tx) => {
    const link = { id: linkId, state: 'active', title: 'Rice', currency, createdAt: now }
    await tx`
      insert into merchant.payment_links
        ${tx({ ...ofBusiness(tenant), environment: tenant.environment, ...link })}`
    await insertPayment(tx, tenant, payment)
  })
  return payment
}

export async function stateOf(world: World, tenant: Tenant, paymentId: string) {
  const { sql } = world.database
  const payment = await findPayment(sql, tenant, paymentId)
  const refunds = await listRefundsOfPayment(sql, tenant, paymentId)
  const events = await sql<{ data: Record<string, unknown> }[]>`
    select data
    from kernel.events
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and object_id = ${paymentId}
      and type = 'payment.refunded'
    order by id`
  const breaks = await sql<{ cause: string }[]>`
    select cause
    from merchant.breaks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id`
  return {
    payment,
    refunds,
    events: events.map(({ data }) => data),
    breaks: breaks.map(({ cause }) => cause),
    effects: payment
      ? (await world.simulator.effects(tenant, payment.providerReference)).refund
      : undefined,
  }
}

function ofBusiness({ businessId }: Tenant) {
  return { businessId }
}
