// The cash-flow statement with one column for each month, all of one moment.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { cashFlow } from './cash-flow.ts'
import { listRateEffects } from './cash-flow-store.ts'
import { daysOfPeriods } from './profit-and-loss.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { requireMonths } from './report-days.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'
import { listBalances } from './report-store.ts'

export const reportCashFlowByMonth = defineOperation({
  name: 'report-cash-flow-by-month',
  summary: 'Read the cash-flow statement of each month of a period',
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
    // Read afterwards, but only up to the same entry.
    const effects = await listRateEffects(sql, actor, periods, ledgerSeq)
    const currency = organisation.baseCurrency
    const columns = periods.map((one, index) => ({
      ...one,
      ...cashFlow(accounts, [one], [effects[index] ?? 0n], currency),
    }))
    return {
      ...period,
      data: { currency, ledger_seq: ledgerSeq, columns },
    }
  },
})
