import { z } from 'zod'
import {
  ifNoneMatchHeader,
  taggedAnswer,
  taggedResponses,
} from '../../kernel/http/tagged-answer.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { majorNumber } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { balanceSheet, type SheetSection, sheetGroups } from './balance-sheet.ts'
import { readBalancesAsOf } from './read-balances-as-of.ts'
import { asOfInput, asOfQuery, asOfShape, figuresShape } from './report-schema.ts'

const rowSchema = z.object({
  account_id: z.uuid().nullable().meta({ description: 'Null for a computed row.' }),
  code: z.string().nullable(),
  name: z.string(),
  subtype: z.string(),
  ...figuresShape('amount'),
})

const sectionSchema = (section: SheetSection) =>
  z.object({
    ...figuresShape('total'),
    groups: z
      .array(
        z.object({
          key: z.enum(sheetGroups[section]),
          ...figuresShape('total'),
          accounts: z.array(rowSchema),
        }),
      )
      .meta({ description: 'All groups are always present.' }),
  })

const check = () =>
  majorNumber().meta({ description: 'Assets less liabilities less equity: always 0.' })

const reportSchema = z.object({
  as_of: z.iso.date(),
  data: z.object({
    ...asOfShape,
    comparison: z
      .object({ as_of: z.iso.date(), fiscal_year_start: z.iso.date(), check: check() })
      .optional(),
    assets: sectionSchema('assets'),
    liabilities: sectionSchema('liabilities'),
    equity: sectionSchema('equity'),
    totals: z.object(
      figuresShape('assets', 'liabilities', 'equity', 'retained_earnings', 'current_year_earnings'),
    ),
    check: check(),
  }),
})

export const reportBalanceSheet = defineOperation({
  name: 'report-balance-sheet',
  summary: 'Read the balance sheet of a day',
  kind: 'read',
  input: asOfInput,
  scopes: ['read'],
  roles: everyRole,
  async run(context, actor, wanted) {
    const standing = await readBalancesAsOf(context, actor, wanted)
    const { own, comparison, columns, currency, accounts, ledgerSeq } = standing
    const { checked, ...sheet } = balanceSheet(accounts, columns, currency)
    return {
      as_of: own.as_of,
      data: {
        currency,
        fiscal_year_start: own.fiscal_year_start,
        ledger_seq: ledgerSeq,
        ...(comparison && { comparison: { ...comparison, ...checked.comparison } }),
        ...sheet,
        check: checked.check,
      },
    }
  },
})

export const getBalanceSheetRoute = defineRoute({
  operation: reportBalanceSheet,
  method: 'GET',
  path: '/reports/balance-sheet',
  operationId: 'getBalanceSheet',
  tag: 'Reports',
  description:
    'In the base currency. Retained earnings are the accounts of that kind and all profit before ' +
    'the fiscal year. Accounts with a zero balance are left out.',
  headers: ifNoneMatchHeader,
  query: asOfQuery,
  responses: taggedResponses('The report.', reportSchema),
  input: ({ query }) => ({ asOf: query.as_of, compare: query.compare }),
  answer: (report, _context, { headers }) => taggedAnswer(report.data.ledger_seq, report, headers),
})
