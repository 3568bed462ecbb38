// An operator's own decision about a business: where no verifier is configured, or against one. It
// stands until somebody decides otherwise; a verifier that says no later does not undo it.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { KycStatus } from '../business/business.ts'
import { lockKycStatus, updateKycStatus } from './session-store.ts'

export type DecidedByHand = {
  readonly businessId: string
  readonly status: Exclude<KycStatus, 'pending'>
  // Why, for the record.
  readonly reason: string
}

// Answers what the status was before.
export async function setKycStatus(
  tx: Tx,
  context: Context,
  actorName: string,
  { businessId, status, reason }: DecidedByHand,
): Promise<KycStatus> {
  const before = await lockKycStatus(tx, businessId)
  if (before === undefined) throw notFound('business')
  await updateKycStatus(tx, businessId, status, context.clock.now())
  const actor = { kind: 'system', name: actorName, businessId, environment: 'live' } as const
  await recordAct(tx, context, actor, {
    action: 'business.set_kyc_status',
    objectKind: 'business',
    objectId: businessId,
    detail: { from: before, to: status, reason },
  })
  return before
}
