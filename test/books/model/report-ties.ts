// The cash-flow statement and the tax report must agree with the ledger for any period.
import { expect } from 'vitest'
import { reportBalanceSheet } from '../../../src/books/reports/get-balance-sheet.ts'
import { reportCashFlow } from '../../../src/books/reports/get-cash-flow.ts'
import { reportTax } from '../../../src/books/reports/get-tax-report.ts'
import {
  add,
  type Decimal,
  subtract,
  toText,
  zeroDecimal,
} from '../../../src/kernel/money/decimal.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { Books } from '../../support/documents.ts'
import type { World } from '../../support/world.ts'

type Real = { readonly world: World; readonly books: Books }
type Period = { readonly from: string; readonly to: string }

const total = (values: readonly Decimal[]) => toText(values.reduce(add, zeroDecimal), 2)

// The cash of the balance sheet, and every section adds up.
export async function expectCashFlow({ world, books }: Real, period: Period): Promise<void> {
  const { context } = world
  const { data } = await runOperation(reportCashFlow, context, books.owner, period)
  const sheet = await runOperation(reportBalanceSheet, context, books.owner, { asOf: period.to })
  const assets = sheet.data.assets.groups.flatMap(({ accounts }) => accounts)
  const banks = assets.filter(({ subtype }) => subtype === 'bank').map(({ amount }) => amount)
  const { opening, change, closing, check, rate_effect } = data.totals
  expect(toText(closing, 2), `cash on ${period.to}`).toBe(total(banks))
  expect(total(data.cash.map((account) => account.closing))).toBe(total(banks))
  expect(toText(add(opening, change), 2)).toBe(toText(closing, 2))
  expect(toText(check)).toBe('0')
  expect(total([...data.sections.map((section) => section.total), rate_effect])).toBe(
    toText(change, 2),
  )
  for (const section of data.sections) {
    expect(total(section.rows.map(({ amount }) => amount))).toBe(toText(section.total, 2))
  }
}

// The tax of the report is what the lines with a tax code did to the tax accounts.
export async function expectTaxReport({ world, books }: Real, period: Period): Promise<void> {
  const { data } = await runOperation(reportTax, world.context, books.owner, period)
  const { collected, paid, manual, payable } = data.totals
  expect(total([subtract(collected, paid), manual])).toBe(toText(payable, 2))
  expect(total(data.accounts.map(({ reported }) => reported))).toBe(toText(payable, 2))
  for (const { net, tax, codes } of data.sections) {
    expect(total(codes.map((code) => code.net))).toBe(toText(net, 2))
    expect(total(codes.map((code) => code.tax))).toBe(toText(tax, 2))
    for (const code of codes) {
      expect(total(code.components.map((part) => part.tax))).toBe(toText(code.tax, 2))
    }
  }
  for (const { account_id, opening, reported, other, closing } of data.accounts) {
    const [row] = await world.database.sql<{ before: bigint; taxed: bigint; all: bigint }[]>`
      select
        coalesce(sum(-base_minor) filter (where date < ${period.from}), 0)::bigint as before,
        coalesce(sum(-base_minor), 0)::bigint as all,
        coalesce(sum(-base_minor) filter (
          where date >= ${period.from} and tax_code_id is not null and description is null
        ), 0)::bigint as taxed
      from books.journal_lines
      where business_id = ${books.businessId}
        and account_id = ${account_id}
        and date <= ${period.to}`
    const { before = 0n, taxed = 0n, all = 0n } = row ?? {}
    expect([opening, reported, other, closing].map((figure) => toText(figure, 2))).toEqual(
      [before, taxed, all - before - taxed, all].map((minor) => majorText(minor, 2)),
    )
  }
}
