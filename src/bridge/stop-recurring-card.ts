// The invoices go on, and customers pay them on their pages. The subscription is still not renewed
// by itself; another schedule can charge its card.
import { z } from 'zod'
import { lockForScheduleChange, writeScheduleChange } from '../books/recurring/change-schedule.ts'
import type { RecurringSchedule } from '../books/recurring/recurring-schedule.ts'
import { Fault } from '../kernel/basics/fault.ts'
import { writerRoles } from '../kernel/operations/permission.ts'
import { uuid } from '../kernel/operations/schemas.ts'
import { defineOperation } from '../merchant/context.ts'

export const stopRecurringCard = defineOperation({
  name: 'stop-recurring-card',
  summary: 'Stop charging a recurring invoice to a saved card',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id)
      const { subscriptionId } = schedule
      if (subscriptionId === null) throw new Fault('conflict', 'It charges no saved card.')
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'stop_card',
        changes: { subscriptionId: null, chargeMaxMinor: null },
        detail: { subscriptionId },
      })
    })
  },
})
