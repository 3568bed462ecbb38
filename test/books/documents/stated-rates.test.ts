// The rate that a person states for a single document.

import { beforeEach, describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import type { DocumentKind } from '../../../src/books/documents/document-status.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { reopenDocument } from '../../../src/books/documents/reopen-document.ts'
import { setApprovalLimit } from '../../../src/books/documents/set-approval-limit.ts'
import { submitDocument } from '../../../src/books/documents/submit-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, type DocumentForm, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books
let form: DocumentForm

beforeEach(async () => {
  books = await newBooks(world())
  await books.rate('USD', '2026-01-01', '0.9')
  const line = { description: 'Work', unitPrice: '33.33' }
  form = {
    contactId: (await books.contact()).id,
    date: '2026-01-10',
    currency: 'USD',
    lines: [line, line, line],
  }
})

const create = (input: object = {}, kind: DocumentKind = 'invoice') =>
  runOperation(createDocument, context(), books.owner, { kind, ...form, ...input })
const issue = (id: string, input = {}) =>
  runOperation(issueDocument, context(), books.owner, { id, ...input })

async function details(id: string) {
  const rows = await world().database.sql<{ action: string; detail: object }[]>`
    select action, detail
    from kernel.audit_log
    where object_id = ${id}
    order by at, id`
  return rows.map(({ action, detail }) => [action, detail])
}

async function receivableBase(id: string): Promise<bigint | undefined> {
  const [row] = await world().database.sql<{ baseMinor: bigint }[]>`
    select base_minor
    from books.open_items
    where id = ${id}`
  return row?.baseMinor
}

describe('a rate that is stated', () => {
  it('with the draft is booked to the last digit, and stands in the audit log', async () => {
    const { id, fxRate } = await create({ fxRate: '0.8765000001' })
    expect(fxRate).toBe('0.8765000001')
    const issued = await issue(id)
    expect(issued.fxRate).toBe('0.8765000001')
    expect(await receivableBase(id)).toBe(8764n)
    expect(await details(id)).toMatchObject([
      ['invoice.create', { fxRate: '0.8765000001' }],
      ['invoice.issue', { number: issued.number }],
    ])
  })

  it('with an edit takes the place of the one before; an edit without one takes that of the day', async () => {
    const draft = await create({ fxRate: '0.8' })
    const edit = (version: number, input = {}) =>
      runOperation(editDocument, context(), books.owner, {
        id: draft.id,
        version,
        ...form,
        ...input,
      })
    const stated = await edit(1, { fxRate: '0.85' })
    expect(stated.fxRate).toBe('0.85')
    expect((await edit(stated.version)).fxRate).toBe('0.9')
    expect(await details(draft.id)).toEqual([
      ['invoice.create', { fxRate: '0.8' }],
      ['invoice.edit', { fxRate: '0.85' }],
      ['invoice.edit', {}],
    ])
  })

  it('with the issue takes the place of the rate of the draft, also where none is known', async () => {
    const { id } = await create()
    const issued = await issue(id, { fxRate: '0.95' })
    expect(issued.fxRate).toBe('0.95')
    expect(await receivableBase(id)).toBe(9499n)
    expect((await details(id)).at(-1)).toEqual([
      'invoice.issue',
      { number: issued.number, fxRate: '0.95' },
    ])
    const unknown = await create({ currency: 'KES' })
    expect(unknown.fxRate).toBeNull()
    expect(await refusal(issue(unknown.id))).toContain('No rate from KES to EUR is known')
    expect((await issue(unknown.id, { fxRate: '0.0067' })).fxRate).toBe('0.0067')
  })

  it('with the approval of a purchase that no one submitted is booked', async () => {
    const { id } = await create({}, 'bill')
    const bill = await runOperation(approveDocument, context(), books.owner, { id, fxRate: '1.25' })
    expect(bill.fxRate).toBe('1.25')
    expect(await receivableBase(id)).toBe(-12499n)
  })

  it('leaves the rate of the day as it is', async () => {
    await issue((await create({ fxRate: '0.5' })).id)
    expect((await create()).fxRate).toBe('0.9')
  })
})

describe('a rate that no one has stated', () => {
  it('is that of the date as it is known when the document is posted', async () => {
    const { id } = await create()
    const bill = await create({}, 'bill')
    await books.rate('USD', '2026-01-10', '0.95')
    const path = `/books/api/v1/invoices/${id}`
    const { body } = await world().call('GET', path, { key: await books.key() })
    expect(body.fx_rate).toBe(0.95)
    expect((await issue(id)).fxRate).toBe('0.95')
    expect(await receivableBase(id)).toBe(9499n)
    const approved = await runOperation(approveDocument, context(), books.owner, { id: bill.id })
    expect(approved.fxRate).toBe('0.95')
  })

  it('is fixed when the document is submitted, since reviewers see it', async () => {
    await books.set({ approvalsOn: true, fourEyesOn: false })
    const { id } = await create()
    await books.rate('USD', '2026-01-10', '0.95')
    const submitted = await runOperation(submitDocument, context(), books.owner, { id })
    expect(submitted.fxRate).toBe('0.95')
    await books.rate('USD', '2026-01-10', '0.99')
    await runOperation(approveDocument, context(), books.owner, { id })
    expect((await issue(id)).fxRate).toBe('0.95')
  })
})

describe('what was submitted', () => {
  beforeEach(() => books.set({ approvalsOn: true, fourEyesOn: false }))

  it('keeps the rate that others have looked at', async () => {
    const message = 'It was submitted with its rate. To change the rate, return or reopen it first.'
    const bill = await create({}, 'bill')
    await runOperation(submitDocument, context(), books.owner, { id: bill.id })
    const approve = (id: string, input = {}) =>
      runOperation(approveDocument, context(), books.owner, { id, ...input })
    expect(await refusal(approve(bill.id, { fxRate: '2' }))).toBe(message)
    const invoice = await create()
    await runOperation(submitDocument, context(), books.owner, { id: invoice.id })
    expect(await refusal(approve(invoice.id, { fxRate: '2' }))).toBe(message)
    await approve(invoice.id)
    expect(await refusal(issue(invoice.id, { fxRate: '2' }))).toBe(message)
    await runOperation(reopenDocument, context(), books.owner, { id: invoice.id })
    await books.set({ approvalsOn: false })
    expect((await issue(invoice.id, { fxRate: '2' })).fxRate).toBe('2')
  })
})

describe('the limit of an approver', () => {
  const approver = async () => {
    const person = books.person('approver')
    const { personId } = person
    await runOperation(setApprovalLimit, context(), books.owner, { personId, limit: '50' })
    return person
  }
  beforeEach(() => books.set({ approvalsOn: true, fourEyesOn: false }))

  it.each(['invoice', 'bill'] as const)('is not passed by a low rate on %s', async (kind) => {
    const person = await approver()
    const document = await runOperation(createDocument, context(), person, {
      kind,
      ...form,
      fxRate: '0.1',
    })
    await runOperation(submitDocument, context(), person, { id: document.id })
    const message = 'Above your approval limit of 50 EUR.'
    expect(
      await refusal(runOperation(approveDocument, context(), person, { id: document.id })),
    ).toBe(message)
    await runOperation(approveDocument, context(), books.owner, { id: document.id })
  })

  it('holds for a high rate as well', async () => {
    const { id } = await create({ fxRate: '3', lines: [{ description: 'A', unitPrice: '20' }] })
    await runOperation(submitDocument, context(), books.owner, { id })
    expect(
      await refusal(runOperation(approveDocument, context(), await approver(), { id })),
    ).toContain('Above your approval limit')
  })

  it('holds for what is issued, whatever rate is set after the approval', async () => {
    const { id } = await create({ currency: 'KES' })
    await runOperation(submitDocument, context(), books.owner, { id })
    await books.rate('KES', '2026-01-01', '0.01')
    expect((await runOperation(approveDocument, context(), await approver(), { id })).fxRate).toBe(
      '0.01',
    )
    await books.rate('KES', '2026-01-01', '5')
    expect((await issue(id)).fxRate).toBe('0.01')
  })
})

describe('a rate that cannot be', () => {
  const range = 'Must be a number from 0.00000001 to 100000000 with at most 10 decimals.'

  it.each(['0', '-1', '1,5', 'much', '0.12345678901', '100000001', ''])(
    'is refused: %j',
    async (fxRate) => {
      expect(await refusal(create({ fxRate }))).toBe(range)
      const { id } = await create()
      expect(await refusal(issue(id, { fxRate }))).toBe(range)
    },
  )

  it('is any but 1 for the base currency', async () => {
    const own = { currency: 'EUR' }
    const message = 'EUR is the base currency; its rate is 1.'
    expect(await refusal(create({ ...own, fxRate: '0.9' }))).toBe(message)
    const { id, fxRate } = await create({ ...own, fxRate: '1.00' })
    expect(fxRate).toBe('1')
    expect(await refusal(issue(id, { fxRate: '1.1' }))).toBe(message)
    expect((await issue(id, { fxRate: '1' })).fxRate).toBe('1')
  })
})

it('is no field of the interface, which has none', async () => {
  const { status, body } = await world().call('POST', '/books/api/v1/invoices', {
    key: await books.key(),
    body: {
      contact_id: form.contactId,
      fx_rate: 0.5,
      lines: [{ description: 'Work', unit_price: 1 }],
    },
  })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('fx_rate')
})
