// Tax relief of write-offs that are removed in any order, beside payments, in the books themselves:
// in every currency it is never more than was posted, and exactly that in the end.

import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import type { Document } from '../../../src/books/documents/document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { writeOffBill } from '../../../src/books/payments/write-off-bill.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
const date = '2026-02-01'
let books: Books
let taxCodeIds: string[]

beforeEach(async () => {
  books = await newBooks(world())
  taxCodeIds = [(await books.taxCode('19')).id, (await books.taxCode('7.7')).id]
})

const text = (minor: bigint, currency: string) =>
  majorText(minor, findCurrency(currency)?.decimals ?? 2)

type Wanted = {
  readonly kind: 'invoice' | 'bill'
  readonly currency: string
  readonly fxRate?: string
  readonly prices: readonly string[]
}

async function post({ kind, prices, ...wanted }: Wanted): Promise<Document> {
  const lines = prices.map((unitPrice, index) => ({
    description: 'Work',
    unitPrice,
    taxCodeId: taxCodeIds[index % taxCodeIds.length],
  }))
  const { id } = await books.draft(kind, { ...wanted, lines, date: '2026-01-10' })
  return kind === 'invoice'
    ? runOperation(issueDocument, context(), books.owner, { id })
    : runOperation(approveDocument, context(), books.owner, { id })
}

async function giveUp({ id, kind, currency }: Document, minor?: bigint, claimsTaxRelief = true) {
  const amount = minor === undefined ? undefined : text(minor, currency)
  const about = { documentId: id, date, claimsTaxRelief, ...(amount && { amount }) }
  if (kind === 'invoice') return runOperation(writeOffInvoice, context(), books.owner, about)
  const accountId = books.account('6300')
  return runOperation(writeOffBill, context(), books.owner, { ...about, accountId })
}

const pay = ({ id, kind, contactId, currency }: Document, minor: bigint) =>
  runOperation(recordPayment, context(), books.owner, {
    ...{ direction: kind === 'invoice' ? 'in' : 'out', contactId, date, currency },
    ...(currency !== 'EUR' && { baseAmount: '1.11' }),
    ...{ amount: text(minor, currency), accountId: books.account('1000') },
    allocations: [{ itemId: id, amount: text(minor, currency) }],
  })

const remove = (paymentId: string) =>
  runOperation(removePayment, context(), books.owner, { paymentId, date })

const openOf = async ({ id }: Document) => {
  const [row] = await world().database.sql<{ openMinor: bigint }[]>`
    select abs(open_minor) as open_minor
    from books.open_items
    where id = ${id}`
  return row?.openMinor ?? 0n
}

// What each tax code has on its account: what the document booked, and what has come back of it.
async function taxes({ id }: Document) {
  return world().database.sql<
    { booked: bigint; back: bigint; bookedBase: bigint; backBase: bigint }[]
  >`
    select
      coalesce(sum(amount_minor) filter (where source_id = ${id}), 0)::bigint as booked,
      coalesce(sum(amount_minor) filter (where source_id <> ${id}), 0)::bigint as back,
      coalesce(sum(base_minor) filter (where source_id = ${id}), 0)::bigint as booked_base,
      coalesce(sum(base_minor) filter (where source_id <> ${id}), 0)::bigint as back_base
    from books.journal_lines as line
    join books.journal_entries as entry using (business_id, environment, sequence)
    where business_id = ${books.businessId}
      and line.tax_code_id is not null
      and line.description is null
    group by line.tax_code_id
    order by line.tax_code_id`
}

const isWithin = (back: bigint, booked: bigint) =>
  booked < 0n ? back >= 0n && back <= -booked : back <= 0n && back >= -booked

async function expectWithin(document: Document): Promise<void> {
  for (const tax of await taxes(document)) {
    expect(isWithin(tax.back, tax.booked), `${tax.back} of ${tax.booked}`).toBe(true)
    expect(isWithin(tax.backBase, tax.bookedBase), `${tax.backBase} in the base`).toBe(true)
  }
}

async function expectBack(document: Document, isAll: boolean): Promise<void> {
  for (const tax of await taxes(document)) {
    expect([tax.back, tax.backBase]).toEqual(isAll ? [-tax.booked, -tax.bookedBase] : [0n, 0n])
  }
}

