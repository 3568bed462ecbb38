// What a person can do with a document now, and otherwise why not. The operations check the same
// rules again when they are called.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { adminRoles, approverRoles } from '../../kernel/operations/permission.ts'
import type { StopKind } from '../reminders/reminder.ts'
import type { Organisation } from '../settings/organisation.ts'
import type { Document } from './document.ts'
import { isCredit, isSale } from './document-status.ts'
import { transitionProblem } from './document-transition.ts'

export const documentActs = [
  'edit',
  'submit',
  'withdraw',
  'approve',
  'return',
  'reopen',
  'issue',
  'send',
  'mark_sent',
  'record_payment',
  'use_credit',
  'refund_credit',
  'credit',
  'write_off',
  'change_due_date',
  'dispute',
  'resume_reminders',
  'void',
  'duplicate',
  'recur',
  'discard',
] as const
export type DocumentAct = (typeof documentActs)[number]

// Null if it is possible. An act that never applies to the kind or the settings is left out.
export type ActProblems = Partial<Record<DocumentAct, string | null>>

export function actProblems(
  document: Document,
  organisation: Organisation,
  actor: PersonActor,
  // What stops its own reminders.
  stops: readonly StopKind[] = [],
): ActProblems {
  const sale = isSale(document.kind)
  const credit = isCredit(document.kind)
  const transition = (operation: Parameters<typeof transitionProblem>[1]) =>
    transitionProblem(document, operation, organisation) ?? null
  const { approvalsOn } = organisation
  const isWaiting = document.status === 'awaiting_approval'
  return {
    edit: transition('edit'),
    ...((approvalsOn || isWaiting) && {
      submit: transition('submit'),
      withdraw: transition('withdraw') ?? authorProblem(document, actor),
      return: transition('return'),
    }),
    ...((approvalsOn || isWaiting || !sale) && {
      approve: transition('approve') ?? approverProblem(document, organisation, actor),
    }),
    ...(sale && {
      ...(approvalsOn && { reopen: transition('reopen') }),
      issue: transition('issue'),
      send: transition('send'),
      mark_sent: transition('send') ?? (document.sentAt ? 'It was sent already.' : null),
    }),
    ...(credit
      ? { use_credit: openProblem(document), refund_credit: openProblem(document) }
      : {
          record_payment: openProblem(document),
          use_credit: openProblem(document),
          write_off: openProblem(document),
          ...(document.kind !== 'expense_claim' && { credit: creditProblem(document) }),
        }),
    change_due_date: transition('change_due_date'),
    ...(document.kind === 'invoice' && {
      ...(!stops.includes('disputed') && { dispute: openProblem(document) }),
      ...(stops.length > 0 && { resume_reminders: null }),
    }),
    void: transition('void'),
    duplicate: null,
    ...(['invoice', 'bill'].includes(document.kind) && { recur: null }),
    discard: transition('discard'),
  }
}

export function dueMinor(document: Document): bigint {
  const { totalMinor, paidMinor, creditedMinor, writtenOffMinor } = document
  if (!document.postedAt || document.voidedAt) return 0n
  return totalMinor - paidMinor - creditedMinor - writtenOffMinor
}

export function openProblem(document: Document): string | null {
  if (document.voidedAt) return 'It is void.'
  if (!document.postedAt) return 'It is not in the books yet.'
  if (dueMinor(document) > 0n) return null
  return isCredit(document.kind) ? 'All of it is used.' : 'Nothing is due.'
}

function creditProblem(document: Document): string | null {
  if (document.voidedAt) return 'It is void.'
  return document.postedAt ? null : 'It is not in the books yet. Edit or discard it.'
}

function authorProblem({ authorPersonId }: Document, actor: PersonActor): string | null {
  if (actor.personId === authorPersonId || adminRoles.includes(actor.role)) return null
  return 'Only its author, an owner or an admin can withdraw it.'
}

function approverProblem(
  { status, authorPersonId }: Document,
  { fourEyesOn }: Organisation,
  actor: PersonActor,
): string | null {
  if (status !== 'awaiting_approval') return null
  if (!approverRoles.includes(actor.role)) return 'Only an owner, admin or approver can approve it.'
  return fourEyesOn && actor.personId === authorPersonId
    ? "You can't approve your own document."
    : null
}
