// A document from draft to paid and back, through the pages, and what they refuse.
import { beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { getDocument } from '../../../src/books/documents/get-document.ts'
import { listOpenItems } from '../../../src/books/payments/list-open-items.ts'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const dayFromNow = (days: number) =>
  addDays(world().context.clock.now().toISOString().slice(0, 10), days)

let books: Books
let owner: AppVisitor

beforeEach(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
  return () => expectInvariants(world().database)
})

const read = (id: string) => runOperation(getDocument, world().context, books.owner, { id })

async function issued(): Promise<string> {
  const { id } = await books.draft('invoice', {
    contactId: (await books.contact({ email: 'customer@example.com' })).id,
    date: dayFromNow(-10),
  })
  expect((await owner.submit(`/invoices/${id}/issue`)).status).toBe(303)
  return id
}

async function approvedBill(): Promise<string> {
  const { id } = await books.draft('bill', { date: dayFromNow(-10) })
  expect((await owner.submit(`/bills/${id}/approve`)).status).toBe(303)
  return id
}

// The document to which an answer leads.
function idIn(answer: { headers: Headers }): string {
  return /\/(?:invoices|bills)\/([^/]+)$/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
}

it('is issued, sent and paid', async () => {
  const id = await issued()
  const page = await owner.get(`/invoices/${id}`)
  expect(page.text).toContain('INV-')
  expect(page.text).toContain('Journal entries')
  expect((await owner.submit(`/invoices/${id}/send`)).status).toBe(303)
  expect((await owner.submit(`/invoices/${id}/payment`, { amount: '60' })).status).toBe(303)
  expect(await read(id)).toMatchObject({ status: 'partially_paid', paidMinor: 6000n })
  // The rest is filled in.
  expect((await owner.submit(`/invoices/${id}/payment`)).status).toBe(303)
  expect(await read(id)).toMatchObject({ status: 'paid', paidMinor: 10_000n })
})

it('is issued and sent in one step', async () => {
  const { id: contactId } = await books.contact({ email: 'customer@example.com' })
  const { id } = await books.draft('invoice', { contactId })
  await owner.submit(`/invoices/${id}/issue-and-send`)
  expect(await read(id)).toMatchObject({ status: 'sent' })
})

it('is not issued for a mail without an address', async () => {
  const { id } = await books.draft('invoice')
  const answer = await owner.submit(`/invoices/${id}/issue-and-send`, { to: '' })
  expect(answer.text).toContain('has no e-mail address')
  expect(await read(id)).toMatchObject({ status: 'draft' })
})

it('keeps what is above the amount due as a credit', async () => {
  const id = await issued()
  await owner.submit(`/invoices/${id}/payment`, { amount: '150' })
  const { contactId, status } = await read(id)
  const open = await runOperation(listOpenItems, world().context, books.owner, { contactId })
  expect([status, open.map(({ openMinor }) => openMinor)]).toEqual(['paid', [-5000n]])
})

it('pays back what is above the amount due', async () => {
  const id = await issued()
  await owner.submit(`/invoices/${id}/payment`, { amount: '150' })
  const { contactId } = await read(id)
  const page = await owner.get(`/contacts/${contactId}`)
  expect(page.text).toContain('Unused payments')
  const form = /(\/contacts\/[^"]*\/payments\/[^"]*\/refund)"/.exec(page.text)?.[1] ?? ''
  const refused = await owner.submit(form, { amount: '50.01' })
  expect([refused.status, fieldsOf(refused.text).amount]).toEqual([422, '50.01'])
  expect((await owner.submit(form, { amount: '20' })).status).toBe(303)
  // The rest is filled in.
  expect((await owner.submit(form)).status).toBe(303)
  expect(await runOperation(listOpenItems, world().context, books.owner, { contactId })).toEqual([])
  expect((await owner.get(`/contacts/${contactId}`)).text).not.toContain('Unused payments')
  expect((await owner.get(form)).status).toBe(404)
  const viewer = await appVisitor(world(), books.businessId, 'viewer')
  expect((await viewer.get(form)).status).toBe(403)
})

