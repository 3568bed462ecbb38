// The one place where a payout changes after it was sent. The request, the resolver and messages
// of the provider hand over what the provider said; here the row is locked, and what is applied
// already is not applied again.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import {
  compare,
  type Decimal,
  digitsAt,
  roundHalfAway,
  toText,
} from '../../kernel/money/decimal.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { insertBreak } from '../breaks/break-store.ts'
import type { TransferFact } from '../provider/provider.ts'
import {
  completedEventData,
  failedEventData,
  majorAmountOf,
  mayBecome,
  type Payout,
} from './payout.ts'
import { firstFollowUpAt } from './payout-looks.ts'
import { completedPosting, latePosting, reversedPosting } from './payout-posting.ts'
import { lockPayout, updatePayout } from './payout-store.ts'
import { lockBalance } from './reserve-payout.ts'

export async function applyTransferFact(
  tx: Tx,
  context: Context,
  actor: Actor,
  payoutId: string,
  fact: TransferFact,
): Promise<Payout> {
  const payout = assertDefined(await lockPayout(tx, actor, payoutId), 'a payout vanished')
  if (!isAbout(payout, fact)) {
    await breakOf(tx, context, actor, payout, fact, 'transfer_differs')
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
  const isReversed = payout.status === 'completed' && fact.status === 'failed'
  const isLate = payout.status !== 'completed' && fact.status === 'successful'
  if (payout.contradictedAt !== null || !(isReversed || isLate)) return payout
  return contradictPayout(tx, context, actor, payout, fact)
}

// For the refusal of a first send, and only while nothing else is known.
export async function refusePayout(
  tx: Tx,
  context: Context,
  actor: Actor,
  payoutId: string,
): Promise<Payout> {
  const payout = assertDefined(await lockPayout(tx, actor, payoutId), 'a payout vanished')
  if (payout.status !== 'processing') return payout
  // What the provider says of it may be nobody else's business; the log has it.
  return failPayout(tx, context, actor, payout, 'refused by the payment provider', null)
}

// The caller holds the lock of the payout, or has just made it.
export async function completePayout(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  transfer: Pick<TransferFact, 'transferId' | 'fee'> | null,
): Promise<Payout> {
  const feeMinor = transfer ? feeMinorOf(payout, transfer.fee) : 0n
  // In the moment of booking the promise ends; whoever adds both up must see one of them.
  await lockBalance(tx, actor, payout.currency)
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

async function failPayout(
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

// The status stays: it was true when it was told, and no event takes it back. The ledger says what
// is true now, and a break tells people.
async function contradictPayout(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
  fact: TransferFact,
): Promise<Payout> {
  const isReversed = payout.status === 'completed'
  const cause = isReversed ? 'payout_failed_after_success' : 'payout_late_success'
  const now = context.clock.now()
  const changes = { contradictedAt: now, providerTransferId: fact.transferId, updatedAt: now }
  await updatePayout(tx, actor, payout.id, changes)
  const posting = isReversed
    ? reversedPosting(payout, assertDefined(payout.feeMinor, 'a completed payout without its fee'))
    : latePosting(payout, feeMinorOf(payout, fact.fee))
  await post(tx, context, actor, posting)
  await breakOf(tx, context, actor, payout, fact, cause)
  await record(tx, context, actor, payout, isReversed ? 'payout.reverse' : 'payout.late')
  return { ...payout, ...changes }
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
  await record(
    tx,
    context,
    actor,
    payout,
    status === 'completed' ? 'payout.complete' : 'payout.fail',
  )
  return { ...payout, ...changes }
}

async function record(
  tx: Tx,
  context: Context,
  actor: Actor,
  { id, currency, amountMinor }: Payout,
  action: string,
): Promise<void> {
  const detail = { currency, amountMinor: amountMinor.toString() }
  await recordAct(tx, context, actor, { action, objectKind: 'payout', objectId: id, detail })
}

async function breakOf(
  tx: Tx,
  context: Context,
  actor: Actor,
  { id, status, amountMinor, currency }: Payout,
  fact: TransferFact,
  cause: string,
): Promise<void> {
  await insertBreak(tx, actor, {
    id: context.ids.uuid(),
    cause,
    objectKind: 'payout',
    objectId: id,
    detail: {
      status,
      amountMinor: amountMinor.toString(),
      currency,
      transferId: fact.transferId,
      transferStatus: fact.status,
      transferAmount: toText(fact.amount),
      transferCurrency: fact.currency,
      failureReason: fact.failureReason,
    },
    createdAt: context.clock.now(),
  })
}

function isAbout(payout: Payout, fact: TransferFact): boolean {
  return fact.currency === payout.currency && compare(fact.amount, majorAmountOf(payout)) === 0
}

// The provider's fees have more decimals than the currency.
function feeMinorOf({ currency }: Payout, fee: Decimal): bigint {
  const { decimals } = assertDefined(findCurrency(currency), `a payout in ${currency}`)
  return digitsAt(roundHalfAway(fee, decimals), decimals)
}
