// What a page shows of a period: the sums per currency and the newest settlements. The database
// adds up, because a period can have millions of rows.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Settlement } from './settlement.ts'
import { type SettledDays, settledDays, settledMoments } from './settlement-days.ts'
import { listNewestSettled, listSettledTotals } from './settlement-store.ts'
import type { SettledTotal } from './settlement-totals.ts'

export const newestMax = 200

export type SettlementSummary = SettledDays & {
  // In the order of the currencies.
  readonly totals: readonly SettledTotal[]
  readonly newest: readonly Settlement[]
}

export const getSettlementSummary = defineOperation({
  name: 'get-settlement-summary',
  summary: 'Sum up settled payments per currency, with the newest of them',
  kind: 'read',
  input: z.strictObject({
    from: day().optional(),
    to: day().optional(),
    splitRecipientId: uuid().optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, wanted): Promise<SettlementSummary> {
    const now = clock.now()
    const days = settledDays(wanted, now)
    const { splitRecipientId } = wanted
    const range = { ...settledMoments(days, now), splitRecipientId }
    const [totals, newest] = await Promise.all([
      listSettledTotals(sql, actor, range),
      listNewestSettled(sql, actor, range, newestMax),
    ])
    return { ...days, totals, newest }
  },
})
