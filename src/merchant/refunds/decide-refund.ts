// A person ends what the resolver cannot: the provider's list holds entries of which one may be a
// refund of ours whose answer was lost, and only somebody who asks the provider knows. What they
// say is kept with the refund, and the resolver acts by it: it takes the refund for what the named
// entry says, or sends it once more.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalid, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findDiscrepancy, updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { Refund } from './refund.ts'
import { findRefund, listRefundsOfPayment, lockRefund, updateRefund } from './refund-store.ts'
import { entriesIn } from './unmatched-refunds.ts'

export type RefundDecision =
  // This entry is the refund.
  | { readonly kind: 'is'; readonly entry: string }
  // None of these is. They must be all that the discrepancy shows, so that nobody decides about an
  // entry they have not seen.
  | { readonly kind: 'none'; readonly entries: readonly string[] }

export async function decideRefund(
  tx: Tx,
  context: Context,
  // Whoever calls this has made sure that they may.
  actor: PersonActor,
  id: string,
  { decision, reason }: { readonly decision: RefundDecision; readonly reason: string },
): Promise<Refund> {
  const refund = await lockUnclear(tx, actor, id)
  const key = { cause: 'refund_unclear', objectKind: 'refund', objectId: id }
  const found = await findDiscrepancy(tx, actor, key)
  if (!found || found.resolvedAt) throw invalid('Nothing is unclear about this refund.')
  const shown = entriesIn(found.detail)
  const changes =
    decision.kind === 'is'
      ? { namedEntry: await requireFree(tx, actor, refund, shown, decision.entry) }
      : { listedBefore: disowned(refund, shown, decision.entries) }
  const now = context.clock.now()
  await updateRefund(tx, actor, id, { ...changes, nextLookAt: null, updatedAt: now })
  await updateDiscrepancyResolved(tx, actor, key, { resolution: reason, resolvedAt: now })
  await recordAct(tx, context, actor, {
    action: 'refund.decide',
    objectKind: 'refund',
    objectId: id,
    detail: {
      paymentId: refund.paymentId,
      ...(decision.kind === 'is' ? { is: decision.entry } : { noneOf: shown.join(', ') }),
      reason,
    },
  })
  return { ...refund, ...changes }
}

async function lockUnclear(tx: Tx, actor: PersonActor, id: string): Promise<Refund> {
  const seen = await findRefund(tx, actor, id)
  if (!seen) throw notFound('refund')
  await lockPayment(tx, actor, seen.paymentId)
  const refund = await lockRefund(tx, actor, id)
  if (refund?.status === 'pending') return refund
  throw new Fault('conflict', `The refund is ${refund?.status} already.`)
}

async function requireFree(
  tx: Tx,
  actor: PersonActor,
  refund: Refund,
  shown: readonly string[],
  entry: string,
): Promise<string> {
  if (!shown.includes(entry))
    throw invalid(`The break does not show ${entry}: ${shown.join(', ')}.`)
  const refunds = await listRefundsOfPayment(tx, actor, refund.paymentId)
  const isTaken = refunds.some(
    ({ id, providerRefundId, namedEntry }) =>
      id !== refund.id && (providerRefundId === entry || namedEntry === entry),
  )
  if (isTaken) throw new Fault('conflict', `${entry} is another refund of this payment.`)
  return entry
}

function disowned(
  { listedBefore }: Refund,
  shown: readonly string[],
  named: readonly string[],
): string[] {
  const missing = shown.filter((entry) => !named.includes(entry))
  const unknown = named.filter((entry) => !shown.includes(entry))
  if (unknown.length > 0) throw invalid(`The break does not show ${unknown.join(', ')}.`)
  if (missing.length > 0) throw invalid(`The break shows also ${missing.join(', ')}.`)
  return [...(listedBefore ?? []), ...shown]
}
