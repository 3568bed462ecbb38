// The one place that changes a refund after it was recorded. The request, the resolver and messages
// of the provider pass the provider's answer. The rows are locked, and an answer that is already
// applied is ignored.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
import { findPayerMails } from '../payer-mails/payer-mail-store.ts'
import { requestPayerMail } from '../payer-mails/send-payer-mail.ts'
import { mayBecome, type Payment, statusAfterRefunds } from '../payments/payment.ts'
import { lockPayment, updatePayment } from '../payments/payment-store.ts'
import { resolveUnresolvedRefund } from './record-unresolved-refund.ts'
import {
  acceptedPosting,
  isGivenUp,
  isInFlight,
  isOfMerchant,
  type Refund,
  refundedEventData,
  reversedPosting,
} from './refund.ts'
import { failedRefundNotice } from './refund-notice.ts'
import { givenUpLookSeconds } from './refund-polling.ts'
import { listRefundsOfPayment, lockRefund, updateRefund } from './refund-store.ts'

// The provider's answer about a refund. `refundId` is its id of it; null if it refused a send,
// which says nothing about any other send of the same refund.
export type RefundVerdict = {
  readonly status: 'accepted' | 'settled' | 'failed'
  readonly refundId: string | null
  // The number of the refused send.
  readonly send?: number
  readonly reason?: string
  // Makes its failure a discrepancy for a person.
  readonly discrepancyCause?: 'refund_charged_back' | 'refund_not_found'
  // It was sent, and the provider does not have it: from now on it is looked up once a day.
  readonly isGivenUp?: boolean
}

export type SettledRefund = { readonly payment: Payment; readonly refund: Refund }

export async function settleRefund(
  tx: Tx,
  context: Context,
  actor: Actor,
  { id, paymentId }: Pick<Refund, 'id' | 'paymentId'>,
  verdict: RefundVerdict,
): Promise<SettledRefund> {
  const payment = assertDefined(await lockPayment(tx, actor, paymentId), 'a refund of no payment')
  const refund = assertDefined(await lockRefund(tx, actor, id), 'a refund vanished')
  const isFailed = verdict.status === 'failed'
  if (isFailed && isOfAnotherSend(refund, verdict)) return { payment, refund }
  if (refund.status === 'pending') {
    return isFailed
      ? fail(tx, context, actor, { payment, refund }, verdict)
      : accept(tx, context, actor, { payment, refund }, verdict)
  }
  if (isGivenUp(refund) && !isFailed) {
    return adopt(tx, context, actor, { payment, refund }, verdict)
  }
  const counts = refund.status === 'accepted' || refund.status === 'settled'
  if (counts && isFailed) return reverse(tx, context, actor, { payment, refund })
  if (refund.status === 'accepted' && verdict.status === 'settled') {
    const settled = await change(tx, context, actor, refund, { status: 'settled' }, 'refund.settle')
    return { payment, refund: settled }
  }
  return { payment, refund }
}

// If the sender was delayed, another process may have sent the refund meanwhile: then that one's
// answer counts.
function isOfAnotherSend({ status, sends }: Refund, { refundId, send }: RefundVerdict): boolean {
  if (refundId !== null) return false
  return status !== 'pending' || (send !== undefined && send !== sends)
}

async function accept(
  tx: Tx,
  context: Context,
  actor: Actor,
  before: SettledRefund,
  { status, refundId }: RefundVerdict,
): Promise<SettledRefund> {
  const changes = { status, providerRefundId: refundId, failureReason: null }
  const refund = await change(tx, context, actor, before.refund, changes, 'refund.accept')
  const [mails] = await Promise.all([
    findPayerMails(tx, actor.businessId),
    post(tx, context, actor, acceptedPosting(refund)),
  ])
  const fact = { paymentId: refund.paymentId, refundId: refund.id }
  // The page of the card said so, and no receipt was mailed.
  const isOn = mails.refunds && refund.cause !== 'card_check'
  await requestPayerMail(tx, context, actor, isOn, fact)
  if (!isOfMerchant(refund)) return { payment: before.payment, refund }
  const payment = await moveRefunded(tx, context, actor, before.payment, refund.amountMinor)
  await publish(tx, context, actor, {
    service: 'merchant',
    type: 'payment.refunded',
    objectId: payment.id,
    data: refundedEventData(payment, refund),
  })
  return { payment, refund }
}