it('a write-off after a part in the middle was removed takes the rest', async () => {
  // 3.00 with 0.50 of tax: three parts take 0.17, 0.16 and 0.17.
  taxCodeIds = [(await books.taxCode('20')).id]
  const document = await post({ kind: 'invoice', currency: 'EUR', prices: ['2.50'] })
  const parts = [await giveUp(document, 100n), await giveUp(document, 100n)]
  await giveUp(document, 100n)
  await remove(parts[1]?.id ?? '')
  await giveUp(document)
  expect(await taxes(document)).toMatchObject([{ booked: -50n, back: 50n }])
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('what claims no relief takes none, and leaves none of it to the others', async () => {
  taxCodeIds = [(await books.taxCode('20')).id]
  const document = await post({ kind: 'invoice', currency: 'EUR', prices: ['2.50'] })
  await giveUp(document, 200n, false)
  await giveUp(document)
  expect(await taxes(document)).toMatchObject([{ booked: -50n, back: 17n }])
})

const wanted = fc.record({
  kind: fc.constantFrom('invoice', 'bill'),
  money: fc.constantFrom(
    { currency: 'EUR' },
    { currency: 'USD', fxRate: '0.8765' },
    { currency: 'JPY', fxRate: '0.0061' },
    { currency: 'KWD', fxRate: '2.9437' },
  ),
  prices: fc.constantFrom(
    ['33', '0.07', '12.5'],
    ['100', '-31', '5', '7'],
    ['1'],
    ['0.83', '0.83', '0.83'],
    ['250', '-249'],
  ),
  steps: fc.array(
    fc.record({
      what: fc.constantFrom('claim', 'claim', 'claim', 'plain', 'pay', 'remove', 'remove'),
      roll: fc.nat({ max: 1_000_000 }),
    }),
    { minLength: 8, maxLength: 14 },
  ),
})

// Many steps of a real database; the limit only ends what hangs.
const timeout = 600_000

it('whatever is given up, paid and removed, the tax that came back is exact', {
  timeout,
}, async () => {
  const property = fc.asyncProperty(wanted, async ({ kind, money, prices, steps }) => {
    books = await newBooks(world())
    taxCodeIds = [(await books.taxCode('19')).id, (await books.taxCode('7.7')).id]
    const document = await post({ kind, prices, ...money })
    if (document.totalMinor === 0n) return
    let standing: string[] = []
    for (const { what, roll } of steps) {
      const openMinor = await openOf(document)
      if (what === 'remove') {
        const paymentId = standing[roll % (standing.length || 1)]
        if (paymentId === undefined) continue
        await remove(paymentId)
        standing = standing.filter((id) => id !== paymentId)
      } else if (openMinor > 0n) {
        const minor = 1n + (BigInt(roll) % openMinor)
        const made =
          what === 'pay' ? pay(document, minor) : giveUp(document, minor, what === 'claim')
        standing.push((await made).id)
      }
      await expectWithin(document)
    }
    for (const id of standing) await remove(id)
    await expectBack(document, false)
    // In two parts from the beginning, one of them taken back and given up again.
    const half = (document.totalMinor + 1n) / 2n
    const { id } = await giveUp(document, half)
    if ((await openOf(document)) > 0n) {
      await giveUp(document)
      await remove(id)
      await giveUp(document)
    }
    await expectBack(document, true)
  })
  await fc.assert(property, { numRuns: 12 })
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('counts write-offs from before, whose entries do not say that they claim relief', async () => {
  taxCodeIds = [(await books.taxCode('20')).id]
  const document = await post({ kind: 'invoice', currency: 'EUR', prices: ['2.50'] })
  const parts = [await giveUp(document, 100n), await giveUp(document, 100n)]
  const { sql } = world().database
  await sql`alter table books.journal_entries disable trigger user`
  await sql`
    update books.journal_entries
    set kind = 'debt.written_off'
    where source_id = any (${parts.map(({ id }) => id)}::uuid[])`
  await sql`alter table books.journal_entries enable trigger user`
  await giveUp(document)
  expect(await taxes(document)).toMatchObject([{ booked: -50n, back: 50n }])
  // A changed journal is detected.
  expect(await brokenInvariants(world().database)).toEqual(['I14.3'])
})
