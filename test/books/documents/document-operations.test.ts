// The effects of each operation. Which operations are allowed is in document-transitions.test.ts.

import { describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { findDocument, findSnapshot } from '../../../src/books/documents/document-store.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { reopenDocument } from '../../../src/books/documents/reopen-document.ts'
import { returnDocument } from '../../../src/books/documents/return-document.ts'
import { setApprovalLimit } from '../../../src/books/documents/set-approval-limit.ts'
import { submitDocument } from '../../../src/books/documents/submit-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { expectBooksEventsAsDescribed } from '../../support/openapi.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2026-03-01T12:00:00.000Z'))
const world = useWorld({ clock })
const context = () => world().context
const issue = (by: Actor, id: string) => runOperation(issueDocument, context(), by, { id })
const approve = (by: Actor, id: string) => runOperation(approveDocument, context(), by, { id })
const submit = (by: Actor, id: string) => runOperation(submitDocument, context(), by, { id })
const voidOne = (by: Actor, id: string) => runOperation(voidDocument, context(), by, { id })

async function events({ businessId }: Books, objectId: string): Promise<string[]> {
  const rows = await world().database.sql<{ type: string; data: unknown }[]>`
    select type, data
    from kernel.events
    where business_id = ${businessId}
      and object_id = ${objectId}
    order by id`
  expectBooksEventsAsDescribed(rows)
  return rows.map(({ type }) => type)
}

async function journal({ businessId }: Books) {
  type Line = { kind: string; date: string; baseMinor: bigint }
  return world().database.sql<Line[]>`
    select entry.sequence, entry.kind, entry.date, account.code, line.base_minor, line.amount_minor
    from books.journal_lines as line
    join books.journal_entries as entry using (business_id, environment, sequence)
    join books.accounts as account
      on account.business_id = line.business_id
      and account.environment = line.environment
      and account.id = line.account_id
    where line.business_id = ${businessId}
    order by entry.sequence, line.position`
}

async function openItem({ businessId }: Books, id: string) {
  const [row] = await world().database.sql`
    select amount_minor, base_minor, open_minor, open_base_minor
    from books.open_items
    where business_id = ${businessId}
      and id = ${id}`
  return row
}

describe('issuing', () => {
  it('gives the number, the entry, the open item, the snapshot and the event', async () => {
    const books = await newBooks(world())
    const vat = await books.taxCode('20')
    const customer = await books.contact({ name: 'Ada Ltd', address: '1 High Street' })
    const draft = await books.draft('invoice', {
      contactId: customer.id,
      lines: [
        {
          description: 'Work',
          unitPrice: '100',
          accountId: books.account('4000'),
          taxCodeId: vat.id,
        },
      ],
    })
    const issued = await issue(books.owner, draft.id)
    expect(issued).toMatchObject({
      status: 'posted',
      number: 'INV-2026-00001',
      fxRate: '1',
      postedAt: clock.now(),
      version: 2,
    })
    expect(await findDocument(world().database.sql, books, draft.id)).toEqual(
      expect.objectContaining({ status: 'posted', number: 'INV-2026-00001', version: 2 }),
    )
    expect(await journal(books)).toMatchObject([
      { kind: 'invoice.issued', code: '1100', baseMinor: 12_000n, date: '2026-03-01' },
      { kind: 'invoice.issued', code: '4000', baseMinor: -10_000n },
      { kind: 'invoice.issued', code: '2100', baseMinor: -2_000n },
    ])
    expect(await openItem(books, draft.id)).toEqual({
      amountMinor: 12_000n,
      baseMinor: 12_000n,
      openMinor: 12_000n,
      openBaseMinor: 12_000n,
    })
    expect(await findSnapshot(world().database.sql, books, draft.id)).toMatchObject({
      number: 'INV-2026-00001',
      contact: { name: 'Ada Ltd', address: '1 High Street' },
      total: '120.00',
      amountDue: '120.00',
    })
    expect(await events(books, draft.id)).toEqual(['invoice.created', 'invoice.issued'])
  })

  it('books a foreign document at its rate, and freezes that', async () => {
    const books = await newBooks(world())
    await books.rate('USD', '2026-01-01', '0.8765')
    const vat = await books.taxCode('20')
    const one = {
      description: 'Work',
      unitPrice: '33.33',
      accountId: books.account('4000'),
      taxCodeId: vat.id,
    }
    const draft = await books.draft('invoice', { currency: 'USD', lines: [one, one, one] })
    await issue(books.owner, draft.id)
    await books.rate('USD', '2026-01-02', '9')
    // The three equal lines are one in the journal.
    expect(await journal(books)).toMatchObject([
      { code: '1100', baseMinor: 10_518n, amountMinor: 12_000n },
      { code: '4000', baseMinor: -8_764n, amountMinor: -9_999n },
      { code: '2100', baseMinor: -1_754n, amountMinor: -2_001n },
    ])
  })

  it('looks for a rate again where the draft found none, and is refused without one', async () => {
    const books = await newBooks(world())
    const draft = await books.draft('invoice', { currency: 'USD' })
    await expect(issue(books.owner, draft.id)).rejects.toThrow(
      'No rate from USD to EUR is known for 2026-03-01. Set one in Settings → Currencies and rates (command set-exchange-rate). Or state the rate here.',
    )
    await books.rate('USD', '2026-02-28', '0.9')
    expect((await issue(books.owner, draft.id)).fxRate).toBe('0.9')
  })

  it('makes an invoice over nothing paid at once, without an entry', async () => {
    const books = await newBooks(world())
    const line = { description: 'Gift', unitPrice: '0', accountId: books.account('4000') }
    const draft = await books.draft('invoice', { lines: [line] })
    expect((await issue(books.owner, draft.id)).status).toBe('paid')
    expect(await events(books, draft.id)).toEqual([
      'invoice.created',
      'invoice.issued',
      'invoice.paid',
    ])
    expect(await journal(books)).toEqual([])
    const voided = await voidOne(books.owner, draft.id)
    expect(voided).toMatchObject({ status: 'void', number: 'INV-2026-00001' })
  })

  it('is sent at once when it reaches the customer otherwise', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    const issued = await runOperation(issueDocument, context(), books.owner, {
      id: draft.id,
      isSent: true,
    })
    expect(issued).toMatchObject({ status: 'sent', sentAt: clock.now() })
  })

  it('is refused on a locked day, to everybody behind the hard lock', async () => {
    const books = await newBooks(world())
    const member = books.person('member')
    await books.set({ softLockedUntil: '2026-02-28' })
    const draft = await books.draft('invoice', { date: '2026-02-28' })
    const refusal = 'The books are locked up to and including 2026-02-28'
    await expect(issue(member, draft.id)).rejects.toThrow(refusal)
    await books.set({ hardLockedUntil: '2026-02-28' })
    await expect(issue(books.owner, draft.id)).rejects.toThrow(refusal)
    const later = await books.draft('invoice', { date: '2026-03-01' })
    expect((await issue(member, later.id)).status).toBe('posted')
  })

  it('is refused while a line has no account, or a retired one, or the customer is', async () => {
    const books = await newBooks(world())
    const { sql } = world().database
    await books.set({ defaultSalesAccountId: null })
    const bare = { description: 'Work', unitPrice: '1' }
    const whole = { ...bare, accountId: books.account('4900') }
    const issue = async (id: string) => runOperation(issueDocument, context(), books.owner, { id })
    const open = await books.draft('invoice', { lines: [whole, bare, bare] })
    await expect(issue(open.id)).rejects.toThrow('Lines 2, 3 without an account. Choose one.')
    const retired = await books.draft('invoice', { lines: [whole] })
    await sql`
      update books.accounts
      set active = false
      where id = ${books.account('4900')}`
    await expect(issue(retired.id)).rejects.toThrow('4900 Other income: The account is not active.')
    const gone = await books.draft()
    await sql`
      update books.contacts
      set active = false
      where id = ${gone.contactId}`
    await expect(issue(gone.id)).rejects.toThrow('is no longer active')
    expect(await journal(books)).toEqual([])
  })

  it('uses no number up when it is refused', async () => {
    const books = await newBooks(world())
    const refused = await books.draft('invoice', { currency: 'USD' })
    const good = await books.draft()
    await expect(issue(books.owner, refused.id)).rejects.toThrow('No rate')
    expect((await issue(books.owner, good.id)).number).toBe('INV-2026-00001')
  })

  it('is not for viewers, nor for keys', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    await expect(issue(books.person('viewer'), draft.id)).rejects.toThrow(
      'Only an owner, admin, approver or member can do this.',
    )
    const key = {
      kind: 'key',
      keyId: context().ids.uuid(),
      createdBy: context().ids.uuid(),
      scopes: new Set(['write']),
      businessId: books.businessId,
      environment: 'live',
    } as const
    await expect(issue(key, draft.id)).rejects.toThrow('An API key cannot do this.')
  })
})

