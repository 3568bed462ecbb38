// Two contacts that are made one: nothing that was booked changes, and everything that reads finds
// the documents of both under either id.
import { beforeEach, describe, expect, it } from 'vitest'
import { invariants } from '../../../src/app/invariants.ts'
import type { MergeableField } from '../../../src/books/contacts/contact.ts'
import { createContact } from '../../../src/books/contacts/create-contact.ts'
import { getContact } from '../../../src/books/contacts/get-contact.ts'
import { getContactStatement } from '../../../src/books/contacts/get-contact-statement.ts'
import { listContacts } from '../../../src/books/contacts/list-contacts.ts'
import { mergeContacts } from '../../../src/books/contacts/merge-contacts.ts'
import { previewContactMerge } from '../../../src/books/contacts/preview-contact-merge.ts'
import { undoContactMerge } from '../../../src/books/contacts/undo-contact-merge.ts'
import { updateContact } from '../../../src/books/contacts/update-contact.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { searchDocuments } from '../../../src/books/documents/search-documents.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { reportAged } from '../../../src/books/reports/get-aged-report.ts'
import { reportTrialBalance } from '../../../src/books/reports/get-trial-balance.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { Visit } from '../../../src/web/shell/visit.ts'
import { usePaying } from '../../support/paying.ts'

const { world, books, contactId, invoice, pay, refusal } = usePaying()

const run: Visit['run'] = (operation, input) =>
  runOperation(operation, world().context, books().owner, input)

let otherId: string

beforeEach(async () => {
  otherId = (await run(createContact, { name: 'Second Name', email: 'second@example.com' })).id
})

const merge = (id = otherId, intoId = contactId(), take: MergeableField[] = []) =>
  run(mergeContacts, { id, intoId, take })

async function reports() {
  const asOf = '2026-06-30'
  const aged = await run(reportAged, { side: 'receivables', asOf })
  const trial = await run(reportTrialBalance, { asOf })
  return { aged, trial }
}

async function journalLines() {
  return world().database.sql`
    select *
    from books.journal_lines
    where business_id = ${books().tenant.businessId}
    order by sequence, position`
}

it('changes no figure and no line, and lists both as one', async () => {
  const first = await invoice(10000n)
  await invoice(2599n, { contactId: otherId })
  await pay('40', [[first, '40']])
  const [before, linesBefore] = [await reports(), await journalLines()]
  expect(before.aged.data.contacts).toHaveLength(2)
  await merge()
  const [after, linesAfter] = [await reports(), await journalLines()]
  expect(after.trial).toEqual(before.trial)
  expect(after.aged.data.totals).toEqual(before.aged.data.totals)
  expect(linesAfter).toEqual(linesBefore)
  expect(after.aged.data.contacts).toMatchObject([{ contact_id: contactId() }])
  expect(after.aged.data.contacts[0]?.items).toHaveLength(2)
  await books().check()
})

it('finds the documents, the balance and the statement of both under either id', async () => {
  await invoice(10000n)
  await invoice(2599n, { contactId: otherId })
  const { name } = await run(getContact, { id: contactId() })
  await merge()
  for (const id of [contactId(), otherId]) {
    const contact = await run(getContact, { id })
    expect(contact).toMatchObject({ id: contactId(), name })
    expect(contact.balances).toEqual([{ currency: 'EUR', openMinor: 12599n }])
    expect(contact.merged).toEqual([{ id: otherId, name: 'Second Name' }])
    const period = { from: '2026-01-01', to: '2026-12-31' }
    const { currencies } = await run(getContactStatement, { id, ...period })
    expect(currencies).toMatchObject([{ closingMinor: 12599n, lines: [{}, {}] }])
    const { documents } = await run(searchDocuments, { side: 'sales', contactId: id })
    expect(documents.map(({ contactName }) => contactName)).toEqual([name, name])
  }
  for (const text of [name, 'second name']) {
    const { documents } = await run(searchDocuments, { side: 'sales', text })
    expect(documents).toHaveLength(text === name ? 2 : 1)
  }
  const key = (await world().key({ service: 'books', ...books().tenant })).text
  for (const id of [contactId(), otherId]) {
    const { body } = await world().call('GET', `/books/api/v1/invoices?contact_id=${id}`, { key })
    expect(body.data).toHaveLength(2)
  }
})

it('is listed once in the application, also by its former name, and with its link in the API', async () => {
  await merge()
  expect((await run(listContacts, {})).map(({ id }) => id)).not.toContain(otherId)
  expect(await run(listContacts, { search: 'second@' })).toMatchObject([{ id: contactId() }])
  const key = (await world().key({ service: 'books', ...books().tenant })).text
  const { body } = await world().call('GET', '/books/api/v1/contacts', { key })
  const listed = (id: string) => body.data.find((one: { id: string }) => one.id === id)
  expect(listed(otherId)).toMatchObject({ merged_into: contactId(), active: false })
  expect(listed(contactId())).toMatchObject({ active: true })
  expect(listed(contactId())).not.toHaveProperty('merged_into')
})

it('gives new documents of the merged contact to the one that stays', async () => {
  await merge()
  const lines = [{ description: 'Work', unitPrice: '5', accountId: books().accountId('4000') }]
  const made = await run(createDocument, { kind: 'invoice', contactId: otherId, lines })
  expect(made.contactId).toBe(contactId())
  await run(updateContact, { id: otherId, phone: '123' })
  expect(await run(getContact, { id: contactId() })).toMatchObject({ phone: '123' })
})

