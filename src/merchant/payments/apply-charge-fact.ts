// The only function that changes a payment because of what the provider says. The payer's return,
// the webhook, the poller and the resolvers pass their facts to it. It locks the payment,
// determines what the fact means for it, and does nothing if the fact is already applied. So facts
// can arrive twice, late, and in any order.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import type { MerchantContext } from '../context.ts'
import { decideFee } from '../fees/decide-fee.ts'
import { findPayerMails } from '../payer-mails/payer-mail-store.ts'
import { requestPayerMail, wantsReceipt } from '../payer-mails/send-payer-mail.ts'
import type { ChargeFact } from '../provider/provider.ts'
import { collectCard } from '../subscriptions/check-card.ts'
import { collectPeriod } from '../subscriptions/settle-period.ts'
import { collectScheduleCharge } from '../subscriptions/settle-schedule-charge.ts'
import { receivedMinor, successPosting } from './charge-posting.ts'
import type { FactStep } from './fact-step.ts'
import { failPayment } from './fail-payment.ts'
import { isCollected, isOpen, mayBecome, type Payment, succeededEventData } from './payment.ts'
import { lockPayment, updatePayment } from './payment-store.ts'
import {
  collectedMinor,
  compareBooked,
  recordChargeDiscrepancy,
  recordUnmatchedCharge,
  refundBySystem,
} from './record-unmatched-charge.ts'
import { markCodeUsed } from './reserve-code.ts'
import { sellItems } from './reserve-items.ts'
import { restoreBooked, reverseBooked } from './reverse-charge.ts'
import { settleCharge, settleUnmatched } from './settle-charge.ts'
import { findUnmatchedCharge } from './unmatched-charge-store.ts'

export async function applyChargeFact(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  paymentId: string,
  fact: ChargeFact,
  // The payment as it was when the provider was asked about all of its tries.
  asked?: Payment,
): Promise<Payment> {
  const payment = assertDefined(
    await lockPayment(tx, tenant, paymentId),
    `the provider knows a payment ${paymentId} that is not here`,
  )
  assert(fact.reference === payment.providerReference, `a fact about ${fact.reference}`)
  const step = { tx, context, tenant, payment, fact, asked }
  if (fact.status === 'pending') return applyPending(step)
  if (fact.status === 'failed') return applyFailure(step)
  return applySuccess(step)
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
  if (isOfAnotherTry(step)) return payment
  if (isOpen(payment)) {
    const reason = fact.failureReason ?? 'declined'
    const { transactionId } = fact
    return failPayment(tx, context, tenant, payment, { reason, transactionId })
  }
  // A decline of a charge that was never collected changes nothing.
  if (isOwn(step)) {
    if (!(await reverseBooked(step, payment.id)) || !payment.settledAt) return payment
    return changeSettled(step, null)
  }
  const kept = await findUnmatchedCharge(tx, tenant, payment.id, fact.transactionId)
  if (kept) await reverseBooked(step, kept.id)
  return payment
}

// A decline of one try says nothing about another try under way, unless the provider was asked when
// that one was already known: then it has ended too.
function isOfAnotherTry({ payment, fact, asked }: FactStep): boolean {
  const { status, providerTransactionId: underWay } = payment
  if (status !== 'processing' || underWay === null) return false
  return underWay !== fact.transactionId && underWay !== asked?.providerTransactionId
}

async function applySuccess(step: FactStep): Promise<Payment> {
  if (isOpen(step.payment)) return applyFirstSuccess(step)
  return isOwn(step) ? applyKnownSuccess(step) : applyUnwanted(step)
}

// Whether the fact is about the charge that the payment collected.
function isOwn({ payment, fact }: FactStep): boolean {
  return isCollected(payment) && payment.providerTransactionId === fact.transactionId
}

async function applyFirstSuccess(step: FactStep): Promise<Payment> {
  const { payment, fact } = step
  const paidMinor = collectedMinor(fact)
  if (fact.currency !== payment.currency || paidMinor === undefined) {
    return refuse(step, 'wrong_currency', 'paid in another currency')
  }
  if (paidMinor < payment.amountMinor) {
    return refuse(step, 'underpayment', 'paid less than the amount')
  }
  return settleCharge(step, await succeed(step, paidMinor - payment.amountMinor))
}

