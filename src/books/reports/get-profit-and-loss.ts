import { z } from 'zod'
import {
  ifNoneMatchHeader,
  taggedAnswer,
  taggedResponses,
} from '../../kernel/http/tagged-answer.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { daysOfPeriods, profitAndLoss, profitSections } from './profit-and-loss.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { comparedPeriod, comparisons } from './report-days.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'
import { compareParameter, figuresShape, ledgerSeqField } from './report-schema.ts'
import { listBalances } from './report-store.ts'

const profitAndLossQuery = z.strictObject({
  from: day().optional().meta({ description: 'The first day; default 1 January of this year.' }),
  to: day().optional().meta({ description: 'The last day; default today.' }),
  compare: compareParameter(),
})

const profitAndLossInput = z.strictObject({
  ...periodInput,
  ...recordedInput,
  compare: oneOf(comparisons).optional(),
})

const sectionSchema = z.object({
  key: z.enum(profitSections),
  ...figuresShape('total'),
  accounts: z.array(
    z.object({
      account_id: z.uuid(),
      code: z.string(),
      name: z.string(),
      subtype: z.string(),
      ...figuresShape('amount'),
    }),
  ),
})

const reportSchema = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  data: z.object({
    currency: z.string().meta({ description: 'The base currency; all figures are in it.' }),
    basis: z.literal('accrual'),
    ledger_seq: ledgerSeqField(),
    comparison: z.object({ from: z.iso.date(), to: z.iso.date() }).optional(),
    sections: z.array(sectionSchema).meta({ description: 'All groups are always present.' }),
    totals: z.object(
      figuresShape(
        'income',
        'cost_of_sales',
        'gross_profit',
        'other_income',
        'expenses',
        'net_profit',
      ),
    ),
  }),
})

export const reportProfitAndLoss = defineOperation({
  name: 'report-profit-and-loss',
  summary: 'Read the profit and loss of a period',
  kind: 'read',
  input: profitAndLossInput,
  scopes: ['read'],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { compare, recordedOn, ...wanted }) {
    const organisation = await findOrganisation(sql, actor)
    const period = periodOf(organisation, clock.now(), wanted)
    const comparison = compare && comparedPeriod(period, compare)
    const periods = comparison ? [period, comparison] : [period]
    const upTo = await recordedUpTo(sql, actor, organisation, recordedOn)
    const { ledgerSeq, accounts } = await listBalances(sql, actor, daysOfPeriods(periods), upTo)
    const currency = organisation.baseCurrency
    return {
      ...period,
      data: {
        currency,
        basis: 'accrual',
        ledger_seq: ledgerSeq,
        ...(comparison && { comparison }),
        ...profitAndLoss(accounts, periods, currency),
      },
    }
  },
})

export const getProfitAndLossRoute = defineRoute({
  operation: reportProfitAndLoss,
  method: 'GET',
  path: '/reports/profit-and-loss',
  operationId: 'getProfitAndLoss',
  tag: 'Reports',
  description:
    'In the base currency, on the accrual basis. Days are those of the organisation’s time zone. ' +
    'Accounts without movements are left out.',
  headers: ifNoneMatchHeader,
  query: profitAndLossQuery,
  responses: taggedResponses('The report.', reportSchema),
  input: ({ query }) => query,
  answer: (report, _context, { headers }) => taggedAnswer(report.data.ledger_seq, report, headers),
})
