// The frame of every change that a person makes to a schedule: the row is locked, the version that
// the person saw is compared, and the audit log names the person.
import type { Actor } from '../../kernel/auth/actor.ts'
import { type ActDetail, recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  approverRoles,
  requirePermission,
  writerRoles,
} from '../../kernel/operations/permission.ts'
import type { BooksContext } from '../context.ts'
import type { RecurringKind, RecurringSchedule } from './recurring-schedule.ts'
import { lockSchedule, updateSchedule } from './recurring-schedule-store.ts'

type ScheduleVerb =
  | 'edit'
  | 'pause'
  | 'resume'
  | 'end'
  | 'skip'
  | 'retry'
  | 'charge_card'
  | 'stop_card'

// The roles that post journals may let a schedule post them.
export function scheduleGuard(kind: RecurringKind) {
  return { scopes: [], roles: kind === 'journal' ? approverRoles : writerRoles }
}

export async function lockForScheduleChange(
  tx: Tx,
  actor: Actor,
  id: string,
  { version }: { readonly version?: number } = {},
): Promise<RecurringSchedule> {
  const schedule = await lockSchedule(tx, actor, id)
  if (!schedule) throw notFound('schedule')
  requirePermission(scheduleGuard(schedule.kind), actor)
  if (version !== undefined && version !== schedule.version) {
    throw new Fault('conflict', 'Someone else has changed it meanwhile. Look at it again.')
  }
  return schedule
}

export async function writeScheduleChange(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  schedule: RecurringSchedule,
  change: {
    readonly verb: ScheduleVerb
    readonly changes: Partial<Omit<RecurringSchedule, 'id' | 'kind' | 'version' | 'updatedAt'>>
    readonly detail?: ActDetail
  },
): Promise<RecurringSchedule> {
  const { verb, detail } = change
  const changes = {
    ...change.changes,
    updatedAt: context.clock.now(),
    version: schedule.version + 1,
  }
  await updateSchedule(tx, actor, schedule.id, changes)
  await recordAct(tx, context, actor, {
    action: `recurring.${verb}`,
    objectKind: 'recurring_schedule',
    objectId: schedule.id,
    ...(detail && { detail }),
  })
  return { ...schedule, ...changes }
}
