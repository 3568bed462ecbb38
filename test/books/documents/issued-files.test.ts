// The file of an issued document: requested when it is issued, drawn once, stored with its hash,
// and never changed.

import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drawDocumentJob } from '../../../src/books/documents/draw-document.ts'
import { getDocumentFile } from '../../../src/books/documents/get-document-file.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { sendDocument } from '../../../src/books/documents/send-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { textIn } from '../../support/pdf.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
const sql = () => world().database.sql
let books: Books

beforeAll(async () => {
  books = await newBooks(world())
})

beforeEach(async () => {
  await drain()
})

const drain = () =>
  createWorker({ context: context(), jobs: [drawDocumentJob], schedules: [], slots: 2 }).drain()

async function issued(): Promise<string> {
  const customer = await books.contact({ name: 'Ada Ltd', email: 'ada@example.com' })
  const draft = await books.draft('invoice', { contactId: customer.id })
  return (await runOperation(issueDocument, context(), books.owner, { id: draft.id })).id
}

const file = (id: string, options?: { asIssued: boolean }) =>
  runOperation(getDocumentFile, context(), books.owner, { id, ...options })

async function keptFiles(documentId: string) {
  return sql()<{ content: Buffer; sha256: Buffer; createdAt: Date }[]>`
    select content, sha256, created_at
    from books.document_files
    where document_id = ${documentId}`
}

async function keptActs(documentId: string) {
  return sql()<{ actorId: string; detail: { sha256: string } }[]>`
    select actor_id, detail
    from kernel.audit_log
    where object_id = ${documentId}
      and action = 'document_file.keep'`
}

async function jobsOf(documentId: string): Promise<number> {
  const rows = await sql()`
    select id
    from kernel.jobs
    where unique_key = ${documentId}`
  return rows.length
}

describe('issuing', () => {
  it('orders the file, which a job draws and keeps with its hash, in the audit log too', async () => {
    const id = await issued()
    expect(await jobsOf(id)).toBe(1)
    expect(await keptFiles(id)).toHaveLength(0)
    await drain()
    expect(await jobsOf(id)).toBe(0)
    const [kept] = await keptFiles(id)
    const hash = createHash('sha256').update(kept?.content ?? '')
    expect(kept?.sha256.toString('hex')).toBe(hash.digest('hex'))
    const acts = await keptActs(id)
    expect(acts).toMatchObject([
      { actorId: 'draw-document', detail: { sha256: kept?.sha256.toString('hex') } },
    ])
    expect(Buffer.from((await file(id)).content).equals(kept?.content ?? Buffer.alloc(0))).toBe(
      true,
    )
  })

  it('orders nothing when it is refused, nor for a purchase', async () => {
    const line = { description: 'Work', unitPrice: '100', accountId: books.account('1010') }
    const draft = await books.draft('invoice', { lines: [line] })
    await sql()`update books.accounts set active = false where id = ${books.account('1010')}`
    await expect(
      runOperation(issueDocument, context(), books.owner, { id: draft.id }),
    ).rejects.toThrow('not active')
    await sql()`update books.accounts set active = true where id = ${books.account('1010')}`
    expect(await jobsOf(draft.id)).toBe(0)
  })
})

