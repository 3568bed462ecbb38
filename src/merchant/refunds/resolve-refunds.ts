// Finishes refunds that a request could not: those with an unknown outcome, those that no request
// waits for (approved and automatic ones), and accepted ones until the provider has paid.
//
// The provider accepts no idempotency key for a refund, so sending it again would refund again. The
// provider's list is read first; an entry that can only be this refund is adopted. If an entry
// might be it, nothing is sent. If the list definitely lacks it, after a time in which a first send
// would have appeared, it depends on the kind (`isOnlyLookedUp`): an approved or automatic refund
// is sent again; a direct one fails when a second lookup, a day later, does not find it either.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment, lockPayment } from '../payments/payment-store.ts'
import { pollEach } from '../poll-each.ts'
import { providerOf } from '../provider/choose-provider.ts'
import type { Provider, RefundFact } from '../provider/provider.ts'
import { findProviderRefund } from './find-provider-refund.ts'
import { isLive, isOfAmount, type RefundMatch } from './match-provider-refund.ts'
import { recordUnresolvedRefund } from './record-unresolved-refund.ts'
import { isAutomatic, isOnlyLookedUp, type Refund, refundInstruction } from './refund.ts'
import { absentFrom, givenUpFrom, mayBeSent, nextLookAt } from './refund-polling.ts'
import {
  listRefundsToLookAt,
  lockRefund,
  type RefundOfTenant,
  updateNextLook,
  updateRefund,
} from './refund-store.ts'
import { reserveSend } from './reserve-send.ts'
import { type RefundVerdict, settleRefund } from './settle-refund.ts'
import { recordUnmatchedRefunds } from './unmatched-refunds.ts'

export const resolveRefundsSchedule = defineSchedule({
  name: 'resolve-refunds',
  everySeconds: 5,
  run: (context: MerchantContext, signal) => resolveRefunds(context, signal),
})

const batchSize = 100

// The provider refuses refunds of money that it has not settled yet, so what the system owes is
// retried every hour for a week; then a person must look at it.
const systemRetrySeconds = 3600
const systemSendsMax = 7 * 24

async function resolveRefunds(context: MerchantContext, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  const due = await listRefundsToLookAt(database.sql, clock.now(), batchSize)
  await pollEach(
    due,
    signal,
    (entry) => look(context, entry),
    ({ refund: { id: refundId } }, error) =>
      log.error({ refundId, err: error }, 'could not look up a refund'),
  )
}

type Look = {
  readonly context: MerchantContext
  readonly actor: SystemActor
  readonly provider: Provider
  readonly payment: Payment
  readonly refund: Refund
}

type Strangers = readonly RefundFact[]

async function look(context: MerchantContext, { tenant, refund }: RefundOfTenant): Promise<void> {
  const { database, clock } = context
  const now = clock.now()
  const at = { now, nextLookAt: nextLookAt(refund, now) }
  if (!(await updateNextLook(database.sql, tenant, refund, at))) return
  context.failpoint('refund-look.claimed')
  const payment = await findPayment(database.sql, tenant, refund.paymentId)
  const actor = { kind: 'system', name: 'resolve refunds', ...tenant } as const
  try {
    const known = assertDefined(payment, 'a refund of no payment')
    const provider = await providerOf(context, tenant, known.provider)
    await resolve({ context, actor, provider, payment: known, refund }, now)
  } finally {
    await recordUnresolvedRefund(context, actor, refund)
  }
}

async function resolve(step: Look, now: Date): Promise<void> {
  const { context, refund } = step
  const isPending = refund.status === 'pending'
  // The request ended before it sent the refund, and nothing else sends it.
  if (isPending && isOnlyLookedUp(refund) && refund.sends === 0) return settle(step, neverSent)
  const finding = await find(step)
  context.failpoint('refund-look.listed')
  if (finding === 'unknown' || (await hasApplied(step, finding))) return
  if (!isPending) return
  if (mayBeSent(refund, now)) return send(step, finding.others, now)
  context.log.info({ refundId: refund.id }, 'the provider does not have a refund')
  const from = absentFrom(refund)
  if (isOnlyLookedUp(refund) && from !== null && from <= now) await recordAbsent(step, now)
}

