// What a business took in over the last 30 days, day by day, and over the 30 days before.
import { z } from 'zod'
import { addDays } from '../../kernel/basics/calendar.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { isTimeZone, localDay, startOfDay } from '../subscriptions/billing-period.ts'
import { type CurrencyVolume, type Outcomes, volumesOf } from './volume.ts'
import { type EndedCount, listEndedCounts, listMovedByDay } from './volume-store.ts'

const dayCount = 30

export type Volumes = {
  readonly currencies: readonly CurrencyVolume[]
  readonly outcomes: { readonly current: Outcomes; readonly previous: Outcomes }
}

export const getVolumes = defineOperation({
  name: 'get-volumes',
  summary: 'Sum up payments, refunds, fees and payouts of the last 30 days',
  kind: 'read',
  // It decides where a day begins.
  input: z.strictObject({
    timeZone: z.string().refine(isTimeZone, { error: 'Unknown time zone.' }),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { timeZone }): Promise<Volumes> {
    const today = localDay(clock.now(), timeZone)
    const currentSince = startOfDay(addDays(today, 1 - dayCount), timeZone)
    const period = {
      since: startOfDay(addDays(today, 1 - 2 * dayCount), timeZone),
      before: startOfDay(addDays(today, 1), timeZone),
    }
    const [moved, ended] = await Promise.all([
      listMovedByDay(sql, actor, period, timeZone),
      listEndedCounts(sql, actor, period, currentSince),
    ])
    return {
      currencies: volumesOf(moved, today, dayCount),
      outcomes: { current: outcomesOf(ended, true), previous: outcomesOf(ended, false) },
    }
  },
})

function outcomesOf(ended: readonly EndedCount[], isCurrent: boolean): Outcomes {
  const count = (isSuccess: boolean) =>
    ended.find((one) => one.isCurrent === isCurrent && one.isSuccess === isSuccess)?.count ?? 0
  return { succeeded: count(true), failed: count(false) }
}
