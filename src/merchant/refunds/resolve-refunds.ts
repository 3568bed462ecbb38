// Finishes what a request could not: refunds whose answer was lost, refunds that nobody waits for
// (approved ones, and those that the system owes), and accepted ones until the provider has paid.
//
// The provider knows no key for a refund, so sending it again would refund again. Before a refund
// is sent here, the provider's list is read; what stands there and is none of our other refunds is
// this one, and is adopted. It is sent again only when the list definitely lacks it, after a time
// in which a first send would have shown.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment, lockPayment } from '../payments/payment-store.ts'
import type { Provider, RefundFact } from '../provider/provider.ts'
import { findOurs } from './find-ours.ts'
import {
  isInFlight,
  isOfMerchant,
  lookAfterSendSeconds,
  type Refund,
  refundInstruction,
} from './refund.ts'
import {
  listRefundsOfPayment,
  listRefundsToLookAt,
  type RefundOfTenant,
  updateNextLook,
  updateRefund,
  updateSends,
} from './refund-store.ts'
import { type RefundVerdict, settleRefund } from './settle-refund.ts'
import { recordUnresolved } from './take-unresolved.ts'

export const resolveRefundsSchedule = defineSchedule({
  name: 'resolve-refunds',
  everySeconds: 5,
  run: (context: MerchantContext, signal) => resolveRefunds(context, signal),
})

const batchSize = 100
// Looks wait for the provider, so several go at once; one provider that hangs holds up few.
const looksAtOnce = 5

// Well beyond the time after which the provider's list shows what it has taken on.
const resendAfterSeconds = 600
// The provider refuses refunds of money that it has not settled yet, so what the system owes is
// tried again every hour, for a week; then a person has to see to it.
const systemRetrySeconds = 3600
const systemSendsMax = 7 * 24

async function resolveRefunds(context: MerchantContext, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  const due = await listRefundsToLookAt(database.sql, clock.now(), batchSize)
  const next = due.values()
  const lookOn = async () => {
    for (const entry of next) {
      if (signal.aborted) return
      try {
        await look(context, entry)
      } catch (error) {
        // The next look comes by itself, and the other refunds must not wait for this one.
        log.error({ refundId: entry.refund.id, err: error }, 'a refund could not be looked at')
      }
    }
  }
  await Promise.all(Array.from({ length: looksAtOnce }, lookOn))
}

type Look = {
  readonly context: MerchantContext
  readonly actor: SystemActor
  readonly provider: Provider
  readonly payment: Payment
  readonly refund: Refund
}

async function look(context: MerchantContext, { tenant, refund }: RefundOfTenant): Promise<void> {
  const { database, clock } = context
  const now = clock.now()
  const at = { now, nextLookAt: nextLookAt(refund, now) }
  if (!(await updateNextLook(database.sql, tenant, refund, at))) return
  context.failpoint('refund-look.claimed')
  const payment = await findPayment(database.sql, tenant, refund.paymentId)
  const actor = { kind: 'system', name: 'resolve refunds', ...tenant } as const
  try {
    const provider = await context.providerFor(tenant)
    const known = assertDefined(payment, 'a refund of no payment')
    await resolve({ context, actor, provider, payment: known, refund }, now)
  } finally {
    await recordUnresolved(context, actor, refund)
  }
}

async function resolve(step: Look, now: Date): Promise<void> {
  const { context, refund } = step
  const fact = await findFact(step)
  context.failpoint('refund-look.listed')
  if (fact === 'unknown') return
  if (fact) await settle(step, fact)
  else if (refund.status === 'pending' && mayBeSent(refund, now)) await send(step, now)
}

// Often while it is young, then ever more seldom, at least every hour.
function nextLookAt({ createdAt }: Refund, now: Date): Date {
  const ageSeconds = (now.getTime() - createdAt.getTime()) / 1000
  return addSeconds(now, Math.min(Math.max(ageSeconds / 4, 15), 3600))
}

function mayBeSent({ sends, updatedAt }: Refund, now: Date): boolean {
  return sends === 0 || addSeconds(updatedAt, resendAfterSeconds) <= now
}

// What the provider's list says of this refund: undefined when it definitely is not there.
async function findFact(step: Look): Promise<RefundFact | undefined | 'unknown'> {
  const { context, actor, provider, payment, refund } = step
  const { transactionId } = refundInstruction(payment, refund)
  const listed = await provider.listRefunds(transactionId)
  if (listed.kind !== 'success') return 'unknown'
  // Read after the provider's list: whatever is on that is known here, or its refund is in flight.
  const ours = await listRefundsOfPayment(context.database.sql, actor, payment.id)
  const isAlone = !ours.some((other) => other.id !== refund.id && isInFlight(other))
  if (refund.providerRefundId === null && !isAlone) return 'unknown'
  return findOurs(refund, ours, listed.value)
}

async function send(step: Look, now: Date): Promise<void> {
  const { context, provider, payment, refund } = step
  if (!(await context.database.transaction((tx) => claimSend(tx, step, now)))) return
  context.failpoint('refund-look.claimed-send')
  const outcome = await provider.refund(refundInstruction(payment, refund))
  context.failpoint('refund-look.sent')
  if (outcome.kind === 'unknown') return
  if (outcome.kind === 'success') return settle(step, outcome.value)
  // After a lost answer a refusal may be one of the duplicate, so the list has the last word.
  const fact = refund.sends === 0 ? undefined : await findFact(step)
  if (fact === 'unknown') return
  if (fact) return settle(step, fact)
  const isWorthRetrying = !isOfMerchant(refund) && refund.sends + 1 < systemSendsMax
  if (isWorthRetrying) return await keepTrying(step, outcome.reason, now)
  await settle(step, { status: 'failed', refundId: null, reason: outcome.reason })
}

// Under the payment's lock, as a request reserves: of two refunds of a payment one is sent, and the
// other waits for its outcome.
async function claimSend(tx: Tx, { actor, payment, refund }: Look, now: Date): Promise<boolean> {
  await lockPayment(tx, actor, payment.id)
  const refunds = await listRefundsOfPayment(tx, actor, payment.id)
  if (refunds.some((other) => other.id !== refund.id && isInFlight(other))) return false
  const nextLookAt = addSeconds(now, lookAfterSendSeconds)
  return updateSends(tx, actor, refund, { now, nextLookAt })
}

async function keepTrying({ context, actor, refund }: Look, reason: string, now: Date) {
  await context.database.transaction((tx) =>
    updateRefund(tx, actor, refund.id, {
      failureReason: reason,
      nextLookAt: addSeconds(now, systemRetrySeconds),
      updatedAt: now,
    }),
  )
  context.failpoint('refund-look.postponed')
}

async function settle({ context, actor, refund }: Look, verdict: RefundVerdict): Promise<void> {
  await context.database.transaction(async (tx) => {
    await settleRefund(tx, context, actor, refund, verdict)
    context.failpoint('refund-look.settling')
  })
  context.failpoint('refund-look.settled')
}
