// A recipient whom the provider neither registers nor refuses for days: a person has to ask it. The
// resolver goes on all the same, and the end of it resolves the break.
import type { Actor } from '../../kernel/auth/actor.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { insertBreak, updateBreakResolved } from '../breaks/break-store.ts'
import type { Recipient } from './recipient.ts'
import { lockRecipient } from './recipient-store.ts'

const cause = 'recipient_unresolved'
const unresolvedSeconds = 3 * 24 * 60 * 60

export async function recordUnresolvedRecipient(
  context: Context,
  actor: Actor,
  seen: Recipient,
): Promise<void> {
  const now = context.clock.now()
  if (addSeconds(seen.createdAt, unresolvedSeconds) > now) return
  await context.database.transaction(async (tx) => {
    const recipient = await lockRecipient(tx, actor, seen.id)
    if (!recipient || recipient.subaccountId !== null) return
    const { id: objectId, externalReference, bankCode, sends, createdAt } = recipient
    await insertBreak(tx, actor, {
      id: context.ids.uuid(),
      cause,
      objectKind: 'split_recipient',
      objectId,
      detail: {
        externalReference,
        bankCode,
        sends: sends.toString(),
        since: createdAt.toISOString(),
      },
      createdAt: now,
    })
  })
}

// Does nothing for a recipient whom nobody had to wonder about.
export async function resolveUnresolvedRecipient(
  tx: Tx,
  { clock }: Pick<Context, 'clock'>,
  actor: Actor,
  objectId: string,
  resolution: string,
): Promise<void> {
  const key = { cause, objectKind: 'split_recipient', objectId }
  await updateBreakResolved(tx, actor, key, { resolution, resolvedAt: clock.now() })
}