// The payment fails, and a person decides about the money.
async function refuse(
  step: FactStep,
  cause: 'wrong_currency' | 'underpayment',
  reason: string,
): Promise<Payment> {
  const { tx, context, tenant, payment, fact } = step
  const kept = await recordUnmatchedCharge(step, cause)
  await settleUnmatched(step, kept.id)
  const { transactionId } = fact
  return failPayment(tx, context, tenant, payment, { reason, transactionId })
}

async function applyKnownSuccess(step: FactStep): Promise<Payment> {
  const { tx, tenant, payment } = step
  const booked = await listLinesOfSource(tx, tenant, payment.id)
  await compareBooked(step, { amountMinor: receivedMinor(booked), currency: payment.currency })
  if (!(await restoreBooked(step, payment.id, booked))) return settleCharge(step, payment)
  const wasSettled = booked.some(({ kind }) => kind === 'charge.settled')
  return wasSettled ? changeSettled(step, step.context.clock.now()) : settleCharge(step, payment)
}

// Settlements show the money that the provider made available, without reversed charges.
async function changeSettled(step: FactStep, settledAt: Date | null): Promise<Payment> {
  const { tx, context, tenant, payment } = step
  const changes = { settledAt, updatedAt: context.clock.now() }
  await updatePayment(tx, tenant, payment.id, changes)
  return { ...payment, ...changes }
}

// The payment has ended, and more money arrived: it is refunded.
async function applyUnwanted(step: FactStep): Promise<Payment> {
  const { tx, tenant, payment, fact } = step
  const known = await findUnmatchedCharge(tx, tenant, payment.id, fact.transactionId)
  if (known) {
    await compareBooked(step, known)
    await restoreBooked(step, known.id, await listLinesOfSource(tx, tenant, known.id))
    await settleUnmatched(step, known.id)
    return payment
  }
  const cause = isCollected(payment) ? 'repeated_charge' : 'late_success'
  const kept = await recordUnmatchedCharge(step, cause)
  await refundBySystem(step, cause, kept.amountMinor ?? 0n)
  await settleUnmatched(step, kept.id)
  return payment
}

async function succeed(step: FactStep, excessMinor: bigint): Promise<Payment> {
  const { tx, context, tenant, payment, fact } = step
  const { id: paymentId, amountMinor, currency } = payment
  const feeMinor = payment.agreedFeeMinor ?? (await decideFee(tx, tenant.businessId, payment))
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
  const items = await sellItems(tx, tenant, payment)
  // Sent together and executed in this order. Waiting for each would double the time to settle.
  const [mails] = await Promise.all([
    findPayerMails(tx, tenant.businessId),
    updatePayment(tx, tenant, paymentId, { ...changes, ...paidWith(fact) }),
    post(tx, context, tenant, successPosting(charge)),
    publish(tx, context, tenant, {
      service: 'merchant',
      type: 'payment.succeeded',
      objectId: paymentId,
      data: succeededEventData(succeeded, items),
    }),
    recordAct(
      tx,
      context,
      { ...tenant, kind: 'system', name: 'payment provider' },
      { action: 'payment.succeed', objectKind: 'payment', objectId: paymentId },
    ),
  ])
  // The check of a card is no purchase.
  if (payment.cardSubscriptionId === null) {
    const isOn = wantsReceipt(mails, payment)
    await requestPayerMail(tx, context, tenant, isOn, { paymentId, refundId: null })
  }
  await markCodeUsed(tx, tenant, payment)
  await collectPeriod(tx, context, tenant, payment, fact)
  await collectScheduleCharge(tx, tenant, payment)
  await collectCard(step)
  if (excessMinor > 0n) {
    await recordChargeDiscrepancy(step, 'overpayment', { excess_minor: String(excessMinor) })
    await refundBySystem(step, 'overpayment', excessMinor)
  }
  return succeeded
}

function paidWith({ method, card }: ChargeFact) {
  return { method, cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null }
}
