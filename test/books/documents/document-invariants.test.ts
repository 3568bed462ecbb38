// Each invariant of documents holds for documents that operations create, and detects its kind of
// damage.

import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { discardDocument } from '../../../src/books/documents/discard-document.ts'
import { documentKinds, isSale } from '../../../src/books/documents/document-status.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
const sql = () => world().database.sql
let books: Books
let invoiceId: string

beforeAll(async () => {
  books = await newBooks(world())
  const { owner } = books
  for (const kind of documentKinds) {
    const post = (id: string) =>
      isSale(kind)
        ? runOperation(issueDocument, context(), owner, { id })
        : runOperation(approveDocument, context(), owner, { id })
    await books.draft(kind)
    await post((await books.draft(kind)).id)
    const voided = await books.draft(kind)
    await post(voided.id)
    await runOperation(voidDocument, context(), owner, { id: voided.id })
    await runOperation(discardDocument, context(), owner, { id: (await books.draft(kind)).id })
  }
  const line = { description: 'Gift', unitPrice: '0', accountId: books.account('4000') }
  await runOperation(issueDocument, context(), owner, {
    id: (await books.draft('invoice', { lines: [line] })).id,
  })
  const { body } = await world().call('POST', '/books/api/v1/invoices', {
    key: await books.key(),
    headers: { 'idempotency-key': 'order-1' },
    body: { contact_id: (await books.contact()).id, lines: [{ description: 'A', unit_price: 1 }] },
  })
  invoiceId = body.id
})

// Damage that the database itself would refuse.
beforeEach(async () => {
  expect(await brokenInvariants(world().database)).toEqual([])
  await sql()`alter table books.documents disable trigger user`
})

afterEach(async () => {
  await sql()`alter table books.documents enable trigger user`
})

it('an event that is missing is found', async () => {
  const lost = await sql()<{ data: object }[]>`
    delete from kernel.events
    where object_id = ${invoiceId}
    returning *`
  expect(await brokenInvariants(world().database)).toEqual(['I14.31'])
  const rows = lost.map((event) => ({ ...event, data: sql().json(event.data) }))
  await sql()`insert into kernel.events ${sql()(rows)}`
})

it('a key that names something else is found', async () => {
  const change = (from: string, to: string) => sql()`
    update kernel.idempotency_keys
    set object_id = ${to}
    where object_id = ${from}`
  await change(invoiceId, books.businessId)
  expect(await brokenInvariants(world().database)).toContain('I14.30')
  await change(books.businessId, invoiceId)
})

it('a key belongs to one kind of document', async () => {
  const { id: contactId } = await books.contact()
  const lines = [{ description: 'Paper', unitPrice: '1' }]
  const bill = { kind: 'bill', contactId, lines } as const
  const options = { idempotencyKey: 'bill-1' }
  const first = await runOperation(createDocument, context(), books.owner, bill, options)
  const again = await runOperation(createDocument, context(), books.owner, bill, options)
  expect(again.id).toBe(first.id)
  const { status, body } = await world().call('POST', '/books/api/v1/invoices', {
    key: await books.key(),
    headers: { 'idempotency-key': 'bill-1' },
    body: { contact_id: contactId, lines: [{ description: 'Paper', unit_price: 1 }] },
  })
  expect([status, body.kind]).toEqual([201, 'invoice'])
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('a total that is not that of the lines is found', async () => {
  const change = (minor: number) => sql()`
    update books.documents
    set subtotal_minor = subtotal_minor + ${minor}, total_minor = total_minor + ${minor}
    where id = ${invoiceId}`
  await change(1)
  expect(await brokenInvariants(world().database)).toEqual(['I14.32'])
  await change(-1)
})

it('a status that does not follow from the facts is found', async () => {
  const change = (status: string) => sql()`
    update books.documents
    set status = ${status}
    where id = ${invoiceId}`
  await change('approved')
  expect(await brokenInvariants(world().database)).toEqual(['I14.33'])
  await change('draft')
})

it('a document in the books without its entry is found', async () => {
  const { sql: one } = world().database
  const fields = { numberPeriod: 'x', numberPosition: 1n, postedAt: new Date(), status: 'posted' }
  await one`
    update books.documents
    set ${one({ number: 'X-1', ...fields })}
    where id = ${invoiceId}`
  expect(await brokenInvariants(world().database)).toContain('I14.9')
  await one`
    update books.documents
    set number = null, number_period = null, number_position = null, posted_at = null,
      status = 'draft'
    where id = ${invoiceId}`
})
