// Profit and loss with one column for each month. One statement, so that all columns are of one
// moment.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { daysOfPeriods, profitAndLoss } from './profit-and-loss.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { requireMonths } from './report-days.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'
import { listBalances } from './report-store.ts'

export const reportProfitByMonth = defineOperation({
  name: 'report-profit-by-month',
  summary: 'Read the profit and loss of each month of a period',
  kind: 'read',
  input: z.strictObject({ ...periodInput, ...recordedInput }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { recordedOn, ...wanted }) {
    const organisation = await findOrganisation(sql, actor)
    const period = periodOf(organisation, clock.now(), wanted)
    const periods = [...requireMonths(period), period]
    const upTo = await recordedUpTo(sql, actor, organisation, recordedOn)
    const { ledgerSeq, accounts } = await listBalances(sql, actor, daysOfPeriods(periods), upTo)
    const currency = organisation.baseCurrency
    // Each in the format of the published report.
    const columns = periods.map((one) => ({
      ...one,
      ...profitAndLoss(accounts, [one], currency),
    }))
    return {
      ...period,
      data: {
        currency,
        ledger_seq: ledgerSeq,
        months: columns.slice(0, -1),
        whole: columns.at(-1) ?? { ...period, ...profitAndLoss(accounts, [period], currency) },
      },
    }
  },
})