const neverSent = {
  status: 'failed',
  refundId: null,
  send: 0,
  reason: 'it was not sent to the provider',
  discrepancyCause: 'refund_not_found',
} as const

// The first time, the time is stored; a day later or more, the refund fails.
async function recordAbsent(step: Look, now: Date): Promise<void> {
  const { context, actor, payment, refund } = step
  if (refund.firstAbsentAt === null) {
    await context.database.transaction(async (tx) => {
      await lockPayment(tx, actor, payment.id)
      const { id, updatedAt } = refund
      await updateRefund(tx, actor, id, { firstAbsentAt: now, updatedAt })
    })
    context.failpoint('refund-look.absent')
    return
  }
  const from = givenUpFrom(refund)
  if (from !== null && from > now) return
  await settle(step, {
    status: 'failed',
    refundId: null,
    send: refund.sends,
    reason: 'the provider does not have it',
    discrepancyCause: 'refund_not_found',
    isGivenUp: true,
  })
}

function find({
  context,
  actor,
  provider,
  payment,
  refund,
}: Look): Promise<RefundMatch | 'unknown'> {
  return findProviderRefund(context, actor, provider, payment, refund)
}

// False if the list definitely lacks the refund.
async function hasApplied(step: Look, finding: RefundMatch): Promise<boolean> {
  if (finding.kind === 'ours') {
    const { fact, others } = finding
    await settle(step, fact, others, isAdoptedOtherwise(step.refund, fact) ? [fact] : [])
  }
  if (finding.kind === 'unclear') await recordUnclear(step, finding.others)
  return finding.kind !== 'absent'
}

// A person can say that an entry with another amount is the refund; our amount is posted.
function isAdoptedOtherwise(refund: Refund, fact: RefundFact): boolean {
  return refund.providerRefundId === null && isLive(fact) && !isOfAmount(refund, fact)
}

async function recordUnclear({ context, actor, payment, refund }: Look, others: Strangers) {
  await context.database.transaction(async (tx) => {
    await lockPayment(tx, actor, payment.id)
    const current = await lockRefund(tx, actor, refund.id)
    if (current?.status !== 'pending') return
    await recordUnmatchedRefunds(tx, context, actor, current, 'refund_unclear', others)
  })
}

async function send(step: Look, others: Strangers, now: Date): Promise<void> {
  const { context, actor, provider, payment, refund } = step
  // Every try would be refused: a person returns it in another way.
  if (refund.amountMinor < provider.refundMinimumMinor(refund.currency)) {
    const tooSmall = { status: 'failed', refundId: null, send: refund.sends } as const
    return settle(step, { ...tooSmall, reason: 'less than the provider refunds' })
  }
  const claim = await context.database.transaction((tx) =>
    reserveSend(tx, context, actor, refund, others),
  )
  if (claim !== 'claimed') return
  if (refund.sends > 0) context.log.info({ refundId: refund.id }, 'sending a refund again')
  context.failpoint('refund-look.claimed-send')
  const outcome = await provider.refund(refundInstruction(payment, refund))
  context.failpoint('refund-look.sent')
  if (outcome.kind === 'unknown') return
  if (outcome.kind === 'success') return settle(step, outcome.value)
  // After a lost answer, a refusal may be that of a duplicate, so the list decides.
  if (refund.sends > 0) {
    const finding = await find(step)
    if (finding === 'unknown' || (await hasApplied(step, finding))) return
  }
  const isWorthRetrying = isAutomatic(refund) && refund.sends + 1 < systemSendsMax
  if (isWorthRetrying) return await keepTrying(step, outcome.reason, now)
  const refused = { status: 'failed', refundId: null, send: refund.sends + 1 } as const
  await settle(step, { ...refused, reason: outcome.reason })
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

async function settle(
  { context, actor, refund }: Look,
  verdict: RefundVerdict,
  others: Strangers = [],
  differing: Strangers = [],
): Promise<void> {
  await context.database.transaction(async (tx) => {
    await settleRefund(tx, context, actor, refund, verdict)
    await recordUnmatchedRefunds(tx, context, actor, refund, 'refund_repeated', others)
    await recordUnmatchedRefunds(tx, context, actor, refund, 'refund_differs', differing)
    context.failpoint('refund-look.settling')
  })
  context.failpoint('refund-look.settled')
}
