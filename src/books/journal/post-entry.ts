// The only way into the journal. The caller's transaction has done everything else before: the head
// of the journal is locked here, last, so that others wait only briefly. The sequence has no gaps,
// because a rollback returns the number, and the hash of an entry covers the one before.
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type PostingContext, requirePostingDate } from './date-limits.ts'
import { assertPostable, entryHash, type NewEntry, negateLines } from './journal-entry.ts'
import { findEntry, insertEntry, lockHead } from './journal-store.ts'
import { requireOpenDate } from './lock-dates.ts'

export async function postEntry(
  tx: Tx,
  context: PostingContext,
  actor: Actor,
  entry: NewEntry,
): Promise<bigint> {
  assertPostable(entry)
  requirePostingDate(context, entry.date)
  const head = await lockHead(tx, actor)
  // Read after the head is locked. Changing a lock date takes the same lock.
  requireOpenDate(await findOrganisation(tx, actor), actor, entry.date)
  const whole = {
    ...entry,
    id: context.ids.uuid(),
    sequence: head.sequence + 1n,
    postedByKind: actor.kind,
    postedBy: actorId(actor),
    postedAt: context.clock.now(),
  }
  await insertEntry(tx, actor, { ...whole, hash: entryHash(head.hash, actor, whole) })
  return whole.sequence
}

export async function reverseEntry(
  tx: Tx,
  context: PostingContext,
  actor: Actor,
  reversal: { sequence: bigint; kind: string; date: string; description: string },
): Promise<bigint> {
  const original = await findEntry(tx, actor, reversal.sequence)
  return postEntry(tx, context, actor, {
    kind: reversal.kind,
    sourceId: original.sourceId,
    reversesSequence: reversal.sequence,
    date: reversal.date,
    description: reversal.description,
    lines: negateLines(original.lines),
  })
}