describe('approving', () => {
  it('puts a bill into the books straight from the draft where approvals are off', async () => {
    const books = await newBooks(world())
    const draft = await books.draft('bill')
    const approved = await approve(books.person('member'), draft.id)
    expect(approved).toMatchObject({ status: 'approved', number: 'BILL-2026-00001' })
    expect(await journal(books)).toMatchObject([
      { kind: 'bill.approved', code: '2000', baseMinor: -10_000n },
      { kind: 'bill.approved', code: '6300', baseMinor: 10_000n },
    ])
    expect(await events(books, draft.id)).toEqual(['bill.created', 'bill.approved'])
    expect(await findSnapshot(world().database.sql, books, draft.id)).toBeNull()
  })

  it('books a claim on its own control account, and credits the other way round', async () => {
    const books = await newBooks(world())
    for (const kind of ['expense_claim', 'supplier_credit'] as const) {
      await runOperation(approveDocument, context(), books.owner, {
        id: (await books.draft(kind)).id,
      })
    }
    const credit = await books.draft('credit_note')
    await issue(books.owner, credit.id)
    expect(await journal(books)).toMatchObject([
      { kind: 'expense_claim.approved', code: '2050', baseMinor: -10_000n },
      { kind: 'expense_claim.approved', code: '6300', baseMinor: 10_000n },
      { kind: 'supplier_credit.approved', code: '2000', baseMinor: 10_000n },
      { kind: 'supplier_credit.approved', code: '6300', baseMinor: -10_000n },
      { kind: 'credit_note.issued', code: '1100', baseMinor: -10_000n },
      { kind: 'credit_note.issued', code: '4000', baseMinor: 10_000n },
    ])
    expect(await events(books, credit.id)).toEqual(['invoice.created', 'invoice.issued'])
  })

  it('needs another person than its last author if four eyes are on', async () => {
    const books = await newBooks(world())
    await books.set({ approvalsOn: true })
    const [author, editor] = [books.person('approver'), books.person('approver')]
    const draft = await books.draft('bill', {}, author)
    const line = { description: 'Rent', unitPrice: '5', accountId: books.account('6350') }
    await runOperation(editDocument, context(), editor, {
      id: draft.id,
      version: 1,
      contactId: draft.contactId,
      lines: [line],
    })
    await submit(author, draft.id)
    await expect(approve(editor, draft.id)).rejects.toThrow("You can't approve your own document.")
    await expect(approve(books.person('member'), draft.id)).rejects.toThrow(
      'Only an owner, admin or approver can do this.',
    )
    const approved = await approve(author, draft.id)
    expect(approved).toMatchObject({ status: 'approved', approvedBy: author.personId })
  })

  it('knows the author still after the system has edited the draft', async () => {
    const books = await newBooks(world())
    await books.set({ approvalsOn: true })
    const draft = await books.draft('bill')
    const { businessId, environment } = books
    const system = { kind: 'system', name: 'cli', businessId, environment } as const
    const line = { description: 'Rent', unitPrice: '5', accountId: books.account('6350') }
    const form = { contactId: draft.contactId, lines: [line] }
    await runOperation(editDocument, context(), system, { id: draft.id, version: 1, ...form })
    await submit(books.owner, draft.id)
    await expect(approve(books.owner, draft.id)).rejects.toThrow(
      "You can't approve your own document.",
    )
  })

  it('lets the author approve where four eyes are off', async () => {
    const books = await newBooks(world())
    await books.set({ approvalsOn: true, fourEyesOn: false })
    const draft = await books.draft()
    await submit(books.owner, draft.id)
    const approved = await approve(books.owner, draft.id)
    expect(approved).toMatchObject({ status: 'approved', number: null })
    expect(await journal(books)).toEqual([])
  })

  it('counts the creator of a key as the author of its documents', async () => {
    const books = await newBooks(world())
    await books.set({ approvalsOn: true })
    const createdBy = await world().keyMaker()
    const { text } = await world().key({ service: 'books', businessId: books.businessId })
    const line = { description: 'Work', unit_price: 1, account_id: books.account('4000') }
    const { body } = await world().call('POST', '/books/api/v1/invoices', {
      key: text,
      body: { contact_id: (await books.contact()).id, lines: [line] },
    })
    await submit(books.owner, body.id)
    const maker = { ...books.owner, personId: createdBy }
    await expect(approve(maker, body.id)).rejects.toThrow("You can't approve your own document")
  })

  it('stops at the limit of the approver, in the base currency', async () => {
    const books = await newBooks(world())
    await books.set({ approvalsOn: true })
    await books.rate('USD', '2026-01-01', '0.5')
    const approver = books.person('approver')
    const { personId } = approver
    await runOperation(setApprovalLimit, context(), books.owner, { personId, limit: '50' })
    const submitted = async (unitPrice: string) => {
      const line = { description: 'Work', unitPrice, accountId: books.account('6300') }
      const draft = await books.draft('bill', { currency: 'USD', lines: [line] })
      await submit(books.owner, draft.id)
      return draft.id
    }
    const [within, above] = [await submitted('100'), await submitted('100.02')]
    expect((await approve(approver, within)).status).toBe('approved')
    await expect(approve(approver, above)).rejects.toThrow('Above your approval limit of 50 EUR.')
    await runOperation(setApprovalLimit, context(), books.owner, { personId, limit: null })
    expect((await approve(approver, above)).status).toBe('approved')
  })
})

