// Finds chargebacks: at once when the provider sends a message, and by a schedule that compares
// with the provider's list, because messages can be lost and none is sent when a dispute is
// decided.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { CauseMissing, defineJob } from '../../kernel/jobs/job.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { byProvider, listEvery } from '../discrepancies/reconcile-charges.ts'
import { listTenantsWithPayments, type Window } from '../discrepancies/reconcile-store.ts'
import { isOpen } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { resolvePayment } from '../payments/resolve-payment.ts'
import { providerOf } from '../provider/choose-provider.ts'
import type { ChargebackFact, Provider } from '../provider/provider.ts'
import { applyChargebackFact } from './apply-chargeback-fact.ts'

const hour = 60 * 60
const day = 24 * hour
// Cardholders have about four months, and a dispute takes weeks.
const paymentsSeconds = 240 * day
const windowSeconds = 120 * day
// The provider sends a message about a new chargeback.
const freshSeconds = 7 * day

export const findChargebacksJob = defineJob({
  kind: 'look-for-chargebacks',
  schema: z.object({ paymentId: z.uuid() }),
  // The schedule looks anyway. This job is only faster.
  attemptsMax: 5,
  retryDelaysSeconds: [5, 30, 120],
  leaseSeconds: 60,
  endsWithoutCause: true,
  async run(context: MerchantContext, { tenant: given, payload }) {
    const tenant = assertDefined(given, 'a message without its tenant')
    const payment = await findPayment(context.database.sql, tenant, payload.paymentId)
    if (!payment) throw new CauseMissing('a message about no payment')
    const now = context.clock.now()
    const provider = await providerOf(context, tenant, payment.provider)
    const found = await listIn(provider, { from: addSeconds(now, -freshSeconds), to: now })
    if (!found) throw new Error('the provider did not list its chargebacks')
    context.failpoint('chargeback.looked-up')
    const ours = found.filter(({ reference }) => reference === payment.providerReference)
    for (const fact of ours) await apply(context, tenant, payment.id, fact)
    context.failpoint('chargeback.applied')
  },
})

export const reconcileChargebacksSchedule = defineSchedule({
  name: 'reconcile-chargebacks',
  everySeconds: 6 * hour,
  async run(context: MerchantContext, signal) {
    const now = context.clock.now()
    const since = addSeconds(now, -paymentsSeconds)
    const tenants = await listTenantsWithPayments(context.database.sql, since)
    for (const [provider, served] of await byProvider(context, tenants)) {
      if (signal.aborted) return
      const found = await listIn(provider, { from: addSeconds(now, -windowSeconds), to: now })
      if (!found) {
        context.log.warn({ tenants: served.length }, 'the provider did not list its chargebacks')
        context.onReconciliationFailed?.('chargebacks')
        continue
      }
      for (const fact of found) await compareOrLog(context, served, fact)
    }
  },
})

function listIn(provider: Provider, window: Window): Promise<ChargebackFact[] | undefined> {
  return listEvery((page) => provider.listChargebacks({ ...window, page }))
}

// The others must not wait for one that fails. The next run tries again.
async function compareOrLog(
  context: MerchantContext,
  tenants: readonly Tenant[],
  fact: ChargebackFact,
): Promise<void> {
  try {
    await compare(context, tenants, fact)
  } catch (error) {
    const { chargebackId } = fact
    context.log.error({ chargebackId, err: error }, 'a chargeback could not be recorded')
    context.onReconciliationFailed?.('chargebacks')
  }
}

// A chargeback without a reference of ours is about a charge of another program on the same
// account.
async function compare(
  context: MerchantContext,
  tenants: readonly Tenant[],
  fact: ChargebackFact,
): Promise<void> {
  const meant = parseHostedReference(fact.reference)
  if (!meant) return
  const { businessId, environment } = meant.tenant
  const tenant = tenants.find(
    (one) => one.businessId === businessId && one.environment === environment,
  )
  if (tenant && (await findPayment(context.database.sql, tenant, meant.id))) {
    await apply(context, tenant, meant.id, fact)
  }
}

// A chargeback always has a charge. If we don't know the charge yet, it is looked up first.
async function apply(
  context: MerchantContext,
  tenant: Tenant,
  paymentId: string,
  fact: ChargebackFact,
): Promise<void> {
  const payment = await findPayment(context.database.sql, tenant, paymentId)
  if (payment && isOpen(payment)) await resolvePayment(context, tenant, paymentId)
  await context.database.transaction((tx) =>
    applyChargebackFact(tx, context, tenant, paymentId, fact),
  )
}