it('warns before it is booked in a closed period', async () => {
  const { id } = await books.draft('invoice', { date: dayFromNow(-10) })
  const warning = 'The books are closed up to'
  expect((await owner.get(`/invoices/${id}/issue`)).text).not.toContain(warning)
  await books.set({ soft_locked_until: dayFromNow(-10) })
  expect((await owner.get(`/invoices/${id}/issue`)).text).toContain(warning)
})

it('offers no credit where there is none', async () => {
  const { text } = await owner.get(`/invoices/${await issued()}/use-credit`)
  expect(text).toContain('has no credit or overpayment in EUR')
  expect(text).not.toContain('name="itemId"')
})

it('proposes the account of the last payment that takes the currency', async () => {
  await books.rate('USD', dayFromNow(-20), '0.90')
  const dollars = await runOperation(createAccount, world().context, books.owner, {
    ...{ code: '1020', name: 'Dollar account', type: 'asset', subtype: 'bank' },
    currency: 'USD',
  })
  const { id: foreign } = await books.draft('invoice', { currency: 'USD', date: dayFromNow(-10) })
  await owner.submit(`/invoices/${foreign}/issue`)
  const paid = { amount: '60', accountId: dollars.id }
  expect((await owner.submit(`/invoices/${foreign}/payment`, paid)).status).toBe(303)
  const proposed = async (id: string) =>
    fieldsOf((await owner.get(`/invoices/${id}/payment`)).text).accountId
  const id = await issued()
  expect([await proposed(foreign), await proposed(id)]).toEqual([dollars.id, books.account('1000')])
  const refused = await owner.submit(`/invoices/${id}/payment`, paid)
  expect(refused.text).toContain('Choose another, or enter below what moved there in USD.')
  expect(refused.text).toContain('name="accountAmount"')
})

describe('a payment', () => {
  const openOf = async (id: string) => {
    const { contactId } = await read(id)
    const open = await runOperation(listOpenItems, world().context, books.owner, { contactId })
    return open.map(({ openMinor }) => openMinor)
  }

  it('is not recorded if less is due than the person saw', async () => {
    const id = await issued()
    const seen = fieldsOf((await owner.get(`/invoices/${id}/payment`)).text)
    await owner.submit(`/invoices/${id}/payment`, { amount: '60' })
    const refused = await owner.post(`/invoices/${id}/payment`, { ...seen, reference: 'R-7' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('What is due has changed since you opened this form: it is €40')
    expect(fieldsOf(refused.text)).toMatchObject({ amount: '100.00', reference: 'R-7' })
    expect(await openOf(id)).toEqual([4000n])
    const again = { ...fieldsOf(refused.text), amount: '40' }
    expect((await owner.post(`/invoices/${id}/payment`, again)).status).toBe(303)
    expect(await openOf(id)).toEqual([])
  })

  it('is not recorded a second time if all is paid meanwhile', async () => {
    const id = await issued()
    const seen = fieldsOf((await owner.get(`/invoices/${id}/payment`)).text)
    await owner.submit(`/invoices/${id}/payment`)
    const refused = await owner.post(`/invoices/${id}/payment`, seen)
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('Nothing is due.'),
    ])
    expect(await openOf(id)).toEqual([])
  })

  it('is not recorded for a draft, a void document or a credit', async () => {
    const { id: draft } = await books.draft('invoice')
    const voided = await issued()
    await owner.submit(`/invoices/${voided}/void`)
    const { id: credit } = await books.draft('credit_note')
    for (const [id, reason] of [
      [draft, 'It is not in the books yet.'],
      [voided, 'It is void.'],
      [credit, '“Record payment” is not possible for this credit note.'],
    ] as const) {
      expect((await owner.get(`/invoices/${id}/payment`)).text).toContain(reason)
      const refused = await owner.submit(`/invoices/${id}/payment`, { amount: '10' })
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(reason)])
      expect(await openOf(id)).toEqual([])
    }
  })
})

it('refuses a button whose act is not possible, with the reason', async () => {
  const id = await issued()
  const markSent = () =>
    owner.post(`/invoices/${id}/mark-sent`, { form_token: world().context.ids.uuid() })
  expect((await markSent()).status).toBe(303)
  const refused = await markSent()
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining('It was sent already.'),
  ])
})

