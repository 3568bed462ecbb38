import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type ListedSchedule, recurringKinds } from './recurring-schedule.ts'
import { listSchedules } from './recurring-schedule-store.ts'

const schedulesMax = 500

export const listRecurring = defineOperation({
  name: 'list-recurring',
  summary: 'List the schedules of invoices, bills and journals',
  kind: 'read',
  input: z.strictObject({
    kind: z.enum(recurringKinds).optional(),
    status: z.enum(['active', 'paused', 'ended']).optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { kind, status }): Promise<readonly ListedSchedule[]> {
    const wanted = { ...(kind && { kind }), ...(status && { status }) }
    return listSchedules(sql, actor, wanted, schedulesMax)
  },
})
