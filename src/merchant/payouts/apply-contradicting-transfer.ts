// Handles a payout with a final status when the provider reports the opposite result.
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { type BookedLine, listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import { updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import type { TransferFact } from '../provider/provider.ts'
import type { Payout } from './payout.ts'
import {
  latePosting,
  restoredPosting,
  reversedPosting,
  transferFeeMinor,
} from './payout-posting.ts'
import { updatePayout } from './payout-store.ts'
import { recordPayoutAct, recordPayoutDiscrepancy } from './record-payout.ts'

// The status stays, because an event has reported it and no event withdraws it. The ledger follows
// the provider, and a discrepancy informs people.
export async function applyContradictingTransfer(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  fact: TransferFact,
): Promise<Payout> {
  const booked = await listLinesOfSource(tx, actor, payout.id)
  if (payout.contradictedAt !== null || booked.some(({ kind }) => kind === 'payout.restored')) {
    return clearContradiction(tx, context, actor, payout, fact, booked)
  }
  const isReversed = payout.status === 'completed'
  const cause = isReversed ? 'payout_failed_after_success' : 'payout_late_success'
  const now = context.clock.now()
  const changes = { contradictedAt: now, providerTransferId: fact.transferId, updatedAt: now }
  await updatePayout(tx, actor, payout.id, changes)
  const posting = isReversed
    ? reversedPosting(payout, assertDefined(payout.feeMinor, 'a completed payout without its fee'))
    : latePosting(payout, transferFeeMinor(payout, fact.fee))
  await post(tx, context, actor, posting)
  await recordPayoutDiscrepancy(tx, context, actor, payout, fact, cause)
  await recordPayoutAct(tx, context, actor, payout, isReversed ? 'payout.reverse' : 'payout.late')
  return { ...payout, ...changes }
}

// The provider contradicts itself again. If it now says that the transfer arrived, that is posted,
// or the merchant could be paid twice. A person must ask about any later contradiction.
async function clearContradiction(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  fact: TransferFact,
  booked: readonly BookedLine[],
): Promise<Payout> {
  const isFirst = !booked.some(({ kind }) => kind === 'payout.restored')
  if (payout.status !== 'completed' || !isFirst) {
    await recordPayoutDiscrepancy(tx, context, actor, payout, fact, 'payout_contradicted_again')
    return payout
  }
  const now = context.clock.now()
  const changes = { contradictedAt: null, updatedAt: now }
  await updatePayout(tx, actor, payout.id, changes)
  const feeMinor = assertDefined(payout.feeMinor, 'a completed payout without its fee')
  await post(tx, context, actor, restoredPosting(payout, feeMinor))
  await updateDiscrepancyResolved(
    tx,
    actor,
    { cause: 'payout_failed_after_success', objectKind: 'payout', objectId: payout.id },
    { resolution: 'the provider says again that it has arrived', resolvedAt: now },
  )
  await recordPayoutAct(tx, context, actor, payout, 'payout.restore')
  return { ...payout, ...changes }
}
