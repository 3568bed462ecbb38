import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { cashFlow } from './cash-flow.ts'
import { listRateEffects } from './cash-flow-store.ts'
import { daysOfPeriods } from './profit-and-loss.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { comparedPeriod, comparisons } from './report-days.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'
import { listBalances } from './report-store.ts'

// The result has the format of the published reports.
export const reportCashFlow = defineOperation({
  name: 'report-cash-flow',
  summary: 'Read the cash-flow statement of a period',
  kind: 'read',
  input: z.strictObject({
    ...periodInput,
    ...recordedInput,
    compare: oneOf(comparisons).optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { compare, recordedOn, ...wanted }) {
    const organisation = await findOrganisation(sql, actor)
    const period = periodOf(organisation, clock.now(), wanted)
    const comparison = compare && comparedPeriod(period, compare)
    const periods = comparison ? [period, comparison] : [period]
    const upTo = await recordedUpTo(sql, actor, organisation, recordedOn)
    const { ledgerSeq, accounts } = await listBalances(sql, actor, daysOfPeriods(periods), upTo)
    // Read afterwards, but only up to the same entry.
    const effects = await listRateEffects(sql, actor, periods, ledgerSeq)
    const currency = organisation.baseCurrency
    return {
      ...period,
      data: {
        currency,
        ledger_seq: ledgerSeq,
        ...(comparison && { comparison }),
        ...cashFlow(accounts, periods, effects, currency),
      },
    }
  },
})
