// Components of a tax code on separate accounts, and taxes that are withheld.
import { beforeEach, expect, it } from 'vitest'
import { updateAccount } from '../../../src/books/accounts/update-account.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { updateTaxCode } from '../../../src/books/taxes/update-tax-code.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
})

const withheld = () => [
  { name: 'VAT', rate: '7.5' },
  { name: 'Withheld', rate: '-5', accountId: books.account('1400') },
]

const draft = async (taxCodeId: string, kind: 'invoice' | 'bill' = 'invoice') => {
  const accountId = books.account(kind === 'invoice' ? '4000' : '6300')
  const lines = [{ description: 'Work', unitPrice: '1000', taxCodeId, accountId }]
  return books.draft(kind, { lines })
}

const issue = (id: string) => runOperation(issueDocument, context(), books.owner, { id })

async function booked(sourceId: string) {
  const rows = await world().database.sql<{ text: string }[]>`
    select account.code || ' ' || line.base_minor as text
    from books.journal_entries as entry
    join books.journal_lines as line using (business_id, environment, sequence)
    join books.accounts as account
      on account.business_id = line.business_id
      and account.environment = line.environment
      and account.id = line.account_id
    where entry.source_id = ${sourceId}
    order by entry.sequence, line.position`
  return rows.map(({ text }) => text)
}

it('books what is withheld on its own account, on both sides', async () => {
  const code = await books.taxCode('0', { components: withheld() })
  const invoice = await draft(code.id)
  expect(invoice).toMatchObject({ taxTotalMinor: 25_00n, totalMinor: 1025_00n })
  await issue(invoice.id)
  expect(await booked(invoice.id)).toEqual([
    '1100 102500',
    '4000 -100000',
    '2100 -7500',
    '1400 5000',
  ])
  const bill = await draft(code.id, 'bill')
  await runOperation(approveDocument, context(), books.owner, { id: bill.id })
  expect(await booked(bill.id)).toEqual(['2000 -102500', '6300 100000', '2100 7500', '1400 -5000'])
  await runOperation(voidDocument, context(), books.owner, { id: bill.id })
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('comes back in full with what is written off', async () => {
  const code = await books.taxCode('0', { components: withheld() })
  const { id, date } = await draft(code.id)
  await issue(id)
  const give = (amount?: string) =>
    runOperation(writeOffInvoice, context(), books.owner, {
      ...{ documentId: id, date, claimsTaxRelief: true },
      ...(amount !== undefined && { amount }),
    })
  const part = await give('333.33')
  expect(await booked(part.id)).toEqual(['6800 32520', '1400 -1626', '2100 2439', '1100 -33333'])
  await give()
  const [left] = await world().database.sql`
    select sum(line.base_minor)::integer as minor
    from books.journal_lines as line
    where account_id in (${books.account('1400')}, ${books.account('2100')})`
  expect(left).toEqual({ minor: 0 })
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('must leave something of the price', async () => {
  const make = (...rates: string[]) =>
    books.taxCode('0', {
      components: rates.map((rate) => ({
        ...{ name: rate, rate },
        ...(rate.startsWith('-') && { accountId: books.account('1400') }),
      })),
    })
  expect(await refusal(make('-60', '-40'))).toBe('Together they must be more than -100 %.')
  expect(await refusal(make('-100.01'))).toContain('from -100 to 100')
  expect(await refusal(make('x', '-100'))).toContain('0.rate: Must be a number')
  await make('50', '-100', '-49.9')
})

it('moves to another account with update-tax-code, for documents that follow', async () => {
  const code = await books.taxCode('0', { components: withheld() })
  const { id } = await draft(code.id)
  const change = (...componentAccountIds: (string | null)[]) =>
    runOperation(updateTaxCode, context(), books.owner, { id: code.id, componentAccountIds })
  await runOperation(updateAccount, context(), books.owner, {
    ...{ id: books.account('1400'), active: false },
  })
  expect(await refusal(issue(id))).toBe('1400 Other current assets: The account is not active.')
  expect(await refusal(change(null))).toContain('There are 2 components')
  expect(await refusal(change(null, books.account('1100')))).toContain('a control account')
  const { components } = await change(null, books.account('1300'))
  expect(components).toMatchObject([
    { rate: '7.5' },
    { rate: '-5', accountId: books.account('1300') },
  ])
  await issue(id)
  expect(await booked(id)).toContain('1300 5000')
})

it('is written off with its debt, without tax relief too', async () => {
  const code = await books.taxCode('0', { components: withheld() })
  const { id, date } = await draft(code.id)
  await issue(id)
  const give = (amount?: string, claimsTaxRelief = false) =>
    runOperation(writeOffInvoice, context(), books.owner, {
      ...{ documentId: id, date, claimsTaxRelief },
      ...(amount !== undefined && { amount }),
    })
  const part = await give('512.50')
  expect(await booked(part.id)).toEqual(['6800 53750', '1400 -2500', '1100 -51250'])
  const rest = await give(undefined, true)
  expect(await booked(rest.id)).toEqual(['6800 50000', '1400 -2500', '2100 3750', '1100 -51250'])
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('has its own account', async () => {
  const message = 'A component with a negative rate needs its own account (account_id).'
  const [vat, own] = withheld()
  const create = (rows: (object | undefined)[]) =>
    books.taxCode('0', { components: rows as { name: string; rate: string }[] })
  expect(await refusal(create([vat, { name: 'Withheld', rate: '-5' }]))).toBe(message)
  const accountId = books.account('2100')
  expect(await refusal(create([vat, { ...own, accountId }]))).toBe(message)
  const { id } = await create([vat, own])
  const move = (input: object) =>
    runOperation(updateTaxCode, context(), books.owner, { id, ...input })
  expect(await refusal(move({ componentAccountIds: [null, null] }))).toBe(message)
  expect(await refusal(move({ accountId: books.account('1400') }))).toBe(message)
})

it('is found when a document books another tax than its lines have', async () => {
  const code = await books.taxCode('20')
  const { id } = await draft(code.id)
  await issue(id)
  const { sql } = world().database
  await sql`alter table books.document_lines disable trigger user`
  await sql`
    update books.document_lines
    set tax_minor = tax_minor - 1, net_minor = net_minor + 1
    where document_id = ${id}`
  await sql`alter table books.document_lines enable trigger user`
  expect(await brokenInvariants(world().database)).toContain('I14.37')
})
