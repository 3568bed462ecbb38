// The tax reports of one or more periods, all of one moment.
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { Organisation } from '../settings/organisation.ts'
import { listTaxCodes } from '../taxes/tax-code-store.ts'
import { daysOfPeriods } from './profit-and-loss.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import type { Period } from './report-days.ts'
import { listBalances } from './report-store.ts'
import { taxReport } from './tax-report.ts'
import { listComponentSums, listTaxSums } from './tax-report-store.ts'

export async function readTaxReports(
  sql: Sql,
  actor: Actor,
  organisation: Organisation,
  periods: readonly Period[],
  recordedOn: string | undefined,
) {
  const upTo = await recordedUpTo(sql, actor, organisation, recordedOn)
  const { ledgerSeq, accounts } = await listBalances(sql, actor, daysOfPeriods(periods), upTo)
  // Read afterwards, but only up to the same entry: all figures are of one moment. A tax code is
  // never deleted.
  const codes = await listTaxCodes(sql, actor)
  const ofParts = codes.filter(({ components }) => components.length > 1).map(({ id }) => id)
  const { baseCurrency: currency } = organisation
  const reports = []
  for (const period of periods) {
    const sums = await listTaxSums(sql, actor, period, ledgerSeq)
    const components = await listComponentSums(sql, actor, period, ledgerSeq, ofParts)
    reports.push({
      ...period,
      ...taxReport({ period, currency, codes, sums, components, accounts }),
    })
  }
  return { ledgerSeq, currency, reports }
}
