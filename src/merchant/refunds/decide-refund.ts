// A person decides what the resolver can't: the provider's list has entries that may be a refund of
// ours whose answer was lost, and only someone who asks the provider knows. The decision is stored
// with the refund, and the resolver follows it: the refund gets the outcome of the named entry, or
// counts as one that the provider does not have.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { brokenRule, Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findDiscrepancy, updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { Refund } from './refund.ts'
import { findRefund, listRefundsOfPayment, lockRefund, updateRefund } from './refund-store.ts'
import { entriesIn } from './unmatched-refunds.ts'

const refundDecision = z.discriminatedUnion('kind', [
  // This entry is the refund.
  z.strictObject({ kind: z.literal('is'), entry: z.string() }),
  // None of these is the refund. They must be all entries of the discrepancy, so that no one
  // decides about an entry that they have not seen.
  z.strictObject({ kind: z.literal('none'), entries: z.array(z.string()) }),
])

export type RefundDecision = z.output<typeof refundDecision>

export const decideRefund = defineOperation({
  name: 'decide-refund',
  summary: "Match an unclear refund with an entry of the provider's list, or with none",
  kind: 'write',
  input: z.strictObject({ id: uuid(), decision: refundDecision, reason: line(500) }),
  scopes: [],
  roles: adminRoles,
  // People only: whether money is sent again is for someone who has asked the provider.
  peopleOnly: true,
  run: (context, actor, { id, decision, reason }): Promise<Refund> =>
    context.database.transaction(async (tx) => {
      const refund = await lockUnclear(tx, actor, id)
      const key = { cause: 'refund_unclear', objectKind: 'refund', objectId: id }
      const found = await findDiscrepancy(tx, actor, key)
      if (!found || found.resolvedAt) throw brokenRule('This refund is not unclear.')
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
    }),
})

async function lockUnclear(tx: Tx, actor: Actor, id: string): Promise<Refund> {
  const seen = await findRefund(tx, actor, id)
  if (!seen) throw notFound('refund')
  await lockPayment(tx, actor, seen.paymentId)
  const refund = await lockRefund(tx, actor, id)
  if (refund?.status === 'pending') return refund
  throw new Fault('conflict', `The refund is already ${refund?.status}.`)
}

async function requireFree(
  tx: Tx,
  actor: Actor,
  refund: Refund,
  shown: readonly string[],
  entry: string,
): Promise<string> {
  if (!shown.includes(entry))
    throw brokenRule(`The discrepancy does not show ${entry}: ${shown.join(', ')}.`)
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
  if (unknown.length > 0) throw brokenRule(`The discrepancy does not show ${unknown.join(', ')}.`)
  if (missing.length > 0) throw brokenRule(`The discrepancy also shows ${missing.join(', ')}.`)
  return [...(listedBefore ?? []), ...shown]
}
