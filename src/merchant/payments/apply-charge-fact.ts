// The reducer: the only function that changes a payment because of what the provider says. The
// payer's return, the webhook, the poller and every resolver hand their fact to it. It locks the
// payment, looks what the fact means for it, and does nothing when that was done before; so facts
// may come twice, late, and in any order.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import type { MerchantContext } from '../context.ts'
import { defaultFeeSchedule, feeOf } from '../fees/fee-schedule.ts'
import { findFeeSchedule } from '../fees/fee-store.ts'
import type { ChargeFact } from '../provider/provider.ts'
import { collectPeriod } from '../subscriptions/settle-period.ts'
import { successPosting } from './charge-posting.ts'
import { failPayment } from './fail-payment.ts'
import { isCollected, isOpen, mayBecome, type Payment, succeededEventData } from './payment.ts'
import { lockPayment, updatePayment } from './payment-store.ts'
import { settleCharge } from './settle-charge.ts'
import { useUpCode } from './take-code.ts'
import {
  collectedMinor,
  keepUnmatched,
  recordBreak,
  refundBySystem,
  reverseBooked,
} from './take-unexpected.ts'

export async function applyChargeFact(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  paymentId: string,
  fact: ChargeFact,
): Promise<Payment> {
  const payment = assertDefined(
    await lockPayment(tx, tenant, paymentId),
    `the provider knows a payment ${paymentId} that is not here`,
  )
  assert(fact.reference === payment.providerReference, `a fact about ${fact.reference}`)
  const step = { tx, context, tenant, payment, fact }
  if (fact.status === 'pending') return applyPending(step)
  if (fact.status === 'failed') return applyFailure(step)
  return settleCharge(step, await applySuccess(step))
}

export type FactStep = {
  readonly tx: Tx
  readonly context: MerchantContext
  readonly tenant: Tenant
  // As it was locked, before the fact.
  readonly payment: Payment
  readonly fact: ChargeFact
}

async function applyPending({ tx, context, tenant, payment, fact }: FactStep): Promise<Payment> {
  if (!mayBecome(payment.status, 'processing')) return payment
  const changes = {
    status: 'processing',
    providerTransactionId: fact.transactionId,
    updatedAt: context.clock.now(),
  } as const
  await updatePayment(tx, tenant, payment.id, changes)
  return { ...payment, ...changes }
}

async function applyFailure(step: FactStep): Promise<Payment> {
  const { tx, context, tenant, payment, fact } = step
  // A decline of one try says nothing about another that is under way.
  const { status, providerTransactionId } = payment
  const isOther = providerTransactionId !== null && providerTransactionId !== fact.transactionId
  if (status === 'processing' && isOther) return payment
  if (isOpen(payment)) {
    const reason = fact.failureReason ?? 'declined'
    const { transactionId } = fact
    return failPayment(tx, context, tenant, payment, { reason, transactionId })
  }
  // A decline that came before the success is old news.
  if (payment.providerTransactionId === fact.transactionId) await reverseBooked(step)
  return payment
}

async function applySuccess(step: FactStep): Promise<Payment> {
  const { tx, context, tenant, payment, fact } = step
  if (isCollected(payment)) {
    if (payment.providerTransactionId !== fact.transactionId) {
      await keepUnmatched(step, 'repeated_charge')
    }
    return payment
  }
  if (!isOpen(payment)) return applyLateSuccess(step)
  const { transactionId } = fact
  const paidMinor = collectedMinor(fact)
  if (fact.currency !== payment.currency || paidMinor === undefined) {
    await keepUnmatched(step, 'wrong_currency')
    return failPayment(tx, context, tenant, payment, { reason: wrongCurrency, transactionId })
  }
  if (paidMinor < payment.amountMinor) {
    await keepUnmatched(step, 'underpayment')
    return failPayment(tx, context, tenant, payment, { reason: underpaid, transactionId })
  }
  return succeed(step, paidMinor - payment.amountMinor)
}

const wrongCurrency = 'paid in another currency'
const underpaid = 'paid less than the amount'

// The payment has ended, and now there is money: it goes back.
async function applyLateSuccess(step: FactStep): Promise<Payment> {
  const { tx, context, tenant, payment, fact } = step
  const { failureReason, providerTransactionId } = payment
  const isKept = failureReason === wrongCurrency || failureReason === underpaid
  if (isKept && providerTransactionId === fact.transactionId) return payment
  if (!(await keepUnmatched(step, 'late_success'))) return payment
  const changes = { providerTransactionId: fact.transactionId, updatedAt: context.clock.now() }
  await updatePayment(tx, tenant, payment.id, changes)
  await refundBySystem(step, 'late_success', collectedMinor(fact) ?? 0n)
  return { ...payment, ...changes }
}

async function succeed(step: FactStep, excessMinor: bigint): Promise<Payment> {
  const { tx, context, tenant, payment, fact } = step
  const { id: paymentId, amountMinor, currency } = payment
  const schedule = await findFeeSchedule(tx, tenant.businessId, currency)
  const feeMinor = feeOf(schedule ?? defaultFeeSchedule, amountMinor)
  const netMinor = amountMinor - feeMinor
  const splitMinor = payment.splitMinor ?? 0n
  const now = context.clock.now()
  const changes = {
    status: 'succeeded',
    feeMinor,
    netMinor,
    providerTransactionId: fact.transactionId,
    succeededAt: now,
    updatedAt: now,
  } as const
  const succeeded: Payment = { ...payment, ...changes }
  const charge = { paymentId, currency, amountMinor, feeMinor, netMinor, splitMinor, excessMinor }
  // Sent together and done in this order; to wait for each would be half of what settling costs.
  await Promise.all([
    updatePayment(tx, tenant, paymentId, changes),
    post(tx, context, tenant, successPosting(charge)),
    publish(tx, context, tenant, {
      service: 'merchant',
      type: 'payment.succeeded',
      objectId: paymentId,
      data: succeededEventData(succeeded),
    }),
    recordAct(
      tx,
      context,
      { ...tenant, kind: 'system', name: 'payment provider' },
      { action: 'payment.succeed', objectKind: 'payment', objectId: paymentId },
    ),
  ])
  await useUpCode(tx, tenant, payment)
  await collectPeriod(tx, context, tenant, payment, fact.token)
  if (excessMinor > 0n) {
    await recordBreak(step, 'overpayment', { excess_minor: String(excessMinor) })
    await refundBySystem(step, 'overpayment', excessMinor)
  }
  return succeeded
}
