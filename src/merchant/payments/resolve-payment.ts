// Asks the provider for the outcome of a payment and applies the answer. Called when something may
// have happened: by the payer's return, a webhook or the poller.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { MerchantContext } from '../context.ts'
import { providerOf } from '../provider/choose-provider.ts'
import { applyChargeFact } from './apply-charge-fact.ts'
import { failPayment } from './fail-payment.ts'
import { isOpen, type Payment } from './payment.ts'
import { findPayment, lockPayment } from './payment-store.ts'
import { resolveUnresolvedPayment } from './record-unresolved-payment.ts'

export type Resolved = {
  readonly payment: Payment
  // Whether the provider has a charge; unknown if it did not answer.
  readonly charge: 'found' | 'none' | 'unknown'
}

export async function resolvePayment(
  context: MerchantContext,
  tenant: Tenant,
  paymentId: string,
): Promise<Resolved | undefined> {
  const payment = await findPayment(context.database.sql, tenant, paymentId)
  if (!payment) return undefined
  const provider = await providerOf(context, tenant, payment.provider)
  const outcome = await provider.findCharge(payment.providerReference)
  if (outcome.kind !== 'success') {
    context.log.warn({ paymentId, outcome: outcome.kind }, 'a charge could not be looked up')
    return { payment, charge: 'unknown' }
  }
  context.failpoint('charge.looked-up')
  const fact = outcome.value
  if (fact === null) return { payment, charge: 'none' }
  const applied = await context.database.transaction(async (tx) => {
    const changed = await applyChargeFact(tx, context, tenant, paymentId, fact, payment)
    await resolveUnresolvedPayment(tx, context, tenant, changed)
    context.failpoint('charge.applying')
    return changed
  })
  context.failpoint('charge.applied')
  return { payment: applied, charge: 'found' }
}

// For a payment of which the provider has just said that it knows no charge, and whose session has
// ended. If the provider reports a charge later, it is refunded.
export async function abandonPayment(
  context: MerchantContext,
  tenant: Tenant,
  paymentId: string,
  reason: string,
): Promise<Payment> {
  const ended = await context.database.transaction(async (tx) => {
    const payment = assertDefined(await lockPayment(tx, tenant, paymentId), 'a payment vanished')
    if (!isOpen(payment)) return payment
    const failed = await failPayment(tx, context, tenant, payment, { reason })
    await resolveUnresolvedPayment(tx, context, tenant, failed)
    context.failpoint('charge.giving-up')
    return failed
  })
  context.failpoint('charge.given-up')
  return ended
}
