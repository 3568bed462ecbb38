// Compares the books with the model, and checks the invariants.

import { expect } from 'vitest'
import { listAccounts } from '../../../src/books/accounts/account-store.ts'
import {
  type DocumentFacts,
  documentStatus,
  isCredit,
  isSale,
} from '../../../src/books/documents/document-status.ts'
import { accountNames } from '../../../src/books/export/account-names.ts'
import { listJournalText } from '../../../src/books/export/list-journal-text.ts'
import { booksInvariants } from '../../../src/books/invariants.ts'
import { reportAged } from '../../../src/books/reports/get-aged-report.ts'
import { reportBalanceSheet } from '../../../src/books/reports/get-balance-sheet.ts'
import { reportTrialBalance } from '../../../src/books/reports/get-trial-balance.ts'
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import { toText } from '../../../src/kernel/money/decimal.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { Books } from '../../support/documents.ts'
import { type LedgerBalances, ledgerBalances } from '../../support/ledger.ts'
import type { World } from '../../support/world.ts'
import {
  days,
  isDocument,
  type Model,
  openOf,
  openOn,
  size,
  standing,
  usedAs,
  usesOf,
} from './model.ts'

export type Real = { readonly world: World; readonly books: Books }

export async function expectAgreement(model: Model, real: Real): Promise<void> {
  await matchUses(model, real)
  await expectOpenOnEveryDay(model, real)
  await expectDocuments(model, real)
  await expectEntries(real)
}

export async function expectInvariants(real: Real): Promise<void> {
  const { sql } = real.world.database
  for (const { id, title, violations } of booksInvariants) {
    const found = await violations(sql, real.world.context.clock.now())
    expect(found, `${id}: ${title}`).toEqual([])
  }
}

type Row = {
  id: string
  debitId: string
  creditId: string
  amountMinor: bigint
  date: string
  removedOn: string | null
}

// The allocations are the uses of the model, which learns their ids here.
async function matchUses(model: Model, { world, books }: Real): Promise<void> {
  const rows = await world.database.sql<Row[]>`
    select
      id, debit_item_id as debit_id, credit_item_id as credit_id, amount_minor, date, removed_on
    from books.allocations
    where business_id = ${books.businessId}
    order by created_at, id`
  const left = new Map(rows.map((row) => [row.id, row]))
  const text = ({ debitId, creditId, amountMinor, date }: Omit<Row, 'id' | 'removedOn'>) =>
    `${debitId} ${creditId} ${amountMinor} ${date}`
  for (const use of model.uses.toSorted((one, other) => (one.id ? 0 : 1) - (other.id ? 0 : 1))) {
    const found = use.id
      ? left.get(use.id)
      : [...left.values()].find((row) => text(row) === text(use))
    expect(found && text(found), 'an allocation').toBe(text(use))
    expect(found?.removedOn ?? undefined, 'the day it was taken back').toBe(use.removedOn)
    if (!found) continue
    use.id = found.id
    left.delete(found.id)
  }
  expect([...left.values()], 'allocations that the model does not know').toEqual([])
}

async function expectOpenOnEveryDay(model: Model, { world, books }: Real): Promise<void> {
  const lines = await world.database.sql<{ id: string; date: string; amountMinor: bigint }[]>`
    select open_item_id as id, date, sum(amount_minor)::bigint as amount_minor
    from books.journal_lines
    where business_id = ${books.businessId}
      and open_item_id is not null
    group by open_item_id, date`
  const byItem = Map.groupBy(lines, ({ id }) => id)
  for (const item of model.items) {
    const own = byItem.get(item.id) ?? []
    const found = days.map((day) =>
      own.filter(({ date }) => date <= day).reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    )
    const expected = days.map((day) => openOn(model, item, day))
    expect(found, `what is open of a ${item.kind} on every day`).toEqual(expected)
  }
}

