import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { readTaxReports } from './read-tax-reports.ts'
import { requireMonths } from './report-days.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'

// Each month has the format of the report of a period.
export const reportTaxByMonth = defineOperation({
  name: 'report-tax-by-month',
  summary: 'Read the tax report of each month of a period',
  kind: 'read',
  input: z.strictObject({ ...periodInput, ...recordedInput }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { recordedOn, ...wanted }) {
    const organisation = await findOrganisation(sql, actor)
    const period = periodOf(organisation, clock.now(), wanted)
    const periods = [...requireMonths(period), period]
    const read = await readTaxReports(sql, actor, organisation, periods, recordedOn)
    return {
      ...period,
      data: { currency: read.currency, ledger_seq: read.ledgerSeq, columns: read.reports },
    }
  },
})
