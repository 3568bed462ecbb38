// Finds refunds that were made in the provider's dashboard or by another program. Our records don't
// have them, so a person must look at them; the resolver handles our own. Only this finds them for
// payments without a refund of ours.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { byProvider, listEvery } from '../discrepancies/reconcile-charges.ts'
import { listTenantsWithPayments, type Window } from '../discrepancies/reconcile-store.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { Provider, RefundFact } from '../provider/provider.ts'
import { isLive, isOfAmount } from './match-provider-refund.ts'
import { isGivenUp, isInFlight } from './refund.ts'
import { listProviderRefundIds, listRefundsOfPayment, updateRefund } from './refund-store.ts'
import { recordDashboardRefunds } from './unmatched-refunds.ts'

const hour = 60 * 60
const day = 24 * hour
const windowSeconds = 3 * day
// Payments are refunded for months.
const paymentsSeconds = 240 * day
// A refund of ours may have waited this long before the provider accepted it.
const waitedSeconds = 30 * day

export const reconcileRefundsSchedule = defineSchedule({
  name: 'reconcile-refunds',
  everySeconds: 6 * hour,
  async run(context: MerchantContext, signal) {
    const now = context.clock.now()
    const since = addSeconds(now, -paymentsSeconds)
    const tenants = await listTenantsWithPayments(context.database.sql, since)
    const window = { from: addSeconds(now, -windowSeconds), to: now }
    for (const [provider, served] of await byProvider(context, tenants)) {
      if (signal.aborted) return
      await reconcile(context, provider, served, window)
    }
  },
})

async function reconcile(
  context: MerchantContext,
  provider: Provider,
  tenants: readonly Tenant[],
  window: Window,
): Promise<void> {
  const listed = await listEvery((page) => provider.listRefundsBetween({ ...window, page }))
  if (!listed) {
    context.log.warn({ tenants: tenants.length }, 'the provider did not list its refunds')
    context.onReconciliationFailed?.('refunds')
    return
  }
  const since = addSeconds(window.from, -waitedSeconds)
  // Read after the provider's list: every entry of the list is then known here, or its refund is in
  // flight.
  const known = new Set<string>()
  for (const tenant of tenants) {
    const ours = await listProviderRefundIds(context.database.sql, tenant, since)
    for (const id of ours) known.add(id)
  }
  const unmatched = listed.filter((fact) => isLive(fact) && !known.has(fact.refundId))
  for (const [transactionId, facts] of Map.groupBy(unmatched, (fact) => fact.transactionId)) {
    try {
      await take(context, provider, tenants, transactionId, facts)
    } catch (error) {
      // The others must not wait for this one. The next run tries again.
      context.log.error({ transactionId, err: error }, 'a refund could not be compared')
      context.onReconciliationFailed?.('refunds')
    }
  }
}

// A refund names its transaction, which has our reference, and that names payment and tenant.
async function take(
  context: MerchantContext,
  provider: Provider,
  tenants: readonly Tenant[],
  transactionId: string,
  facts: readonly RefundFact[],
): Promise<void> {
  const found = await provider.findReference(transactionId)
  if (found.kind !== 'success') {
    context.onReconciliationFailed?.('refunds')
    return
  }
  const meant = found.value === null ? undefined : parseHostedReference(found.value)
  const tenant = tenants.find(
    ({ businessId, environment }) =>
      businessId === meant?.tenant.businessId && environment === meant.tenant.environment,
  )
  if (!meant || !tenant) return
  await context.database.transaction(async (tx) => {
    const payment = await lockPayment(tx, tenant, meant.id)
    if (!payment) return
    const refunds = await listRefundsOfPayment(tx, tenant, payment.id)
    // A refund under way may be one of them; the resolver decides.
    if (refunds.some(isInFlight)) return
    const told = new Set(
      refunds.flatMap(({ providerRefundId, listedBefore }) => [
        providerRefundId,
        ...(listedBefore ?? []),
      ]),
    )
    const unmatched = facts.filter(({ refundId }) => !told.has(refundId))
    const late = refunds.filter(
      (refund) => isGivenUp(refund) && unmatched.some((fact) => isOfAmount(refund, fact)),
    )
    // One of them may be a refund that was given up; the resolver looks and adopts it.
    for (const { id, updatedAt } of late) {
      await updateRefund(tx, tenant, id, { nextLookAt: context.clock.now(), updatedAt })
    }
    if (late.length > 0 || unmatched.length === 0) return
    await recordDashboardRefunds(tx, context, tenant, payment, unmatched)
  })
}