async function fail(
  tx: Tx,
  context: Context,
  actor: Actor,
  { payment, refund }: SettledRefund,
  { refundId, reason, discrepancyCause, isGivenUp: isLookedFor }: RefundVerdict,
): Promise<SettledRefund> {
  const failureReason = reason ?? 'the provider reports it as failed'
  const now = context.clock.now()
  const looks = { givenUpAt: now, nextLookAt: addSeconds(now, givenUpLookSeconds) }
  const changes = {
    status: 'failed',
    providerRefundId: refundId,
    failureReason,
    ...(isLookedFor ? looks : {}),
  } as const
  const failed = await change(tx, context, actor, refund, changes, 'refund.fail')
  // If no request waits for an answer, a person must be told that the money was not returned.
  const isTold = isOfMerchant(refund) && actor.kind !== 'system'
  const cause = discrepancyCause ?? (isTold ? undefined : 'refund_refused')
  if (cause) await discrepancyOf(tx, context, actor, failed, cause)
  // Not for each try of a caller who waits for the answer: that would flood people with mails.
  if (isOfMerchant(refund) && !isTold) {
    await notify(tx, context, actor, failedRefundNotice(failed))
  }
  return { payment, refund: failed }
}

// The provider has it after all. The merchant was told that it failed and may have refunded the
// payment again, so a person must know; what no longer fits into the payment is not posted.
async function adopt(
  tx: Tx,
  context: Context,
  actor: Actor,
  before: SettledRefund,
  verdict: RefundVerdict,
): Promise<SettledRefund> {
  const { payment, refund } = before
  // Refunds in flight were checked without this one, so they come first.
  const refunds = await listRefundsOfPayment(tx, actor, payment.id)
  if (refunds.some(isInFlight)) return before
  const isTooMuch = payment.refundedMinor + refund.amountMinor > payment.amountMinor
  if (isOfMerchant(refund) && isTooMuch) {
    const found = { ...refund, providerRefundId: verdict.refundId }
    await discrepancyOf(tx, context, actor, found, 'refund_repeated')
    return before
  }
  const adopted = await accept(tx, context, actor, before, verdict)
  await discrepancyOf(tx, context, actor, adopted.refund, 'refund_found_late')
  return adopted
}

// No event is documented for this. A discrepancy informs people, and the payment is corrected.
async function reverse(
  tx: Tx,
  context: Context,
  actor: Actor,
  before: SettledRefund,
): Promise<SettledRefund> {
  const changes = {
    status: 'reversed',
    failureReason: 'failed at the provider after it was accepted',
  } as const
  const refund = await change(tx, context, actor, before.refund, changes, 'refund.reverse')
  await post(tx, context, actor, reversedPosting(refund))
  await discrepancyOf(tx, context, actor, refund, 'refund_failed_after_acceptance')
  if (!isOfMerchant(refund)) return { payment: before.payment, refund }
  await notify(tx, context, actor, failedRefundNotice(refund))
  const payment = await moveRefunded(tx, context, actor, before.payment, -refund.amountMinor)
  return { payment, refund }
}

async function change(
  tx: Tx,
  context: Context,
  actor: Actor,
  refund: Refund,
  changes: Partial<Refund>,
  action: string,
): Promise<Refund> {
  const written = { ...changes, updatedAt: context.clock.now() }
  await updateRefund(tx, actor, refund.id, written)
  const { id, paymentId, currency, amountMinor } = refund
  const detail = { paymentId, currency, amountMinor: amountMinor.toString() }
  await recordAct(tx, context, actor, { action, objectKind: 'refund', objectId: id, detail })
  const changed = { ...refund, ...written }
  await resolveUnresolvedRefund(tx, context, actor, changed)
  return changed
}

async function moveRefunded(
  tx: Tx,
  context: Context,
  actor: Actor,
  payment: Payment,
  byMinor: bigint,
): Promise<Payment> {
  const refundedMinor = payment.refundedMinor + byMinor
  const status = statusAfterRefunds(payment.amountMinor, refundedMinor)
  assert(mayBecome(payment.status, status), `payment ${payment.id}: ${payment.status} → ${status}`)
  const changes = { refundedMinor, status, updatedAt: context.clock.now() }
  await updatePayment(tx, actor, payment.id, changes)
  return { ...payment, ...changes }
}

async function discrepancyOf(
  tx: Tx,
  context: Context,
  actor: Actor,
  refund: Refund,
  cause: string,
): Promise<void> {
  const { id, paymentId, amountMinor, currency, providerRefundId, failureReason } = refund
  await recordDiscrepancy(tx, context, actor, {
    id: context.ids.uuid(),
    cause,
    objectKind: 'refund',
    objectId: id,
    detail: {
      paymentId,
      amountMinor: amountMinor.toString(),
      currency,
      providerRefundId,
      failureReason,
    },
    createdAt: context.clock.now(),
  })
}
