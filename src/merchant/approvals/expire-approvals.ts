import type { SystemActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { cancelHeldPayout } from '../payouts/cancel-payout.ts'
import { lockPayout } from '../payouts/payout-store.ts'
import type { Approval } from './approval.ts'
import { listOverdueApprovals, updateApprovalExpired } from './approval-store.ts'

const batchSize = 100

export const expireApprovalsSchedule = defineSchedule({
  name: 'expire-approvals',
  everySeconds: 60,
  run: (context: Context) => expireApprovals(context),
})

// An overdue approval can no longer be given. This records that, and ends the payout that waited
// for it.
async function expireApprovals(context: Context): Promise<void> {
  const { database, clock } = context
  const now = clock.now()
  for (const { tenant, approval } of await listOverdueApprovals(database.sql, now, batchSize)) {
    const actor = { kind: 'system', name: 'expire approvals', ...tenant } as const
    try {
      await database.transaction((tx) => expire(tx, context, actor, approval, now))
    } catch (error) {
      // The others must not wait for this one. The next run tries again.
      const { id: approvalId } = approval
      context.log.error({ approvalId, err: error }, 'could not expire an approval')
    }
  }
}

async function expire(
  tx: Tx,
  context: Context,
  actor: SystemActor,
  { id, operation, objectId }: Approval,
  now: Date,
): Promise<void> {
  // The payout is locked before its approval, everywhere.
  const payout = operation === 'payout' ? await lockPayout(tx, actor, objectId) : undefined
  if (!(await updateApprovalExpired(tx, actor, id, now))) return
  const act = { action: 'approval.expire', objectKind: 'approval', objectId: id }
  await recordAct(tx, context, actor, act)
  if (payout) await cancelHeldPayout(tx, context, actor, payout)
}