it('what someone else has changed meanwhile is neither issued nor approved unseen', async () => {
  const books = await newBooks(world())
  for (const kind of ['invoice', 'bill'] as const) {
    const { id, contactId } = await books.draft(kind)
    const post = (version: number) =>
      kind === 'invoice'
        ? runOperation(issueDocument, context(), books.owner, { id, version })
        : runOperation(approveDocument, context(), books.owner, { id, version })
    const line = { description: 'Dearer', unitPrice: '900', accountId: books.account('6350') }
    await runOperation(editDocument, context(), books.owner, {
      id,
      version: 1,
      contactId,
      lines: [line],
    })
    await expect(post(1)).rejects.toThrow(
      'Someone else has changed it meanwhile. Look at it again.',
    )
    expect((await post(2)).number).not.toBeNull()
  }
})

describe('returning and reopening', () => {
  it('gives the draft back with the reason, until it is submitted again', async () => {
    const books = await newBooks(world())
    await books.set({ approvalsOn: true })
    const draft = await books.draft()
    await submit(books.owner, draft.id)
    const returned = await runOperation(returnDocument, context(), books.person('approver'), {
      id: draft.id,
      reason: 'Wrong customer',
    })
    expect(returned).toMatchObject({ status: 'draft', returnReason: 'Wrong customer' })
    const again = await submit(books.owner, draft.id)
    expect(again).toMatchObject({ status: 'awaiting_approval', returnReason: null })
  })

  it('needs a reason', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    await expect(
      runOperation(returnDocument, context(), books.owner, { id: draft.id, reason: ' ' }),
    ).rejects.toThrow('Must not be empty.')
  })

  it('takes an approval back before the invoice is issued', async () => {
    const books = await newBooks(world())
    await books.set({ approvalsOn: true })
    const draft = await books.draft()
    await submit(books.owner, draft.id)
    await approve(books.person('admin'), draft.id)
    const reopened = await runOperation(reopenDocument, context(), books.owner, { id: draft.id })
    expect(reopened).toMatchObject({ status: 'draft', approvedAt: null, approvedBy: null })
  })
})

