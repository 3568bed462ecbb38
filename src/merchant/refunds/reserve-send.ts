// Reserves the send of a refund, under the payment's lock, like a request: of two refunds of a
// payment, one is sent and the other waits for its outcome.
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { isCollected, type Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { RefundFact } from '../provider/provider.ts'
import { isLive } from './match-provider-refund.ts'
import { isInFlight, isOfMerchant, pollAfterSendSeconds, type Refund } from './refund.ts'
import { listRefundsOfPayment, lockRefund, updateSends } from './refund-store.ts'
import { chargedBackMinor } from './reserve-refund.ts'
import { settleRefund } from './settle-refund.ts'
import { listDashboardRefunds, recordUnmatchedRefunds } from './unmatched-refunds.ts'

// claimed: the caller sends it now, and no one else does. taken: another refund is in flight,
// another process has sent this one, or it has ended. charged_back: the payer's bank has taken the
// money, so the refund ends unsent.
type Claim = 'claimed' | 'taken' | 'charged_back'

// `listed` are the entries of the provider's list, read just before, that are not ours.
export async function reserveSend(
  tx: Tx,
  context: Context,
  actor: Actor,
  seen: Refund,
  listed: readonly RefundFact[],
): Promise<Claim> {
  const locked = await lockPayment(tx, actor, seen.paymentId)
  const payment = assertDefined(locked, 'a refund of no payment')
  const refund = await lockRefund(tx, actor, seen.id)
  if (refund?.status !== 'pending' || refund.sends !== seen.sends) return 'taken'
  // A person has said that the provider has it.
  if (refund.namedEntry !== null) return 'taken'
  const refunds = await listRefundsOfPayment(tx, actor, payment.id)
  const siblings = refunds.filter(({ id }) => id !== refund.id)
  if (siblings.some(isInFlight)) return 'taken'
  if (await isChargedBack(tx, actor, payment, refund)) {
    await settleRefund(tx, context, actor, refund, chargedBack)
    return 'charged_back'
  }
  const told = new Set([
    ...refunds.flatMap(({ listedBefore }) => listedBefore ?? []),
    ...(listed.length === 0 ? [] : await listDashboardRefunds(tx, actor, payment.id)),
  ])
  const unmatched = listed.filter((fact) => isLive(fact) && !told.has(fact.refundId))
  await recordUnmatchedRefunds(tx, context, actor, refund, 'refund_missing_here', unmatched)
  const now = context.clock.now()
  const isClaimed = await updateSends(tx, actor, refund, {
    now,
    nextLookAt: addSeconds(now, pollAfterSendSeconds),
    listedBefore: listed.map(({ refundId }) => refundId),
  })
  return isClaimed ? 'claimed' : 'taken'
}

const chargedBack = {
  status: 'failed',
  refundId: null,
  reason: 'the payment was charged back',
  discrepancyCause: 'refund_charged_back',
} as const

// What the system owes is on top of the payment's own amount, so a chargeback takes the payment's
// amount first.
async function isChargedBack(
  tx: Tx,
  tenant: Tenant,
  payment: Payment,
  refund: Refund,
): Promise<boolean> {
  const { currency } = refund
  const takenMinor = await chargedBackMinor(tx, tenant, { id: payment.id, currency })
  if (takenMinor === 0n) return false
  const collectedMinor = isCollected(payment) ? payment.amountMinor : 0n
  const leftMinor = collectedMinor - payment.refundedMinor - takenMinor
  return leftMinor < (isOfMerchant(refund) ? refund.amountMinor : 0n)
}
