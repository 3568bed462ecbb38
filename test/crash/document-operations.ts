// Documents that are posted and voided.

import { expect } from 'vitest'
import { findDocument } from '../../src/books/documents/document-store.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../support/documents.ts'
import type { Lane } from './lane.ts'
import { operation } from './sweep.ts'

type Subject = { readonly books: Books; readonly id: string }

export const documentOperations = [
  operation({
    name: 'an invoice is issued',
    setUp: (lane) => subject(lane, 'invoice'),
    run: (lane, one) => command(lane, one, 'issue'),
    again: (lane, one) => goOn(lane, one, 'draft', 'issue'),
    end: (lane, one) =>
      expectBooks(lane, one, {
        status: 'posted',
        number: 'INV-2026-00001',
        events: ['invoice.created', 'invoice.issued'],
        entries: ['invoice.issued'],
        files: 1,
      }),
    effects,
  }),
  operation({
    name: 'a bill is approved',
    setUp: (lane) => subject(lane, 'bill'),
    run: (lane, one) => command(lane, one, 'approve'),
    again: (lane, one) => goOn(lane, one, 'draft', 'approve'),
    end: (lane, one) =>
      expectBooks(lane, one, {
        status: 'approved',
        number: 'BILL-2026-00001',
        events: ['bill.created', 'bill.approved'],
        entries: ['bill.approved'],
        files: 0,
      }),
    effects,
  }),
  operation({
    name: 'an invoice is voided',
    async setUp(lane) {
      const one = await subject(lane, 'invoice')
      await runOperation(issueDocument, lane.world.context, one.books.owner, { id: one.id })
      return one
    },
    run: (lane, one) => command(lane, one, 'void'),
    again: (lane, one) => goOn(lane, one, 'posted', 'void'),
    end: (lane, one) =>
      expectBooks(lane, one, {
        status: 'void',
        number: 'INV-2026-00001',
        events: ['invoice.created', 'invoice.issued', 'invoice.voided'],
        entries: ['invoice.issued', 'invoice.voided'],
        files: 1,
      }),
    effects,
  }),
]

async function subject({ world }: Lane, kind: 'invoice' | 'bill'): Promise<Subject> {
  const books = await newBooks(world)
  return { books, id: (await books.draft(kind, { date: '2026-03-01' })).id }
}

async function command(lane: Lane, { books, id }: Subject, name: string): Promise<void> {
  const input = JSON.stringify({ id })
  const { businessId } = books
  const args = ['books', 'do', `${name}-document`, '--business', businessId, '--input', input]
  expect(await lane.cli(args, ''), 'the command was killed').toBe(0)
}

// After a crash, the caller first looks at the outcome.
async function goOn(lane: Lane, one: Subject, before: string, name: string): Promise<void> {
  const document = await findDocument(lane.world.database.sql, one.books, one.id)
  if (document?.status === before) await command(lane, one, name)
}

async function expectBooks(
  { world }: Lane,
  { books, id }: Subject,
  expected: {
    status: string
    number: string
    events: string[]
    entries: string[]
    // Each of which the audit log tells of.
    files: number
  },
): Promise<void> {
  const { sql } = world.database
  const document = await findDocument(sql, books, id)
  const events = await sql<{ type: string }[]>`
    select type
    from kernel.events
    where business_id = ${books.businessId}
      and object_id = ${id}
    order by id`
  const entries = await sql<{ kind: string }[]>`
    select kind
    from books.journal_entries
    where business_id = ${books.businessId}
    order by sequence`
  const files = await sql`
    select file.document_id
    from books.document_files as file
    join kernel.audit_log as act
      on act.business_id = file.business_id
      and act.object_id = file.document_id::text
      and act.action = 'document_file.keep'
    where file.business_id = ${books.businessId}`
  expect({
    status: document?.status,
    number: document?.number,
    events: events.map(({ type }) => type),
    entries: entries.map(({ kind }) => kind),
    files: files.length,
  }).toEqual(expected)
}

// The provider has no part in it.
function effects(_lane: Lane, { books: { businessId, environment }, id }: Subject) {
  return { tenant: { businessId, environment }, reference: id, counts: {} }
}
