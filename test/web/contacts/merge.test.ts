// Merging two contacts with the pages, and taking them apart again.
import { beforeEach, expect, it } from 'vitest'
import { createContact } from '../../../src/books/contacts/create-contact.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let member: AppVisitor
let keptId: string
let twinId: string

beforeEach(async () => {
  books = await newBooks(world())
  member = await appVisitor(world(), books.businessId, 'member')
  const create = async (name: string, email: string) =>
    (await runOperation(createContact, world().context, books.owner, { name, email })).id
  keptId = await create('Ada Limited', 'ada@example.com')
  twinId = await create('Ada Ltd', 'ada@example.org')
  await create('Bob', 'bob@example.com')
})

const hrefOf = (path: string) => `/b/${books.businessId}${path}`

it('compares both, merges them, and leads to the one that stays', async () => {
  const { id } = await books.draft('invoice', { contactId: twinId })
  const page = await member.get(`/contacts/${twinId}`)
  expect(page.text).toContain(`href="${hrefOf(`/contacts/${twinId}/merge`)}"`)
  const choice = await member.get(`/contacts/${twinId}/merge`)
  expect(choice.text).toContain('Ada Limited (ada@example.com)')
  expect(choice.text).not.toContain('<option value="">Ada Ltd')
  const address = `/contacts/${twinId}/merge?intoId=${keptId}`
  const compared = await member.get(address)
  expect(compared.text).toContain('ada@example.com, as now')
  expect(compared.text).toContain('ada@example.org, from Ada Ltd')
  const done = await member.submit(address, { 'take-email': 'yes' })
  expect(done.headers.get('location')).toBe(hrefOf(`/contacts/${keptId}`))
  const kept = await member.get(`/contacts/${keptId}`)
  expect(kept.text).toContain('Ada Ltd was merged into this contact.')
  expect(kept.text).toContain('ada@example.org')
  expect(kept.text).toContain(`/invoices/${id}`)
  const former = await member.get(`/contacts/${twinId}`)
  expect(former.headers.get('location')).toBe(hrefOf(`/contacts/${keptId}`))
  // The draft names the contact that stays when it is opened again.
  expect((await member.get(`/invoices/${id}/edit`)).text).toContain('value="Ada Limited"')
  const list = (await member.get('/contacts')).text
  expect(list).not.toContain(`/contacts/${twinId}`)
})

it('takes them apart again', async () => {
  await member.submit(`/contacts/${twinId}/merge?intoId=${keptId}`)
  const undo = await member.get(`/contacts/${twinId}/unmerge`)
  expect(undo.text).toContain('Take Ada Ltd and Ada Limited apart')
  const done = await member.submit(`/contacts/${twinId}/unmerge`)
  expect(done.headers.get('location')).toBe(hrefOf(`/contacts/${twinId}`))
  expect((await member.get(`/contacts/${twinId}`)).status).toBe(200)
  expect((await member.get(`/contacts/${twinId}/unmerge`)).status).toBe(404)
})

it('asks again for a contact that can not be chosen', async () => {
  const chosen = await member.get(`/contacts/${twinId}/merge?intoId=${twinId}`)
  expect(chosen.text).toContain('The contact to keep')
  const address = `/contacts/${twinId}/merge?intoId=${keptId}`
  const refused = await member.submit(address, { intoId: twinId })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('The contact to keep')
  expect(refused.text).toContain("can't be merged with itself")
})

it('is not offered to people who only read', async () => {
  const viewer = await appVisitor(world(), books.businessId, 'viewer')
  expect((await viewer.get(`/contacts/${twinId}`)).text).not.toContain('/merge')
  expect((await viewer.get(`/contacts/${twinId}/merge`)).status).toBe(403)
})
