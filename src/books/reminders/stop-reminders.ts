// Stops the reminders of an invoice or a contact, with the reason, until a person resumes them.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { StopKind } from './reminder.ts'
import { insertReminderStop } from './reminder-stop-store.ts'

export type StoppedSubject =
  | { readonly documentId: string; readonly contactId?: undefined }
  | { readonly contactId: string; readonly documentId?: undefined }

// False if they are stopped for this already. An invoice is locked by the caller.
export async function stopReminders(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  actor: Actor,
  { documentId, contactId }: StoppedSubject,
  kind: StopKind,
  reason: string | null,
): Promise<boolean> {
  const isNew = await insertReminderStop(tx, actor, {
    id: context.ids.uuid(),
    documentId: documentId ?? null,
    contactId: contactId ?? null,
    kind,
    reason,
    createdAt: context.clock.now(),
  })
  if (!isNew) return false
  await recordAct(tx, context, actor, {
    action: documentId === undefined ? 'contact.pause_reminders' : actions[kind],
    objectKind: documentId === undefined ? 'contact' : 'invoice',
    objectId: documentId ?? contactId ?? '',
    ...(reason !== null && { detail: { reason } }),
  })
  return true
}

const actions: Readonly<Record<StopKind, string>> = {
  disputed: 'invoice.dispute',
  reopened: 'invoice.stop_reminders',
  paused: 'contact.pause_reminders',
}