describe('the rate of a foreign document', () => {
  const usd = () => ({ currency: 'USD', date: dayFromNow(-10) })
  beforeEach(() => books.rate('USD', dayFromNow(-20), '0.90'))

  it('is that of the day when it is booked, unless it was stated', async () => {
    const { id: lookedUp } = await books.draft('invoice', usd())
    const { id: stated } = await books.draft('invoice', { ...usd(), fxRate: '0.91' })
    const opened = await Promise.all(
      [lookedUp, stated].map(async (id) => {
        const path = `/invoices/${id}/issue`
        return { path, fields: fieldsOf((await owner.get(path)).text) }
      }),
    )
    expect(opened.map(({ fields }) => fields.fxRate)).toEqual(['', '0.91'])
    await books.rate('USD', dayFromNow(-10), '0.95')
    for (const { path, fields } of opened) expect((await owner.post(path, fields)).status).toBe(303)
    expect([(await read(lookedUp)).fxRate, (await read(stated)).fxRate]).toEqual(['0.95', '0.91'])
    const { id: typed } = await books.draft('bill', usd())
    await owner.submit(`/bills/${typed}/approve`, { fxRate: '0.92' })
    expect(await read(typed)).toMatchObject({ fxRate: '0.92' })
  })

  it('stays as submitted, and is no field of the decision', async () => {
    await books.set({ approvals_on: true })
    const { id: bill } = await books.draft('bill', usd())
    const { id: invoice } = await books.draft('invoice', usd())
    for (const path of [`/bills/${bill}`, `/invoices/${invoice}`]) {
      await owner.post(`${path}/submit`, { form_token: world().context.ids.uuid() })
      expect((await owner.submit(`${path}/approve`)).status).toBe(303)
    }
    expect((await owner.submit(`/invoices/${invoice}/issue`)).status).toBe(303)
    expect([(await read(bill)).status, (await read(invoice)).status]).toEqual([
      'approved',
      'posted',
    ])
  })
})

it('shows a refused amount at its field, and books nothing', async () => {
  const id = await issued()
  const answer = await owner.submit(`/invoices/${id}/payment`, { amount: 'ten' })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('Enter the amount in figures')
  expect(answer.text).toContain('value="ten"')
  expect(await read(id)).toMatchObject({ paidMinor: 0n })
})

it('undoes a payment', async () => {
  const id = await issued()
  await owner.submit(`/invoices/${id}/payment`)
  const page = await owner.get(`/invoices/${id}`)
  const remove = /(\/invoices\/[^"]*\/payments\/[^"]*\/remove)"/.exec(page.text)?.[1] ?? ''
  expect((await owner.submit(remove)).status).toBe(303)
  expect(await read(id)).toMatchObject({ status: 'posted', paidMinor: 0n })
})

it('is credited with the same lines, and the credit is used for it', async () => {
  const id = await issued()
  const answer = await owner.post(`/invoices/${id}/credit`, {
    form_token: world().context.ids.uuid(),
  })
  const creditId = idIn(answer)
  expect(await read(creditId)).toMatchObject({
    kind: 'credit_note',
    creditsDocumentId: id,
    totalMinor: 10_000n,
  })
  await owner.submit(`/invoices/${creditId}/issue`)
  expect((await owner.submit(`/invoices/${id}/use-credit`)).status).toBe(303)
  expect(await read(id)).toMatchObject({ status: 'closed', creditedMinor: 10_000n })
  expect((await owner.get(`/invoices/${id}`)).text).toContain('Credited by')
})

it('refunds a credit', async () => {
  const { id } = await books.draft('credit_note', { date: dayFromNow(-5) })
  await owner.submit(`/invoices/${id}/issue`)
  await owner.submit(`/invoices/${id}/refund`)
  expect(await read(id)).toMatchObject({ status: 'closed', paidMinor: 10_000n })
})

it('is written off, voided or discarded', async () => {
  const lost = await issued()
  await owner.submit(`/invoices/${lost}/write-off`, { amount: '100' })
  expect(await read(lost)).toMatchObject({ status: 'closed', writtenOffMinor: 10_000n })
  const wrong = await issued()
  await owner.submit(`/invoices/${wrong}/void`)
  expect(await read(wrong)).toMatchObject({ status: 'void' })
  const { id: unwanted } = await books.draft('expense_claim')
  await owner.submit(`/bills/${unwanted}/discard`)
  expect(await read(unwanted)).toMatchObject({ status: 'void', number: null })
})

