import { nameActor } from '../../kernel/access/people-news.ts'
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'
import {
  type Approval,
  type ApprovalOperation,
  type ApprovalRequest,
  approvalLifeSeconds,
  isAboutPeople,
  requestHash,
} from './approval.ts'
import { approvalNotice } from './approval-notice.ts'
import { insertApproval } from './approval-store.ts'

// Records the request and returns the id of the approval.
export async function requestApproval(
  tx: Tx,
  context: Context,
  actor: Actor,
  wanted: {
    operation: ApprovalOperation
    objectId: string
    request: ApprovalRequest
    // If the caller has to know it beforehand.
    id?: string
  },
): Promise<string> {
  const { operation, objectId, request, id = context.ids.uuid() } = wanted
  // The second person must know whose request they decide. The operator may ask for what is about
  // people, which owners confirm.
  if (actor.kind === 'system' && !isAboutPeople(operation)) {
    throw permissionDenied('This needs an approval, so a person or a key must request it.')
  }
  const now = context.clock.now()
  const approval: Approval = {
    id,
    operation,
    state: 'pending',
    objectId,
    request,
    requestHash: requestHash(actor, operation, request),
    requestedByKind: actor.kind,
    requestedBy: actorId(actor),
    requesterPersonId: personBehind(actor),
    decidedBy: null,
    decidedAt: null,
    reason: null,
    executedAt: null,
    expiresAt: addSeconds(now, approvalLifeSeconds),
    createdAt: now,
  }
  await insertApproval(tx, actor, approval)
  await recordAct(tx, context, actor, {
    action: 'approval.request',
    objectKind: 'approval',
    objectId: approval.id,
    detail: { operation, ...request },
  })
  const notice = approvalNotice(approval, await nameActor(tx, actor))
  if (notice) await notify(tx, context, actor, notice)
  return approval.id
}

function personBehind(actor: Actor): string | null {
  if (actor.kind === 'system') return null
  return actor.kind === 'key' ? actor.createdBy : actor.personId
}
