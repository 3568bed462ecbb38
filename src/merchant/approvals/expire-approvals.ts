import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { listOverdueApprovals, updateApprovalExpired } from './approval-store.ts'

const batchSize = 100

export const expireApprovalsSchedule = defineSchedule({
  name: 'expire-approvals',
  everySeconds: 60,
  run: (context: Context) => expireApprovals(context),
})

// An approval that is past its time cannot be given any more; this only says so.
async function expireApprovals(context: Context): Promise<void> {
  const now = context.clock.now()
  for (const { tenant, id } of await listOverdueApprovals(context.database.sql, now, batchSize)) {
    await context.database.transaction(async (tx) => {
      if (!(await updateApprovalExpired(tx, tenant, id, now))) return
      const actor = { kind: 'system', name: 'expire approvals', ...tenant } as const
      const act = { action: 'approval.expire', objectKind: 'approval', objectId: id }
      await recordAct(tx, context, actor, act)
    })
  }
}
