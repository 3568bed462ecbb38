import type { PersonActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { type Approval, requestHash, thresholdKinds, type WantedThreshold } from './approval.ts'
import { decideApproval, requireDecidable } from './decide-approval.ts'
import { thresholdRequest } from './request-threshold.ts'
import { setThreshold } from './set-threshold.ts'
import { type Approving, voidApproval } from './void-approval.ts'

const changed = 'The threshold has changed since this request. Request the new one again.'

export async function approveThreshold(
  tx: Tx,
  context: Context,
  approver: PersonActor,
  approval: Approval,
): Promise<Approving> {
  await requireDecidable(tx, context, approver, approval.id)
  const threshold = thresholdOf(approval)
  const now = await thresholdRequest(tx, approver.businessId, threshold)
  if (!requestHash(approver, 'threshold', now).equals(approval.requestHash)) {
    return voidApproval(tx, context, approver, approval, changed)
  }
  await decideApproval(tx, context, approver, approval.id, { state: 'approved' })
  await setThreshold(tx, context, approver, threshold)
  return { kind: 'executed' }
}

function thresholdOf({ request }: Approval): WantedThreshold {
  const operation = thresholdKinds.find((known) => known === request.operation)
  const amountMinor = request.amountMinor ?? null
  return {
    operation: assertDefined(operation, 'a threshold of nothing'),
    currency: assertDefined(request.currency, 'a threshold without a currency'),
    amountMinor: amountMinor === null ? null : BigInt(amountMinor),
  }
}
