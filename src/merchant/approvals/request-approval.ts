import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  type Approval,
  type ApprovalOperation,
  type ApprovalRequest,
  approvalLifeSeconds,
  type HeldOperation,
  requestHash,
} from './approval.ts'
import { insertApproval } from './approval-store.ts'
import { findThresholdMinor } from './threshold-store.ts'

// What holds an operation, or lets it go. `thresholdMinor` is what was in force: null where there
// is none.
type Weighed = { readonly isHeld: boolean; readonly thresholdMinor: bigint | null }

// Above is strict. A currency without a threshold always needs a second person; the sandbox, where
// no money moves, never does.
export async function weigh(
  tx: Tx,
  tenant: Tenant,
  operation: HeldOperation,
  currency: string,
  totalMinor: bigint,
): Promise<Weighed> {
  if (tenant.environment === 'test') return { isHeld: false, thresholdMinor: null }
  const thresholdMinor = await findThresholdMinor(tx, tenant.businessId, operation, currency)
  if (thresholdMinor === undefined) return { isHeld: true, thresholdMinor: null }
  return { isHeld: totalMinor > thresholdMinor, thresholdMinor }
}

export async function needsApproval(
  tx: Tx,
  tenant: Tenant,
  operation: HeldOperation,
  currency: string,
  totalMinor: bigint,
): Promise<boolean> {
  return (await weigh(tx, tenant, operation, currency, totalMinor)).isHeld
}

// Records what waits, and returns the id of the approval.
export async function requestApproval(
  tx: Tx,
  context: Context,
  actor: Actor,
  wanted: { operation: ApprovalOperation; objectId: string; request: ApprovalRequest },
): Promise<string> {
  const { operation, objectId, request } = wanted
  // A second person has to know whose request they decide.
  if (actor.kind === 'system') {
    throw permissionDenied('This needs an approval, so a person or a key has to request it.')
  }
  const now = context.clock.now()
  const approval: Approval = {
    id: context.ids.uuid(),
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
  return approval.id
}

function personBehind(actor: Exclude<Actor, { kind: 'system' }>): string {
  return actor.kind === 'key' ? actor.createdBy : actor.personId
}
