// What the database itself refuses, in addition to the operations.

import { beforeAll, describe, expect, it } from 'vitest'
import { getDocumentFile } from '../../../src/books/documents/get-document-file.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import type { Parameter } from '../../../src/kernel/db/statement.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const sql = () => world().database.sql
let books: Books
let draftId: string
let issuedId: string
let voidId: string

beforeAll(async () => {
  books = await newBooks(world())
  const issued = async () => {
    const { id } = await books.draft('invoice', { currency: 'EUR' })
    return (await runOperation(issueDocument, world().context, books.owner, { id })).id
  }
  draftId = (await books.draft()).id
  issuedId = await issued()
  voidId = await issued()
  await runOperation(voidDocument, world().context, books.owner, { id: voidId })
})

const change = (id: string, fields: Record<string, Parameter>) => sql()`
  update books.documents
  set ${sql()(fields)}
  where id = ${id}`

const moneyFields = [
  { kind: 'bill' },
  { number: 'INV-2026-00099' },
  { date: '2026-01-01' },
  { currency: 'USD' },
  { fxRate: '2' },
  { subtotalMinor: 0, totalMinor: 0 },
  { snapshot: null },
]

describe('a document in the books', () => {
  it.each(moneyFields)('keeps what it says: %j', async (fields) => {
    await expect(change(issuedId, fields)).rejects.toThrow('is in the books and keeps its money')
  })

  it('is never taken out of them by a change of its row', async () => {
    await expect(
      change(issuedId, { postedAt: null, number: null, numberPeriod: null, numberPosition: null }),
    ).rejects.toThrow('is in the books and keeps its money')
  })

  it('keeps its lines', async () => {
    const refused = 'the lines of what is in the books or void stay'
    await expect(
      sql()`update books.document_lines set description = 'Other' where document_id = ${issuedId}`,
    ).rejects.toThrow(refused)
    await expect(
      sql()`delete from books.document_lines where document_id = ${issuedId}`,
    ).rejects.toThrow(refused)
    await expect(
      sql()`
        insert into books.document_lines
        select (jsonb_populate_record(line, jsonb_build_object(
          'position', 2, 'id', ${world().context.ids.uuid()}::text))).*
        from books.document_lines as line
        where document_id = ${issuedId}`,
    ).rejects.toThrow(refused)
  })
})

it('the file of a document stays the first one', async () => {
  await runOperation(getDocumentFile, world().context, books.owner, { id: issuedId })
  await expect(
    sql()`update books.document_files set content = '' where document_id = ${issuedId}`,
  ).rejects.toThrow(`the file of document ${issuedId} stays as it is`)
  await expect(
    sql()`delete from books.document_files where document_id = ${issuedId}`,
  ).rejects.toThrow(`the file of document ${issuedId} stays as it is`)
})

it('a void document stays as it is', async () => {
  await expect(change(voidId, { voidedAt: null })).rejects.toThrow('is void and stays so')
  await expect(change(voidId, { notes: 'Other' })).rejects.toThrow('is void and stays so')
})

it('no document is deleted, not even a draft', async () => {
  await expect(sql()`delete from books.documents where id = ${draftId}`).rejects.toThrow(
    'documents are never deleted',
  )
})

it('a draft changes freely', async () => {
  await change(draftId, { notes: 'Other' })
  await sql()`update books.document_lines set description = 'Other' where document_id = ${draftId}`
})
