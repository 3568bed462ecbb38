import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { readTaxReports } from './read-tax-reports.ts'
import { comparedPeriod, comparisons } from './report-days.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'

// The result has the format of the published reports.
export const reportTax = defineOperation({
  name: 'report-tax',
  summary: 'Read the tax report of a period',
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
    const read = await readTaxReports(sql, actor, organisation, periods, recordedOn)
    const [own, compared] = read.reports
    const { softLockedUntil, hardLockedUntil } = organisation
    const lockedUntil = [softLockedUntil, hardLockedUntil]
      .flatMap((day) => day ?? [])
      .sort()
      .at(-1)
    return {
      ...period,
      data: {
        currency: read.currency,
        ledger_seq: read.ledgerSeq,
        // Whether the whole period is closed.
        is_closed: lockedUntil !== undefined && lockedUntil >= period.to,
        ...assertDefined(own, 'a report of no period'),
        ...(compared && { comparison: compared }),
      },
    }
  },
})