it('takes over what the person chose, and the kinds of both', async () => {
  const supplier = await run(createContact, {
    name: 'Third',
    isCustomer: false,
    isSupplier: true,
    taxNumber: 'T-3',
    paymentTermsDays: 45,
  })
  const preview = await run(previewContactMerge, { id: supplier.id, intoId: contactId() })
  expect(preview.differences).toEqual(['name', 'taxNumber', 'paymentTermsDays'])
  const before = await run(getContact, { id: contactId() })
  await merge(supplier.id, contactId(), ['taxNumber'])
  expect(await run(getContact, { id: contactId() })).toMatchObject({
    name: before.name,
    taxNumber: 'T-3',
    paymentTermsDays: before.paymentTermsDays,
    isCustomer: true,
    isSupplier: true,
  })
})

it('shows what both have before they are merged', async () => {
  const first = await invoice(10000n)
  await pay('40', [[first, '40']])
  await invoice(2599n, { contactId: otherId })
  const { merged, kept } = await run(previewContactMerge, { id: otherId, intoId: contactId() })
  expect(kept.use).toEqual({ documents: 1, quotes: 0, payments: 1, currencies: ['EUR'] })
  expect(merged).toMatchObject({
    use: { documents: 1, quotes: 0, payments: 0 },
    balances: [{ currency: 'EUR', openMinor: 2599n }],
  })
})

describe('a credit of one and an invoice of the other', () => {
  it('settle each other once both are merged, and then hold them together', async () => {
    const own = await invoice(10000n)
    const credit = await invoice(3000n, { kind: 'credit_note', contactId: otherId })
    const use = { creditId: credit, documentId: own, date: '2026-01-21' }
    expect(await refusal(run(allocateCredit, use))).toContain('different contacts')
    await merge()
    await run(allocateCredit, use)
    await books().check()
    expect((await run(getContact, { id: otherId })).balances).toEqual([
      { currency: 'EUR', openMinor: 7000n },
    ])
    expect(await refusal(run(undoContactMerge, { id: otherId }))).toContain('Take that back first')
  })

  it('are settled by one payment', async () => {
    const [own, other] = [await invoice(1000n), await invoice(500n, { contactId: otherId })]
    await merge()
    await pay('15', [
      [own, '10'],
      [other, '5'],
    ])
    await books().check()
    expect((await run(getContact, { id: contactId() })).balances).toEqual([])
  })
})

describe('undoing', () => {
  it('takes both apart again', async () => {
    await invoice(10000n)
    await invoice(2599n, { contactId: otherId })
    const before = await reports()
    await merge()
    expect(await run(undoContactMerge, { id: otherId })).toMatchObject({
      name: 'Second Name',
      mergedInto: null,
    })
    expect(await reports()).toEqual(before)
    expect(await refusal(run(undoContactMerge, { id: otherId }))).toContain('is not merged')
  })
})

describe('refuses', () => {
  it('a contact with itself, also by its former id', async () => {
    expect(await refusal(merge(contactId(), contactId()))).toContain('with itself')
    await merge()
    expect(await refusal(merge(contactId(), otherId))).toContain('with itself')
    expect(await refusal(merge(otherId, contactId()))).toContain('already')
  })

  it('what is not there', async () => {
    const unknown = world().context.ids.uuid()
    expect(await refusal(merge(unknown))).toContain('contact')
    expect(await refusal(merge(otherId, unknown))).toContain('No such contact')
  })

  it('people who may not change contacts', async () => {
    const viewer = books().person('viewer')
    const merging = runOperation(mergeContacts, world().context, viewer, {
      id: otherId,
      intoId: contactId(),
    })
    expect(await refusal(merging)).not.toBe('')
  })
})

it('makes no chains: what was merged before follows', async () => {
  const last = await run(createContact, { name: 'Last' })
  await merge()
  await merge(contactId(), last.id)
  for (const id of [otherId, contactId()]) {
    expect((await run(getContact, { id })).id).toBe(last.id)
  }
  // A merged contact as the target stands for the last one.
  const fourth = await run(createContact, { name: 'Fourth' })
  await merge(fourth.id, otherId)
  expect((await run(getContact, { id: fourth.id })).id).toBe(last.id)
  await books().check()
})

it('is told by an invariant if a settlement crosses two contacts', async () => {
  const own = await invoice(10000n)
  const credit = await invoice(3000n, { kind: 'credit_note', contactId: otherId })
  await merge()
  await run(allocateCredit, { creditId: credit, documentId: own, date: '2026-01-21' })
  const { sql } = world().database
  const broken = async () => {
    const invariant = invariants.find(({ id }) => id === 'I14.27')
    const found = await invariant?.violations(sql, world().context.clock.now())
    return found?.filter(({ businessId }) => businessId === books().tenant.businessId)
  }
  expect(await broken()).toEqual([])
  const apart = (id: string | null) => sql`
    update books.contacts
    set merged_into = ${id}
    where business_id = ${books().tenant.businessId}
      and id = ${otherId}`
  await apart(null)
  expect(await broken()).toHaveLength(1)
  await apart(contactId())
})

it('is in the audit log', async () => {
  await merge()
  await run(undoContactMerge, { id: otherId })
  const acts = await world().database.sql<{ action: string; detail: unknown }[]>`
    select action, detail
    from kernel.audit_log
    where business_id = ${books().tenant.businessId}
      and action in ('contact.merge', 'contact.unmerge')
    order by id`
  expect(acts).toMatchObject([
    { action: 'contact.merge', detail: { mergedId: otherId, mergedName: 'Second Name' } },
    { action: 'contact.unmerge', detail: { mergedId: otherId } },
  ])
})
