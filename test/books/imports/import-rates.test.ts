// The rates in a file of invoices: each applies to one document, instead of the rate of the day.

import { beforeEach, describe, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { importCsv } from '../../../src/books/imports/import-csv.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
  await books.contact({ name: 'Ada' })
  await books.rate('USD', '2026-01-01', '0.9')
})

function take(rows: string, columns = 'invoice,contact,date,currency,fx_rate') {
  const bytes = Buffer.from(`${columns},description,unit_price\n${rows}`)
  return runOperation(importCsv, context(), books.owner, { name: 'invoices', bytes })
}

// One invoice of a row, on a day on which only dollars have a rate.
const stating = (rate: string, currency = 'USD', price = '100') =>
  take(`A-1,Ada,2026-01-10,${currency},${rate},Work,${price}\n`)

async function drafts() {
  return world().database.sql<{ id: string; reference: string; fxRate: string | null }[]>`
    select id, reference, fx_rate
    from books.documents
    where business_id = ${books.businessId}
    order by reference`
}

const rates = async () => (await drafts()).map(({ reference, fxRate }) => [reference, fxRate])

async function issuedAt(): Promise<bigint | undefined> {
  const [draft] = await drafts()
  const { id } = await runOperation(issueDocument, context(), books.owner, { id: draft?.id ?? '' })
  const [item] = await world().database.sql<{ baseMinor: bigint }[]>`
    select base_minor
    from books.open_items
    where id = ${id}`
  return item?.baseMinor
}

describe('a rate in the file', () => {
  it('is that of its invoice alone, is booked, and stands in the audit log', async () => {
    const more = 'A-2,Ada,2026-01-10,USD,,Work,100\n'
    const report = await take(`A-1,Ada,2026-01-10,USD,0.8765,Work,100\n${more}`)
    expect(report).toEqual({ rows: 2, made: 2, problems: [], isKept: true })
    expect(await rates()).toEqual([
      ['A-1', '0.8765'],
      ['A-2', '0.9'],
    ])
    const acts = await world().database.sql`
      select detail
      from kernel.audit_log
      where business_id = ${books.businessId}
        and action = 'invoice.create'
      order by at, id`
    expect(acts.map(({ detail }) => detail)).toEqual([{ fxRate: '0.8765' }, {}])
    expect(await issuedAt()).toBe(8765n)
  })

  it('makes up for a rate that no one has set', async () => {
    expect((await stating('0.0061', 'JPY', '1000')).isKept).toBe(true)
    expect(await issuedAt()).toBe(610n)
  })

  it('is said once; later rows repeat it or leave it out', async () => {
    const row = (rate: string) => `A-1,Ada,2026-01-10,USD,${rate},Work,50\n`
    expect(await take(row('0.8') + row('') + row('0.8'))).toMatchObject({ made: 1, isKept: true })
    expect(await rates()).toEqual([['A-1', '0.8']])
  })

  it.each([
    ['0.8', '0.7'],
    ['', '0.7'],
  ])('is not another one in a later row: %s, then %s', async (first, later) => {
    const row = (rate: string) => `A-1,Ada,2026-01-10,USD,${rate},Work,50\n`
    const { problems, isKept } = await take(row(first) + row(later))
    const message = 'Differs from row 2 of the same invoice.'
    expect(problems).toEqual([{ row: 3, column: 'fx_rate', message }])
    expect(isKept).toBe(false)
    expect(await drafts()).toEqual([])
  })

  it.each([
    ['no number', 'about 1'],
    ['a decimal comma', '"0,9"'],
    ['a percentage', '90%'],
    ['nothing', '0'],
    ['below zero', '-0.9'],
    ['below the least', '0.000000009'],
    ['above the most', '100000000.1'],
    ['eleven decimals', '0.87650000001'],
  ])('is refused with its row, and nothing is kept: %s', async (_, rate) => {
    const good = 'A-0,Ada,2026-01-10,USD,0.9,Work,100\n'
    const { problems, isKept } = await take(`${good}A-1,Ada,2026-01-10,USD,${rate},Work,100\n`)
    const message = 'Must be a number from 0.00000001 to 100000000 with at most 10 decimals.'
    expect(problems).toEqual([{ row: 3, column: 'fx_rate', message }])
    expect(isKept).toBe(false)
    expect(await drafts()).toEqual([])
  })

  it.each([
    ['0.8765000001', '0.8765000001'],
    ['0.87650000000000', '0.8765'],
    ['0.00000001', '0.00000001'],
    ['100000000', '100000000'],
    ['1e-3', '0.001'],
    [' 0.9 ', '0.9'],
  ])('is kept to its last digit: %s', async (rate, kept) => {
    expect((await stating(rate)).problems).toEqual([])
    expect(await rates()).toEqual([['A-1', kept]])
  })

  it('is rounded once, when the invoice is issued', async () => {
    await stating('0.8765000001', 'USD', '123456789.01')
    expect(await issuedAt()).toBe(10_820_987_558n)
  })

  it('that makes an amount too large is refused when the invoice is issued', async () => {
    expect((await stating('100000000', 'USD', '1000000000000')).isKept).toBe(true)
    expect(await refusal(issuedAt())).toContain('too large in EUR. Check the rate.')
  })
})

describe('without a rate in the file', () => {
  it('that of the day stands, and where there is none the draft waits for one', async () => {
    const columns = 'invoice,contact,date,currency'
    const rows = 'A-1,Ada,2026-01-10,USD,Work,100\nA-2,Ada,2026-01-10,JPY,Work,100\n'
    expect(await take(rows, columns)).toMatchObject({ problems: [], isKept: true })
    expect(await rates()).toEqual([
      ['A-1', '0.9'],
      ['A-2', null],
    ])
  })
})

describe('in the base currency', () => {
  it.each(['1', '1.00', ''])('the rate is 1: %j', async (rate) => {
    expect((await stating(rate, 'EUR')).isKept).toBe(true)
    expect(await rates()).toEqual([['A-1', '1']])
  })

  it.each(['EUR', ''])('no other rate is taken, whether %j says so or the contact', async (own) => {
    const { problems } = await stating('0.9', own)
    const message = 'EUR is the base currency; its rate is 1.'
    expect(problems).toEqual([{ row: 2, column: 'fx_rate', message }])
    expect(await drafts()).toEqual([])
  })
})