it('is entered, paid and written off as a bill', async () => {
  const id = await approvedBill()
  await owner.submit(`/bills/${id}/payment`, { amount: '99' })
  await owner.submit(`/bills/${id}/write-off`, { accountId: books.account('4000') })
  expect(await read(id)).toMatchObject({ paidMinor: 9900n, writtenOffMinor: 100n })
})

it('is duplicated without the reference of the supplier', async () => {
  const { id } = await books.draft('bill', { reference: 'R-1', notes: 'Thanks' })
  const answer = await owner.post(`/bills/${id}/duplicate`, {
    form_token: world().context.ids.uuid(),
  })
  expect(await read(idIn(answer))).toMatchObject({ reference: null, notes: 'Thanks' })
})

it('gets another due date', async () => {
  const id = await issued()
  await owner.submit(`/invoices/${id}/due-date`, { dueDate: dayFromNow(40) })
  expect(await read(id)).toMatchObject({ dueDate: dayFromNow(40) })
})

describe('with approvals', () => {
  beforeEach(() => books.set({ approvals_on: true, four_eyes_on: true }))

  it('is submitted, returned with a reason, approved by another person, and reopened', async () => {
    const approver = await appVisitor(world(), books.businessId, 'approver')
    const { id } = await books.draft('invoice')
    const act = (slug: string, who = owner) =>
      who.post(`/invoices/${id}/${slug}`, { form_token: world().context.ids.uuid() })
    await act('submit')
    await approver.submit(`/invoices/${id}/return`, { reason: 'Wrong price' })
    expect((await owner.get(`/invoices/${id}`)).text).toContain('Wrong price')
    await act('submit')
    await act('withdraw')
    expect(await read(id)).toMatchObject({ status: 'draft' })
    await act('submit')
    await approver.submit(`/invoices/${id}/approve`)
    expect(await read(id)).toMatchObject({ status: 'approved' })
    await act('reopen')
    expect(await read(id)).toMatchObject({ status: 'draft' })
  })

  it('says why an act is not possible', async () => {
    const { id } = await books.draft('invoice')
    const { text } = await owner.get(`/invoices/${id}`)
    expect(text).toContain('must be approved before it is issued.')
    const answer = await owner.submit(`/invoices/${id}/issue`)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('must be approved before it is issued.')
  })

  it('is not approved if it has changed since the person opened the form', async () => {
    const { id } = await books.draft('bill')
    await owner.post(`/bills/${id}/submit`, { form_token: world().context.ids.uuid() })
    const approver = await appVisitor(world(), books.businessId, 'approver')
    const answer = await approver.submit(`/bills/${id}/approve`, { version: '1' })
    expect(answer.text).toContain('Someone else has changed it meanwhile.')
  })
})

it('shows the currency gain before a foreign payment is booked', async () => {
  await books.rate('USD', dayFromNow(-20), '0.90')
  await books.rate('USD', dayFromNow(-1), '0.95')
  const { id } = await books.draft('invoice', { currency: 'USD', date: dayFromNow(-10) })
  await owner.submit(`/invoices/${id}/issue`)
  expect((await owner.get(`/invoices/${id}/payment`)).text).toContain('a currency gain of €5.00')
  const other = await owner.get(`/invoices/${id}/payment?amount=50&rate=0.8`)
  expect(other.text).toContain('a currency loss of €5.00')
  await owner.submit(`/invoices/${id}/payment`, { amount: '50', rate: '0.8' })
  expect((await owner.get(`/invoices/${id}`)).text).toContain('-€5.00')
})

it('offers a viewer nothing to do, and the PDF', async () => {
  const id = await issued()
  const viewer = await appVisitor(world(), books.businessId, 'viewer')
  const page = await viewer.get(`/invoices/${id}`)
  expect(page.text).not.toContain('Record payment')
  const file = await viewer.get(`/invoices/${id}/pdf`)
  expect(file.headers.get('content-type')).toBe('application/pdf')
})

it('is not found at the address of the other side', async () => {
  const { id } = await books.draft('bill')
  expect((await owner.get(`/invoices/${id}`)).status).toBe(404)
})
