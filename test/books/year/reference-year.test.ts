// @module-tag long
// A year that is entered through the pages gives the same books as through the operations, cell by
// cell.
import { beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import type { BooksContext } from '../../../src/books/context.ts'
import { reportAged } from '../../../src/books/reports/get-aged-report.ts'
import { reportBalanceSheet } from '../../../src/books/reports/get-balance-sheet.ts'
import { reportProfitAndLoss } from '../../../src/books/reports/get-profit-and-loss.ts'
import { reportTax } from '../../../src/books/reports/get-tax-report.ts'
import { reportTrialBalance } from '../../../src/books/reports/get-trial-balance.ts'
import type { Operation } from '../../../src/kernel/operations/operation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'
import { operationBookkeeper } from './operation-bookkeeper.ts'
import { pageBookkeeper } from './page-bookkeeper.ts'
import { keepReferenceYear } from './reference-year.ts'

const world = useWorld()
let year: number
let byOperations: Books
let byPages: Books

beforeAll(async () => {
  const { context } = world()
  // The last whole one: payments can't be in the future.
  year = context.clock.now().getUTCFullYear() - 1
  byOperations = await newBooks(world())
  byPages = await newBooks(world())
  await keepReferenceYear(operationBookkeeper(context, byOperations.owner), year)
  const visitor = await appVisitor(world(), byPages.businessId)
  await keepReferenceYear(pageBookkeeper(world(), visitor), year)
})

// The report of both books, without the ids, which differ.
async function both<Input extends z.ZodType, Result>(
  report: Operation<BooksContext, Input, Result>,
  input: z.input<Input>,
) {
  const read = async ({ owner }: Books) =>
    withoutIds(await runOperation(report, world().context, owner, input))
  return { operations: await read(byOperations), pages: await read(byPages) }
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (value instanceof Map) return withoutIds([...value.values()])
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const entries = Object.entries(value).filter(([name]) => !/(^|_|[a-z])(id|Id)$/.test(name))
  return Object.fromEntries(entries.map(([name, part]) => [name, withoutIds(part)]))
}

const months = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))

it('has the same trial balance in every month', async () => {
  for (const month of months) {
    const { operations, pages } = await both(reportTrialBalance, { asOf: `${year}-${month}-28` })
    expect(pages).toEqual(operations)
  }
})

it('has the same profit and loss, balance sheet, taxes and open items', async () => {
  const period = { from: `${year}-01-01`, to: `${year}-12-31` }
  const day = { asOf: `${year}-12-31` }
  const reports = [
    await both(reportProfitAndLoss, period),
    await both(reportBalanceSheet, day),
    await both(reportTax, period),
    await both(reportAged, { side: 'receivables', ...day }),
    await both(reportAged, { side: 'payables', ...day }),
  ]
  for (const { operations, pages } of reports) expect(pages).toEqual(operations)
  await expectInvariants(world().database)
})

// Two books in which the corrections are missing would agree, too.
it('has every kind of fact', async () => {
  const { data } = await runOperation(reportTrialBalance, world().context, byPages.owner, {
    asOf: `${year}-12-31`,
  })
  expect(data.accounts.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'Bad debts',
      'Currency revaluation',
      'Dollar account',
      'Postage',
      'Realised currency gains and losses',
      'Unrealised currency gains and losses',
    ]),
  )
})
