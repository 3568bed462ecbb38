// The rules of a refund, checked under the payment's lock, and its record. They are checked on
// request, and again when a held refund is approved.
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { brokenRule, Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import type { ApprovalRequest } from '../approvals/approval.ts'
import { takenMinor } from '../chargebacks/chargeback.ts'
import { listChargebacksOfPayment } from '../chargebacks/chargeback-store.ts'
import { isCollected, type Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { findSimulatorClosed } from '../provider/live-provider-store.ts'
import type { Provider } from '../provider/provider.ts'
import { isInFlight, type Refund } from './refund.ts'
import { insertRefund, listRefundsOfPayment } from './refund-store.ts'

export const chargedBackMessage = 'This payment was charged back; the payer already has the money.'

export type ResolvedRefund = { readonly payment: Payment; readonly amountMinor: bigint }

// Without an amount, the remaining amount is refunded.
export async function resolveRefund(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
  wantedMinor: bigint | undefined,
): Promise<ResolvedRefund> {
  const checked = await checkRefundable(tx, tenant, paymentId, wantedMinor)
  if (checked instanceof Fault) throw checked
  return checked
}

// The same, but returns the refusal, for a caller that must act on it.
export async function checkRefundable(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
  wantedMinor: bigint | undefined,
): Promise<ResolvedRefund | Fault> {
  const payment = await lockPayment(tx, tenant, paymentId)
  if (!payment) return notFound('payment')
  if (!isCollected(payment)) return brokenRule('Only a collected payment can be refunded.')
  if (payment.provider === 'simulator' && (await findSimulatorClosed(tx, tenant))) {
    return new Fault('unavailable', 'The payment provider of this payment is not configured.')
  }
  const refunds = await listRefundsOfPayment(tx, tenant, paymentId)
  // Until it has ended, the remaining amount is unknown.
  if (refunds.some(isInFlight)) {
    return new Fault('conflict', 'Another refund of this payment is in progress.')
  }
  const chargedMinor = await chargedBackMinor(tx, tenant, payment)
  const remainingMinor = payment.amountMinor - payment.refundedMinor - chargedMinor
  if (chargedMinor > 0n && remainingMinor <= 0n) {
    return brokenRule(chargedBackMessage)
  }
  if (remainingMinor === 0n) return brokenRule('This payment is already fully refunded.')
  const amountMinor = wantedMinor ?? remainingMinor
  if (amountMinor > remainingMinor) {
    return brokenRule('The amount is more than what remains of this payment.')
  }
  return { payment, amountMinor }
}

// Refused here with the reason, not by the provider after a second person has approved.
export function requireMinimum(provider: Provider, { payment, amountMinor }: ResolvedRefund): void {
  const leastMinor = provider.refundMinimumMinor(payment.currency)
  if (amountMinor >= leastMinor) return
  const currency = currencyOf(payment.currency)
  const least = toText(fromMinor(leastMinor, currency), currency.decimals)
  throw brokenRule(`The payment provider refunds at least ${currency.code} ${least} at a time.`)
}

// What the payer's bank has already taken back, unless it had to return it.
export async function chargedBackMinor(
  tx: Tx,
  tenant: Tenant,
  { id, currency }: Pick<Payment, 'id' | 'currency'>,
): Promise<bigint> {
  return takenMinor(await listChargebacksOfPayment(tx, tenant, id), currency)
}

// Not sent yet. `nextLookAt` is when the resolver sends it, unless the request has sent it by then.
export async function recordRefund(
  tx: Tx,
  context: Context,
  actor: Actor,
  { payment, amountMinor }: ResolvedRefund,
  by: Pick<Refund, 'nextLookAt'> &
    Partial<
      Pick<
        Refund,
        | 'id'
        | 'approvalId'
        | 'requestedByKind'
        | 'requestedBy'
        | 'thresholdMinor'
        | 'overdraftLeftMinor'
      >
    >,
): Promise<Refund> {
  const now = context.clock.now()
  const refund: Refund = {
    id: context.ids.uuid(),
    paymentId: payment.id,
    status: 'pending',
    amountMinor,
    currency: payment.currency,
    cause: 'requested',
    transactionId: null,
    requestedByKind: actor.kind,
    requestedBy: actorId(actor),
    approvalId: null,
    providerRefundId: null,
    failureReason: null,
    sends: 0,
    listedBefore: null,
    namedEntry: null,
    lookupOnly: false,
    firstAbsentAt: null,
    givenUpAt: null,
    thresholdMinor: null,
    overdraftLeftMinor: null,
    createdAt: now,
    updatedAt: now,
    ...by,
  }
  await insertRefund(tx, actor, refund)
  await recordAct(tx, context, actor, {
    action: 'refund.create',
    objectKind: 'refund',
    objectId: refund.id,
    detail: {
      paymentId: payment.id,
      currency: payment.currency,
      amountMinor: amountMinor.toString(),
      approvalId: refund.approvalId,
    },
  })
  return refund
}

// What an approver agrees to: this amount of this payment, as it was then. If anything has changed,
// so has the hash, and the approval executes nothing.
export function refundApprovalRequest({ payment, amountMinor }: ResolvedRefund): ApprovalRequest {
  return {
    paymentId: payment.id,
    currency: payment.currency,
    amountMinor: amountMinor.toString(),
    paymentAmountMinor: payment.amountMinor.toString(),
    refundedMinor: payment.refundedMinor.toString(),
  }
}