describe('the file', () => {
  it('is drawn on demand before the job has run, which then leaves it unchanged', async () => {
    const id = await issued()
    await runOperation(sendDocument, context(), books.owner, { id })
    const [before] = await keptFiles(id)
    const [mailed] = await sql()<{ content: Buffer }[]>`
      select content
      from kernel.mail_attachments
      order by mail_id desc
      limit 1`
    expect(mailed?.content.equals(before?.content ?? Buffer.alloc(0))).toBe(true)
    expect(await keptActs(id)).toMatchObject([{ actorId: books.owner.personId }])
    await drain()
    expect(await keptFiles(id)).toEqual([before])
    expect(await keptActs(id)).toHaveLength(1)
  })

  it('is one, of one winner, when several draw it at once', async () => {
    const id = await issued()
    const [files] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => file(id))),
      drain(),
    ])
    const [kept, ...others] = await keptFiles(id)
    expect(others).toEqual([])
    expect(await keptActs(id)).toHaveLength(1)
    for (const { content } of files) {
      expect(Buffer.from(content).equals(kept?.content ?? Buffer.alloc(0))).toBe(true)
    }
  })

  it('is the first one, even for a slower request', async () => {
    const id = await issued()
    const { database } = context()
    const { businessId, environment } = books
    const content = Buffer.from('%PDF-winner')
    const sha256 = createHash('sha256').update(content).digest()
    const slow = {
      ...database,
      async transaction<Value>(work: Parameters<typeof database.transaction<Value>>[0]) {
        const file = { businessId, environment, documentId: id, content, sha256 }
        await sql()`
          insert into books.document_files ${sql()({ ...file, createdAt: new Date() })}`
        return database.transaction(work)
      },
    }
    const given = await runOperation(
      getDocumentFile,
      { ...context(), database: slow },
      books.owner,
      { id },
    )
    expect(Buffer.from(given.content).toString()).toBe('%PDF-winner')
    expect(await keptActs(id)).toEqual([])
  })

  it('is never drawn again, whatever a newer program would draw', async () => {
    const id = await issued()
    await drain()
    const before = await file(id)
    await sql()`alter table books.documents disable trigger user`
    await sql()`
      update books.documents
      set snapshot = jsonb_set(snapshot, '{organisation,name}', '"Another look"')
      where id = ${id}`
    await sql()`alter table books.documents enable trigger user`
    await drain()
    const after = await file(id)
    expect(textIn(after.content)).not.toContain('Another look')
    expect(Buffer.from(after.content).equals(before.content)).toBe(true)
  })

  it('of what is void says so on a copy, and is there as it was issued', async () => {
    const [drawn, undrawn] = [await issued(), await issued()]
    const before = await file(drawn)
    for (const id of [drawn, undrawn])
      await runOperation(voidDocument, context(), books.owner, { id })
    await drain()
    for (const id of [drawn, undrawn]) {
      expect(textIn((await file(id)).content)).toContain('VOID')
      expect(textIn((await file(id, { asIssued: true })).content)).not.toContain('VOID')
    }
    const same = await file(drawn, { asIssued: true })
    expect(Buffer.from(same.content).equals(before.content)).toBe(true)
    const draft = await books.draft('invoice')
    await expect(file(draft.id, { asIssued: true })).rejects.toThrow('It was not issued.')
  })

  it('is not given out when someone has changed it, and the invariants find it', async () => {
    const id = await issued()
    await drain()
    expect(await brokenInvariants(world().database)).toEqual([])
    const change = (content: Uint8Array) => sql()`
      update books.document_files
      set content = ${content}
      where document_id = ${id}`
    const [kept] = await keptFiles(id)
    await sql()`alter table books.document_files disable trigger user`
    await change(Buffer.from('%PDF-forged'))
    await expect(file(id)).rejects.toThrow('the file of a document was changed')
    expect(await brokenInvariants(world().database)).toEqual(['I14.35'])
    await change(kept?.content ?? Buffer.alloc(0))
    await sql()`alter table books.document_files enable trigger user`
  })

  it('that no one will draw any more is found', async () => {
    const id = await issued()
    expect(await brokenInvariants(world().database)).toEqual([])
    const die = (at: Date | null) => sql()`
      update kernel.jobs
      set dead_at = ${at}
      where unique_key = ${id}`
    await die(new Date())
    expect(await brokenInvariants(world().database)).toEqual(['I14.34'])
    await die(null)
  })

  it('cannot be emptied away', async () => {
    await expect(sql()`truncate books.document_files`).rejects.toThrow('stay as they are')
  })
})