describe('voiding', () => {
  it('reverses the entry exactly, on the day asked for, and keeps the number', async () => {
    const books = await newBooks(world())
    await books.rate('USD', '2026-01-01', '0.8765')
    const draft = await books.draft('invoice', { currency: 'USD', date: '2026-02-01' })
    await issue(books.owner, draft.id)
    const voided = await runOperation(voidDocument, context(), books.owner, {
      id: draft.id,
      date: '2026-02-15',
    })
    expect(voided).toMatchObject({ status: 'void', number: 'INV-2026-00001' })
    const [first, second, third, fourth] = await journal(books)
    expect([first?.kind, third?.kind, third?.date]).toEqual([
      'invoice.issued',
      'invoice.voided',
      '2026-02-15',
    ])
    expect([third?.baseMinor, fourth?.baseMinor]).toEqual([
      -(first?.baseMinor ?? 0n),
      -(second?.baseMinor ?? 0n),
    ])
    expect(await openItem(books, draft.id)).toMatchObject({ openMinor: 0n, openBaseMinor: 0n })
    expect(await events(books, draft.id)).toEqual([
      'invoice.created',
      'invoice.issued',
      'invoice.voided',
    ])
  })

  it('is refused before the document, and on a locked day', async () => {
    const books = await newBooks(world())
    const draft = await books.draft('invoice', { date: '2026-02-01' })
    await issue(books.owner, draft.id)
    const onDay = (date: string) =>
      runOperation(voidDocument, context(), books.owner, { id: draft.id, date })
    await expect(onDay('2026-01-31')).rejects.toThrow('Must not be before 2026-02-01')
    await books.set({ hardLockedUntil: '2026-02-10' })
    await expect(onDay('2026-02-10')).rejects.toThrow('locked up to and including 2026-02-10')
    expect((await onDay('2026-02-11')).status).toBe('void')
  })

  it('is for owners and admins', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    await issue(books.owner, draft.id)
    await expect(voidOne(books.person('approver'), draft.id)).rejects.toThrow(
      'Only an owner or admin can do this.',
    )
  })

  it('of a bill tells no one, since there is no event for it', async () => {
    const books = await newBooks(world())
    const draft = await books.draft('bill')
    await approve(books.owner, draft.id)
    await voidOne(books.owner, draft.id)
    expect(await events(books, draft.id)).toEqual(['bill.created', 'bill.approved'])
  })
})