async function expectDocuments(model: Model, { world, books }: Real): Promise<void> {
  const { sql } = world.database
  const stored = await sql<(DocumentFacts & { id: string; status: string })[]>`
    select
      id, kind, status, submitted_at, approved_at, posted_at, sent_at, voided_at, total_minor,
      paid_minor, credited_minor, written_off_minor
    from books.documents
    where business_id = ${books.businessId}`
  const events = await sql<{ id: string; count: number }[]>`
    select object_id as id, count(*)::integer as count
    from kernel.events
    where business_id = ${books.businessId}
      and type in ('invoice.paid', 'bill.paid')
    group by object_id`
  const told = new Map(events.map(({ id, count }) => [id, count]))
  const documents = new Map(stored.map((document) => [document.id, document]))
  for (const item of model.items.filter(isDocument)) {
    const document = documents.get(item.id)
    if (!document) throw new Error('a document vanished')
    const amounts = { paidMinor: 0n, creditedMinor: 0n, writtenOffMinor: 0n }
    for (const use of usesOf(model, item).filter(({ removedOn }) => removedOn === undefined)) {
      amounts[usedAs(model, use)] += use.amountMinor
    }
    expect(document).toMatchObject(amounts)
    expect(document.status).toBe(documentStatus(document))
    const { status: before, paidTimes } = model.seen.get(item.id) ?? { status: '', paidTimes: 0 }
    const becomesPaid = document.status === 'paid' && before !== 'paid'
    const seen = { status: document.status, paidTimes: paidTimes + (becomesPaid ? 1 : 0) }
    model.seen.set(item.id, seen)
    expect(told.get(item.id) ?? 0, 'how often it was told that it is paid').toBe(seen.paidTimes)
    model.tally(`${isSale(document.kind) ? 'sale' : 'purchase'} ${document.status}`)
    if (isCredit(document.kind)) model.tally(`credit ${document.status}`)
  }
  const items = await sql<{ id: string; openMinor: bigint; openBaseMinor: bigint }[]>`
    select id, open_minor, open_base_minor
    from books.open_items
    where business_id = ${books.businessId}`
  for (const { id, openMinor, openBaseMinor } of items) {
    const item = model.items.find((one) => one.id === id)
    if (!item) throw new Error('an open item that the model does not know')
    expect(size(openMinor), `what is open of a ${item.kind}`).toBe(openOf(model, item))
    if (openMinor !== 0n) continue
    expect(openBaseMinor, 'what is left in the base currency of something settled').toBe(0n)
    if (item.currency === 'EUR') continue
    const parts = usesOf(model, item).filter(standing).length
    model.tally(`foreign item settled ${parts > 1 ? 'in parts' : 'at once'}`)
  }
}

// Every entry balances, the sequence and the numbers have no gap.
async function expectEntries({ world, books }: Real): Promise<void> {
  const { sql } = world.database
  const unbalanced = await sql`
    select sequence
    from books.journal_lines
    where business_id = ${books.businessId}
    group by sequence
    having sum(base_minor) <> 0`
  expect([...unbalanced], 'entries that do not balance').toEqual([])
  const gaps = await sql`
    select kind, number_period
    from books.documents
    where business_id = ${books.businessId}
      and number is not null
    group by kind, number_period
    having min(number_position) <> 1
      or max(number_position) <> count(*)
      or count(distinct number_position) <> count(*)
    union all
    select 'entry', null
    from books.journal_entries
    where business_id = ${books.businessId}
    having max(sequence) <> count(*)`
  expect([...gaps], 'series with gaps').toEqual([])
}

// The aged reports are the control accounts, and assets are liabilities and equity.
export async function expectReports({ world, books }: Real, asOf: string): Promise<void> {
  const { context, database } = world
  const sheet = await runOperation(reportBalanceSheet, context, books.owner, { asOf })
  expect(toText(sheet.data.check), `assets less liabilities less equity on ${asOf}`).toBe('0')
  for (const [side, sign, codes] of [
    ['receivables', 1n, ['1100']],
    ['payables', -1n, ['2000', '2050']],
  ] as const) {
    const aged = await runOperation(reportAged, context, books.owner, { side, asOf })
    const [row] = await database.sql<{ baseMinor: bigint }[]>`
      select coalesce(sum(base_minor), 0)::bigint as base_minor
      from books.journal_lines
      where business_id = ${books.businessId}
        and account_id = any (${codes.map((code) => books.account(code))}::uuid[])
        and date <= ${asOf}`
    const balance = majorText(sign * (row?.baseMinor ?? 0n), 2)
    expect(toText(aged.data.totals.total, 2), `aged ${side} on ${asOf}`).toBe(balance)
  }
}

// Debian's `ledger` reads the exported journal and comes to the same, in the base currency and in
// each currency.
export async function expectLedger({ world, books }: Real): Promise<void> {
  const pieces: string[] = []
  for await (const piece of listJournalText(world.context, books, 'ledger')) pieces.push(piece)
  const journal = pieces.join('')
  const names = accountNames(await listAccounts(world.database.sql, books))
  const { data } = await runOperation(reportTrialBalance, world.context, books.owner, {
    asOf: '9999-12-31',
  })
  const inBase = data.accounts.filter(({ lifetime }) => lifetime.digits !== 0n)
  expect(await ledgerBalances(journal, true)).toEqual(
    Object.fromEntries(
      inBase.map(({ account_id, lifetime }) => [
        names.get(account_id ?? ''),
        { EUR: toText(lifetime, 2) },
      ]),
    ),
  )
  // What moves nothing but the worth in the base currency is written in that.
  const sums = await world.database.sql<{ id: string; currency: string; minor: bigint }[]>`
    select account_id as id, moved.currency, sum(moved.minor)::bigint as minor
    from books.journal_lines
    cross join lateral (
      select
        case when amount_minor = 0 then 'EUR' else currency end as currency,
        case when amount_minor = 0 then base_minor else amount_minor end as minor
    ) as moved
    where business_id = ${books.businessId}
    group by account_id, moved.currency
    having sum(moved.minor) <> 0`
  const each: LedgerBalances = {}
  for (const { id, currency, minor } of sums) {
    const name = names.get(id) ?? ''
    const decimals = findCurrency(currency)?.decimals ?? 2
    each[name] = { ...each[name], [currency]: majorText(minor, decimals) }
  }
  expect(await ledgerBalances(journal, false)).toEqual(each)
}
