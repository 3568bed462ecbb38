import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { rowScope } from '../row-scope.ts'
import { defaultFeeSchedule, type FeeSchedule } from './fee-schedule.ts'
import { type FeeScheduleOf, listFeeSchedules as listStoredSchedules } from './fee-store.ts'

export type FeeSchedules = {
  // For a business and currency without a schedule.
  readonly default: FeeSchedule
  readonly schedules: readonly FeeScheduleOf[]
}

export const listFeeSchedules = defineOperation({
  name: 'list-fee-schedules',
  summary: 'List the fees on charges',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor): Promise<FeeSchedules> {
    const { businessId } = rowScope(actor)
    const schedules = await listStoredSchedules(database.sql, businessId ?? undefined)
    return { default: defaultFeeSchedule, schedules }
  },
})
