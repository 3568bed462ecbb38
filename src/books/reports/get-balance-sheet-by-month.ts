// The balance sheet at the end of each month up to a day. One statement, so that all columns are of
// one moment.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { balanceSheet } from './balance-sheet.ts'
import { daysOf } from './balances-as-of.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { fiscalYearStart, monthEnds } from './report-days.ts'
import { recordedInput } from './report-period.ts'
import { listBalances } from './report-store.ts'

const monthsMax = 24

export const reportBalanceSheetByMonth = defineOperation({
  name: 'report-balance-sheet-by-month',
  summary: 'Read the balance sheet at the ends of months',
  kind: 'read',
  input: z.strictObject({
    // The last column, whether a month ends on it or not.
    asOf: day().optional(),
    months: z.int().min(2).max(monthsMax).default(12),
    ...recordedInput,
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { asOf, months, recordedOn }) {
    const organisation = await findOrganisation(sql, actor)
    const { baseCurrency: currency, fiscalYearStartMonth } = organisation
    const last = asOf ?? today(organisation, clock.now())
    const columns = monthEnds(last, months).map((end) => ({
      as_of: end,
      fiscal_year_start: fiscalYearStart(end, fiscalYearStartMonth),
    }))
    const upTo = await recordedUpTo(sql, actor, organisation, recordedOn)
    const { ledgerSeq, accounts } = await listBalances(sql, actor, daysOf(columns), upTo)
    return {
      as_of: last,
      data: {
        currency,
        ledger_seq: ledgerSeq,
        // Each in the format of the published report.
        months: columns.map((column) => {
          const { checked: _, ...sheet } = balanceSheet(accounts, [column], currency)
          return { ...column, ...sheet }
        }),
      },
    }
  },
})
