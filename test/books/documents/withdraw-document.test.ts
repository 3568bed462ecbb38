// Withdrawing a submitted document: who can, when, and what is recorded.

import { beforeEach, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { documentKinds } from '../../../src/books/documents/document-status.ts'
import { findDocument } from '../../../src/books/documents/document-store.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { submitDocument } from '../../../src/books/documents/submit-document.ts'
import { withdrawDocument } from '../../../src/books/documents/withdraw-document.ts'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
  await books.set({ approvalsOn: true })
})

async function submitted(kind: (typeof documentKinds)[number] = 'invoice') {
  const author = books.person('member')
  const draft = await books.draft(kind, {}, author)
  return {
    author,
    document: await runOperation(submitDocument, context(), author, { id: draft.id }),
  }
}

it.each(documentKinds)('makes a draft of the %s again, for its author', async (kind) => {
  const { author, document } = await submitted(kind)
  const after = await runOperation(withdrawDocument, context(), author, { id: document.id })
  expect(after).toMatchObject({ status: 'draft', submittedAt: null, version: document.version + 1 })
  const { id, version, contactId } = after
  const line = { description: 'Fixed', unitPrice: '7', accountId: books.account('4000') }
  await runOperation(editDocument, context(), author, {
    id,
    version,
    contactId,
    lines: [line],
  })
  expect((await runOperation(submitDocument, context(), author, { id })).status).toBe(
    'awaiting_approval',
  )
})

it('is for the author, owners, admins and the operator, and no one else', async () => {
  const { document } = await submitted()
  const { businessId, environment } = books
  const scopes = new Set(['read', 'write'])
  const createdBy = document.authorPersonId ?? ''
  const key = {
    kind: 'key',
    keyId: document.id,
    createdBy,
    scopes,
    businessId,
    environment,
  } as const
  const take = (actor: Actor) =>
    runOperation(withdrawDocument, context(), actor, { id: document.id })
  const others = 'Only its author, an owner or an admin can withdraw it.'
  expect([
    await refusal(take(books.person('member'))),
    await refusal(take(books.person('approver'))),
    await refusal(take(books.person('viewer'))),
    await refusal(take(key)),
  ]).toEqual([
    others,
    others,
    'Only an owner, admin, approver or member can do this. Ask one of them.',
    'An API key cannot do this. A person must do it in the application.',
  ])
  const stored = await findDocument(world().database.sql, books, document.id)
  expect(stored).toEqual(document)
  const operator = { kind: 'system', name: 'test', businessId, environment } as const
  for (const actor of [books.person('admin'), books.owner, operator]) {
    expect((await take(actor)).status).toBe('draft')
    await runOperation(submitDocument, context(), books.owner, { id: document.id })
  }
})

it('is for the last author, and no longer for earlier ones', async () => {
  const { author, document } = await submitted()
  const { id, contactId } = await runOperation(withdrawDocument, context(), author, {
    id: document.id,
  })
  const later = books.person('member')
  const line = { description: 'Theirs', unitPrice: '7', accountId: books.account('4000') }
  const form = { contactId, lines: [line] }
  await runOperation(editDocument, context(), later, { id, version: document.version + 1, ...form })
  await runOperation(submitDocument, context(), author, { id })
  expect(await refusal(runOperation(withdrawDocument, context(), author, { id }))).toMatch(
    /^Only its author/,
  )
  expect((await runOperation(withdrawDocument, context(), later, { id })).status).toBe('draft')
})

it('is refused once someone has decided', async () => {
  const { author, document } = await submitted()
  await runOperation(approveDocument, context(), books.person('approver'), { id: document.id })
  expect(
    await refusal(runOperation(withdrawDocument, context(), author, { id: document.id })),
  ).toBe('An invoice that is approved cannot be withdrawn.')
})

it('and an approval at the same moment come one after the other', async () => {
  const { author, document } = await submitted('bill')
  const both = await Promise.allSettled([
    runOperation(approveDocument, context(), books.person('approver'), { id: document.id }),
    runOperation(withdrawDocument, context(), author, { id: document.id }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const stored = await findDocument(world().database.sql, books, document.id)
  const won = both.find(({ status }) => status === 'fulfilled')
  expect(won).toMatchObject({ value: { status: stored?.status, version: stored?.version } })
})

it('is in the audit log, and no event tells of it', async () => {
  const { author, document } = await submitted()
  const { sql } = world().database
  const events = () => sql`select id from kernel.events where business_id = ${books.businessId}`
  const before = await events()
  await runOperation(withdrawDocument, context(), author, { id: document.id })
  expect(await events()).toEqual(before)
  const acts = await sql`
    select action, actor_id
    from kernel.audit_log
    where business_id = ${books.businessId}
      and object_id = ${document.id}
      and action = 'invoice.withdraw'`
  expect(acts).toEqual([{ action: 'invoice.withdraw', actorId: author.personId }])
})
