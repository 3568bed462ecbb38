// A recipient that the provider neither registers nor refuses within three days becomes a
// discrepancy: a person must ask the provider. The resolver continues, and its result resolves the
// discrepancy.
import type { Actor } from '../../kernel/auth/actor.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
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
    await recordDiscrepancy(tx, context, actor, {
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

// Does nothing for a recipient without such a discrepancy.
export async function resolveUnresolvedRecipient(
  tx: Tx,
  { clock }: Pick<Context, 'clock'>,
  actor: Actor,
  objectId: string,
  resolution: string,
): Promise<void> {
  const key = { cause, objectKind: 'split_recipient', objectId }
  await updateDiscrepancyResolved(tx, actor, key, { resolution, resolvedAt: clock.now() })
}
