// Every operation in every state of every kind, with approvals on and off: allowed ones lead to the
// right state, others are refused and change nothing.

import { describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { changeDueDate } from '../../../src/books/documents/change-due-date.ts'
import { discardDocument } from '../../../src/books/documents/discard-document.ts'
import type { Document } from '../../../src/books/documents/document.ts'
import {
  type DocumentKind,
  type DocumentStatus,
  documentKinds,
  isCredit,
  isSale,
} from '../../../src/books/documents/document-status.ts'
import { findDocument } from '../../../src/books/documents/document-store.ts'
import type { DocumentOperation } from '../../../src/books/documents/document-transition.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { markDocumentSent } from '../../../src/books/documents/mark-document-sent.ts'
import { reopenDocument } from '../../../src/books/documents/reopen-document.ts'
import { returnDocument } from '../../../src/books/documents/return-document.ts'
import { settleDocument } from '../../../src/books/documents/settle-document.ts'
import { submitDocument } from '../../../src/books/documents/submit-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { withdrawDocument } from '../../../src/books/documents/withdraw-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context

type Allowed = Partial<Record<DocumentOperation, DocumentStatus>>

// Where each operation leads, by the state that it starts in.
function table(kind: DocumentKind, approvalsOn: boolean): [DocumentStatus, Allowed][] {
  const ready: Allowed = isSale(kind) ? { issue: 'posted' } : { approve: 'approved' }
  const begun: [DocumentStatus, Allowed][] = [
    [
      'draft',
      {
        edit: 'draft',
        discard: 'void',
        ...(approvalsOn ? { submit: 'awaiting_approval' } : ready),
      },
    ],
    [
      'awaiting_approval',
      { withdraw: 'draft', return: 'draft', approve: 'approved', discard: 'void' },
    ],
  ]
  const send = (to: DocumentStatus): Allowed => ({
    ...(isSale(kind) && { send: to }),
    change_due_date: to,
  })
  const settled: [DocumentStatus, Allowed][] = [
    ['partially_paid', send('partially_paid')],
    ...(isCredit(kind) ? [] : ([['paid', send('paid')]] as [DocumentStatus, Allowed][])),
    ['closed', send('closed')],
    ['void', {}],
  ]
  const voidable = { void: 'void' } as const
  if (!isSale(kind)) {
    return [...begun, ['approved', { ...voidable, change_due_date: 'approved' }], ...settled]
  }
  return [
    ...begun,
    ['approved', { reopen: 'draft', issue: 'posted', discard: 'void' }],
    ['posted', { send: 'sent', ...voidable, change_due_date: 'posted' }],
    ['sent', { send: 'sent', ...voidable, change_due_date: 'sent' }],
    ...settled,
  ]
}

const operations: Record<
  DocumentOperation,
  (books: Books, document: Document) => Promise<Document>
> = {
  edit: async ({ owner, account }, { id, version, contactId }) => {
    const line = { description: 'Other', unitPrice: '7', accountId: account('4000') }
    const form = { contactId, lines: [line] }
    return runOperation(editDocument, context(), owner, { id, version, ...form })
  },
  submit: ({ owner }, { id }) => runOperation(submitDocument, context(), owner, { id }),
  withdraw: ({ owner }, { id }) => runOperation(withdrawDocument, context(), owner, { id }),
  return: ({ owner }, { id }) =>
    runOperation(returnDocument, context(), owner, { id, reason: 'No' }),
  approve: ({ owner }, { id }) => runOperation(approveDocument, context(), owner, { id }),
  reopen: ({ owner }, { id }) => runOperation(reopenDocument, context(), owner, { id }),
  issue: ({ owner }, { id }) => runOperation(issueDocument, context(), owner, { id }),
  send: ({ owner }, { id }) => runOperation(markDocumentSent, context(), owner, { id }),
  change_due_date: ({ owner }, { id }) =>
    runOperation(changeDueDate, context(), owner, { id, dueDate: '2099-12-31' }),
  void: ({ owner }, { id }) => runOperation(voidDocument, context(), owner, { id }),
  discard: ({ owner }, { id }) => runOperation(discardDocument, context(), owner, { id }),
}

// A document that has come to the state by the operations that lead there.
async function inState(books: Books, kind: DocumentKind, status: DocumentStatus) {
  await books.set({ approvalsOn: true })
  let document: Document = await books.draft(kind, {}, books.person('member'))
  const go = async (operation: DocumentOperation) => {
    document = await operations[operation](books, document)
  }
  const settle = async (amounts: Parameters<typeof settleDocument>[4]) => {
    document = await context().database.transaction((tx) =>
      settleDocument(tx, context(), books.owner, document.id, amounts),
    )
  }
  if (status === 'draft') return document
  await go('submit')
  if (status === 'awaiting_approval') return document
  await go('approve')
  if (status === 'approved') return document
  if (isSale(kind)) await go('issue')
  if (status === 'sent') await go('send')
  if (status === 'void') await go('void')
  if (status === 'partially_paid') await settle({ paidMinor: 1n })
  if (status === 'paid') await settle({ paidMinor: 9_000n, creditedMinor: 1_000n })
  if (status === 'closed') await settle({ creditedMinor: 6_000n, writtenOffMinor: 4_000n })
  return document
}

const cases = documentKinds.flatMap((kind) =>
  [true, false].flatMap((approvalsOn) =>
    table(kind, approvalsOn).map(([status, allowed]) => ({ kind, approvalsOn, status, allowed })),
  ),
)

let shared: Promise<Books> | undefined

describe.each(documentKinds)('%s', (kind) => {
  const own = cases.filter((one) => one.kind === kind)

  it.each(own)(
    'that is $status, approvals on: $approvalsOn, allows exactly what the table says',
    async ({ status, approvalsOn, allowed }) => {
      shared ??= newBooks(world())
      const books = await shared
      const names = Object.keys(operations) as DocumentOperation[]
      const still = await inState(books, kind, status)
      expect(still.status).toBe(status)
      await books.set({ approvalsOn })
      for (const name of names.filter((one) => !(one in allowed))) {
        const refused = operations[name](books, still)
        await expect(refused, name).rejects.toMatchObject({ kind: 'conflict' })
      }
      expect(await findDocument(world().database.sql, books, still.id)).toMatchObject({
        status,
        version: still.version,
      })
      for (const [name, to] of Object.entries(allowed)) {
        const document = await inState(books, kind, status)
        await books.set({ approvalsOn })
        const after = await operations[name as DocumentOperation](books, document)
        expect(after.status, name).toBe(to)
        const stored = await findDocument(world().database.sql, books, document.id)
        expect(stored, name).toMatchObject({ status: to, version: document.version + 1 })
      }
    },
  )

  it('that was discarded stays so, without a number', async () => {
    const books = await newBooks(world())
    const draft = await books.draft(kind)
    const discarded = await runOperation(discardDocument, context(), books.owner, { id: draft.id })
    for (const name of Object.keys(operations) as DocumentOperation[]) {
      await expect(operations[name](books, discarded)).rejects.toMatchObject({ kind: 'conflict' })
    }
    expect(discarded).toMatchObject({ status: 'void', number: null })
  })

  it('of no one, or of another organisation, is not found', async () => {
    const books = await newBooks(world())
    const other = await newBooks(world())
    const stranger = await other.draft(kind)
    for (const name of Object.keys(operations) as DocumentOperation[]) {
      await expect(operations[name](books, stranger)).rejects.toMatchObject({ kind: 'not_found' })
    }
  })
})
