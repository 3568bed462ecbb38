import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listTaxCodes } from '../taxes/tax-code-store.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { dayBefore } from './report-days.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'
import { listBalances } from './report-store.ts'
import { taxReport } from './tax-report.ts'
import { listComponentSums, listTaxSums } from './tax-report-store.ts'

// The result has the format of the published reports.
export const reportTax = defineOperation({
  name: 'report-tax',
  summary: 'Read the tax report of a period',
  kind: 'read',
  input: z.strictObject({ ...periodInput, ...recordedInput }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, wanted) {
    const organisation = await findOrganisation(sql, actor)
    const period = periodOf(organisation, clock.now(), wanted)
    const days = [dayBefore(period.from), period.to]
    const upTo = await recordedUpTo(sql, actor, organisation, wanted.recordedOn)
    const { ledgerSeq, accounts } = await listBalances(sql, actor, days, upTo)
    // Read afterwards, but only up to the same entry: all figures are of one moment. A tax code is
    // never deleted.
    const [codes, sums] = await Promise.all([
      listTaxCodes(sql, actor),
      listTaxSums(sql, actor, period, ledgerSeq),
    ])
    const ofParts = codes.filter(({ components }) => components.length > 1).map(({ id }) => id)
    const components = await listComponentSums(sql, actor, period, ledgerSeq, ofParts)
    const { baseCurrency: currency, softLockedUntil, hardLockedUntil } = organisation
    const lockedUntil = [softLockedUntil, hardLockedUntil]
      .flatMap((day) => day ?? [])
      .sort()
      .at(-1)
    return {
      ...period,
      data: {
        currency,
        ledger_seq: ledgerSeq,
        // Whether the whole period is closed.
        is_closed: lockedUntil !== undefined && lockedUntil >= period.to,
        ...taxReport({ period, currency, codes, sums, components, accounts }),
      },
    }
  },
})
