import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Context } from '../../kernel/db/context.ts'
import {
  ifNoneMatchHeader,
  taggedAnswer,
  taggedResponses,
} from '../../kernel/http/tagged-answer.ts'
import { defineHandledRoute } from '../context.ts'
import { balanceSheet, type SheetSection, sheetGroups } from './balance-sheet.ts'
import { readBalancesAsOf } from './read-balances-as-of.ts'
import { asOfQuery, asOfShape, figuresShape, money } from './report-schema.ts'

const rowSchema = z.object({
  account_id: z.uuid().nullable().meta({ description: 'Null where the row is computed.' }),
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
      .meta({ description: 'Always all of them.' }),
  })

const check = () => money().meta({ description: 'Assets less liabilities less equity: always 0.' })

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

export const getBalanceSheet = defineHandledRoute({
  method: 'GET',
  path: '/reports/balance-sheet',
  operationId: 'getBalanceSheet',
  tag: 'Reports',
  summary: 'Read the balance sheet of a day',
  description:
    'In the base currency. Retained earnings are the accounts of that kind and all profit before ' +
    'the fiscal year. Accounts that stand at nothing are left out.',
  scopes: ['read'],
  headers: ifNoneMatchHeader,
  query: asOfQuery,
  responses: taggedResponses('The report.', reportSchema),
  async handle(context, { actor, query, headers }) {
    const report = await reportBalanceSheet(context, actor, query)
    return taggedAnswer(report.data.ledger_seq, report, headers)
  },
})

export async function reportBalanceSheet(
  context: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  query: z.output<typeof asOfQuery>,
) {
  const standing = await readBalancesAsOf(context, actor, query)
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
}
