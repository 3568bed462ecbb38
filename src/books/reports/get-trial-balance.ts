import { z } from 'zod'
import {
  ifNoneMatchHeader,
  taggedAnswer,
  taggedResponses,
} from '../../kernel/http/tagged-answer.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { readBalancesAsOf } from './read-balances-as-of.ts'
import { asOfInput, asOfQuery, asOfShape, figuresShape } from './report-schema.ts'
import { trialBalance } from './trial-balance.ts'

const rowSchema = z.object({
  account_id: z
    .uuid()
    .nullable()
    .meta({ description: 'Null in the row for retained earnings of earlier years.' }),
  code: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  subtype: z.string(),
  ...figuresShape('debit', 'credit', 'balance', 'lifetime'),
})

const reportSchema = z.object({
  as_of: z.iso.date(),
  data: z.object({
    ...asOfShape,
    comparison: z.object({ as_of: z.iso.date(), fiscal_year_start: z.iso.date() }).optional(),
    accounts: z.array(rowSchema),
    totals: z.object(figuresShape('debit', 'credit', 'difference')),
  }),
})

export const reportTrialBalance = defineOperation({
  name: 'report-trial-balance',
  summary: 'Read the trial balance of a day',
  kind: 'read',
  input: asOfInput,
  scopes: ['read'],
  roles: everyRole,
  async run(context, actor, wanted) {
    const standing = await readBalancesAsOf(context, actor, wanted)
    const { own, comparison, columns, currency, accounts, ledgerSeq } = standing
    return {
      as_of: own.as_of,
      data: {
        currency,
        fiscal_year_start: own.fiscal_year_start,
        ledger_seq: ledgerSeq,
        ...(comparison && { comparison }),
        ...trialBalance(accounts, columns, currency),
      },
    }
  },
})

export const getTrialBalanceRoute = defineRoute({
  operation: reportTrialBalance,
  method: 'GET',
  path: '/reports/trial-balance',
  operationId: 'getTrialBalance',
  tag: 'Reports',
  description:
    'In the base currency. Income and expenses are those of the fiscal year; the profit of earlier ' +
    'years is a separate row without an account. `balance` is the debit less the credit, and ' +
    '`lifetime` the same over all years. Accounts with neither are left out.',
  headers: ifNoneMatchHeader,
  query: asOfQuery,
  responses: taggedResponses('The report.', reportSchema),
  input: ({ query }) => ({ asOf: query.as_of, compare: query.compare }),
  answer: (report, _context, { headers }) => taggedAnswer(report.data.ledger_seq, report, headers),
})
