// The one place that changes a payout after it was sent. The request, the resolver and messages of
// the provider pass the provider's answer. The row is locked, and an answer that is already applied
// is ignored.
import type { Actor } from '../../kernel/auth/actor.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { compare } from '../../kernel/money/decimal.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import type { TransferFact } from '../provider/provider.ts'
import { applyContradictingTransfer } from './apply-contradicting-transfer.ts'
import {
  completedEventData,
  failedEventData,
  majorAmountOf,
  mayBecome,
  type Payout,
} from './payout.ts'
import { endedPayoutNotice } from './payout-notice.ts'
import { firstFollowUpAt } from './payout-polling.ts'
import { completedPosting, transferFeeMinor } from './payout-posting.ts'
import { lockPayout, updatePayout } from './payout-store.ts'
import { recordPayoutAct, recordPayoutDiscrepancy } from './record-payout.ts'
import { resolveUnresolvedPayout } from './record-unresolved-payout.ts'

export async function applyTransferFact(
  tx: Tx,
  context: Context,
  actor: Actor,
  payoutId: string,
  fact: TransferFact,
): Promise<Payout> {
  const payout = assertDefined(await lockPayout(tx, actor, payoutId), 'a payout vanished')
  if (!isAbout(payout, fact)) {
    await recordPayoutDiscrepancy(tx, context, actor, payout, fact, 'transfer_differs')
    return payout
  }
  if (payout.status === 'processing') {
    if (fact.status === 'successful') return completePayout(tx, context, actor, payout, fact)
    if (fact.status === 'failed') {
      const reason = fact.failureReason ?? 'the transfer failed at the payment provider'
      return failPayout(tx, context, actor, payout, reason, fact.transferId)
    }
    return nameTransfer(tx, context, actor, payout, fact)
  }
  if (fact.status === 'pending' || isBelieved(payout, fact)) return payout
  return applyContradictingTransfer(tx, context, actor, payout, fact)
}

// Whether the ledger agrees: with the status or, after a contradiction, with its opposite.
function isBelieved({ status, contradictedAt }: Payout, fact: TransferFact): boolean {
  const isPaid = (status === 'completed') === (contradictedAt === null)
  return isPaid === (fact.status === 'successful')
}

// Records the refusal of a send, only while nothing else is known. If the sender was delayed,
// another process may have sent the payout meanwhile, whose answer counts, or the provider may have
// named its transfer.
export async function refusePayout(
  tx: Tx,
  context: Context,
  actor: Actor,
  payoutId: string,
  send: number,
): Promise<Payout> {
  const payout = assertDefined(await lockPayout(tx, actor, payoutId), 'a payout vanished')
  const isKnown = payout.sends !== send || payout.providerTransferId !== null
  if (payout.status !== 'processing' || isKnown) return payout
  // The provider's message may contain private data. The log has it.
  return failPayout(tx, context, actor, payout, 'refused by the payment provider', null)
}

// The caller holds the lock of the payout, or has just created it.
export async function completePayout(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  transfer: Pick<TransferFact, 'transferId' | 'fee'> | null,
): Promise<Payout> {
  const feeMinor = transfer ? transferFeeMinor(payout, transfer.fee) : 0n
  // Posting ends the reservation. Balances are read in one statement, which sees one of the two.
  const completed = await end(tx, context, actor, payout, {
    status: 'completed',
    providerTransferId: transfer?.transferId ?? null,
    feeMinor,
  })
  await post(tx, context, actor, completedPosting(completed, feeMinor))
  await publish(tx, context, actor, {
    service: 'merchant',
    type: 'payout.completed',
    objectId: completed.id,
    data: completedEventData(completed),
  })
  return completed
}

// The caller holds the lock of the payout.
export async function failPayout(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  failureReason: string,
  providerTransferId: string | null,
): Promise<Payout> {
  const changes = { status: 'failed', failureReason, providerTransferId } as const
  const failed = await end(tx, context, actor, payout, changes)
  await publish(tx, context, actor, {
    service: 'merchant',
    type: 'payout.failed',
    objectId: failed.id,
    data: failedEventData(failed),
  })
  return failed
}

async function nameTransfer(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  { transferId }: TransferFact,
): Promise<Payout> {
  if (payout.providerTransferId === transferId) return payout
  const changes = { providerTransferId: transferId, updatedAt: context.clock.now() }
  await updatePayout(tx, actor, payout.id, changes)
  return { ...payout, ...changes }
}

async function end(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  ending: Partial<Payout> & { readonly status: 'completed' | 'failed' },
): Promise<Payout> {
  const { status } = ending
  assert(mayBecome(payout.status, status), `payout ${payout.id}: ${payout.status} → ${status}`)
  const now = context.clock.now()
  const nextLookAt = payout.destinationType === 'provider_bank' ? firstFollowUpAt(now) : null
  const changes = { ...ending, nextLookAt, endedAt: now, updatedAt: now }
  await updatePayout(tx, actor, payout.id, changes)
  await recordPayoutAct(
    tx,
    context,
    actor,
    payout,
    status === 'completed' ? 'payout.complete' : 'payout.fail',
  )
  await resolveUnresolvedPayout(tx, context, actor, { id: payout.id, status })
  const ended = { ...payout, ...changes }
  const notice = endedPayoutNotice(ended)
  if (notice) await notify(tx, context, actor, notice)
  return ended
}

function isAbout(payout: Payout, fact: TransferFact): boolean {
  return fact.currency === payout.currency && compare(fact.amount, majorAmountOf(payout)) === 0
}
