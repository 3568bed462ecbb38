import { beforeAll, describe, expect, it } from 'vitest'
import { createLead } from '../../../src/books/leads/manage-leads.ts'
import { decideQuote } from '../../../src/books/quotes/decide-quote.ts'
import { expireQuotesSchedule } from '../../../src/books/quotes/expire-quotes.ts'
import { invoiceQuote } from '../../../src/books/quotes/invoice-quote.ts'
import { type Quote, quotePath, quoteStatuses } from '../../../src/books/quotes/quote.ts'
import { findQuote, listQuotes } from '../../../src/books/quotes/quote-store.ts'
import { reviseQuote, sendQuote } from '../../../src/books/quotes/send-quote.ts'
import { createQuote, editQuote, type QuoteForm } from '../../../src/books/quotes/write-quote.ts'
import { setNumberPattern } from '../../../src/books/settings/set-number-pattern.ts'
import { createTaxCode } from '../../../src/books/taxes/create-tax-code.ts'
import type { PersonActor, Role } from '../../../src/kernel/auth/actor.ts'
import { manualClock } from '../../support/clock.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2030-01-10T12:00:00Z'))
const world = useWorld({ clock })
let businessId: string
let contactId: string
let contactWithoutEmailId: string

const person = (role: Role = 'member'): PersonActor => ({
  kind: 'person',
  personId: '0190a000-0000-7000-8000-000000000001',
  role,
  businessId,
  environment: 'live',
})

beforeAll(async () => {
  const key = await world().key({ service: 'books' })
  businessId = key.businessId
  const contact = async (body: object) => {
    const path = '/books/api/v1/contacts'
    return (await world().call('POST', path, { key: key.text, body })).body.id as string
  }
  contactId = await contact({ name: 'Ada', email: 'ada@example.com' })
  contactWithoutEmailId = await contact({ name: 'Bert' })
})

const form = (changes: Partial<QuoteForm> = {}): QuoteForm => ({
  contact_id: contactId,
  currency: 'EUR',
  reference: 'RFQ 7',
  lines: [{ description: 'Widget', quantity: '3', unit_price: '33.33' }],
  ...changes,
})

const draft = (changes?: Partial<QuoteForm>) =>
  createQuote(world().context, person(), form(changes))
const sent = async (changes?: Partial<QuoteForm>): Promise<Quote & { publicId: string }> => {
  const quote = await sendQuote(world().context, person(), (await draft(changes)).id, {
    isMailed: false,
  })
  return { ...quote, publicId: quote.publicId ?? '' }
}
const accepted = async () => {
  const quote = await sent()
  return decideQuote(world().context, person(), quote, { kind: 'accept', name: 'Ada' })
}

async function eventsOf(id: string) {
  return world().database.sql`
    select type, data from kernel.events where object_id = ${id} order by id`
}

describe('a quote', () => {
  it('is a draft without a number, good for thirty days', async () => {
    const quote = await draft()
    expect(quote).toMatchObject({
      status: 'draft',
      number: null,
      version: 0,
      date: '2030-01-10',
      expiryDate: '2030-02-09',
      totalMinor: 9999n,
    })
    expect(await findQuote(world().database.sql, person(), quote.id)).toEqual(quote)
    expect(await eventsOf(quote.id)).toEqual([])
  })

  it('gets its number and its page when it is sent, and keeps the number in later versions', async () => {
    const first = await sent()
    expect(first.number).toMatch(/^QUO-2030-\d{5}$/)
    expect(first).toMatchObject({ status: 'sent', version: 1 })
    expect(first.snapshot).toMatchObject({ kind: 'quote', total: '99.99', dueDate: '2030-02-09' })
    const { context } = world()
    await reviseQuote(context, person(), first.id)
    await editQuote(context, person(), first.id, form({ lines: [line('50')] }))
    const second = await sendQuote(context, person(), first.id, { isMailed: false })
    expect(second).toMatchObject({ number: first.number, version: 2, totalMinor: 5000n })
    expect(second.publicId).not.toBe(first.publicId)
    const listed = await listQuotes(world().database.sql, person(), 'sent', 50)
    expect(listed.map(({ id }) => id)).toContain(first.id)
  })

  it('is a file whatever letters its number is written with', async () => {
    const pattern = 'Смета {YYYY}/{000}'
    await setNumberPattern(world().context, person('owner'), { kind: 'quote', pattern })
    const { number, publicId } = await sent()
    expect(number).toMatch(/^Смета 2030\/\d{3}$/)
    const name = encodeURIComponent(`${number?.replaceAll(/[ /]/g, '-')}.pdf`)
    const file = await fetch(`${world().baseUrl}${quotePath(person(), publicId)}/pdf`)
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      `inline; filename="quote.pdf"; filename*=UTF-8''${name}`,
    ])
    await setNumberPattern(world().context, person('owner'), {
      kind: 'quote',
      pattern: 'QUO-{YYYY}-{00000}',
    })
  })

  it('is mailed with the address of its page', async () => {
    const { id } = await draft()
    const { publicId } = await sendQuote(world().context, person(), id, { isMailed: true })
    const [mail] = await world().database.sql`
      select recipients, subject, body_text from kernel.mails order by id desc limit 1`
    expect(mail?.recipients).toEqual(['ada@example.com'])
    expect(mail?.bodyText).toContain(quotePath(person(), publicId ?? ''))
  })

  it('moves its lead to quoted', async () => {
    const { context, database } = world()
    const lead = await createLead(context, person(), { name: 'Ada', currency: 'EUR' })
    const quote = await sent({ lead_id: lead.id })
    const [row] = await database.sql`
      select status, quote_id, contact_id from books.leads where id = ${lead.id}`
    expect(row).toEqual({ status: 'quoted', quoteId: quote.id, contactId })
  })
})

describe('a decision', () => {
  it('to accept is told by one event with what was offered', async () => {
    const quote = await accepted()
    expect(await eventsOf(quote.id)).toEqual([
      {
        type: 'quote.accepted',
        data: {
          id: quote.id,
          number: quote.number,
          status: 'accepted',
          contact_id: contactId,
          date: '2030-01-10',
          expiry_date: '2030-02-09',
          currency: 'EUR',
          subtotal: 99.99,
          tax_total: 0,
          total: 99.99,
          reference: 'RFQ 7',
          invoice_id: null,
        },
      },
    ])
  })

  it('is mailed to the owners', async () => {
    const email = 'owner@example.com'
    await addOwner(email)
    const { number } = await accepted()
    const [mail] = await world().database.sql`
      select recipients, subject, body_text from kernel.mails order by id desc limit 1`
    expect(mail).toMatchObject({ recipients: [email], subject: `Quote ${number} was accepted` })
    expect(mail?.bodyText).toContain('for EUR 99.99 was accepted by Ada.')
  })

  async function addOwner(email: string): Promise<void> {
    const { sql } = world().database
    const personId = await world().keyMaker()
    await sql`update kernel.people set email = ${email} where id = ${personId}`
    const createdAt = clock.now()
    await sql`
      insert into kernel.memberships ${sql({ businessId, personId, role: 'owner', createdAt })}
      on conflict do nothing`
    await sql`update kernel.memberships set role = 'owner' where person_id = ${personId}`
  }

  it('to decline carries the reason', async () => {
    const quote = await sent()
    const decision = { kind: 'decline', name: null, reason: 'Too dear' } as const
    await decideQuote(world().context, person(), quote, decision)
    const [event] = await eventsOf(quote.id)
    expect(event).toMatchObject({
      type: 'quote.declined',
      data: { status: 'declined', reason: 'Too dear' },
    })
  })

  it('is made once, however many press at the same moment', async () => {
    const quote = await sent()
    const { context } = world()
    const tries = [
      decideQuote(context, person(), quote, { kind: 'accept', name: 'Ada' }),
      decideQuote(context, person(), quote, { kind: 'accept', name: 'Bea' }),
      decideQuote(context, person(), quote, { kind: 'decline', name: null, reason: null }),
    ]
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await eventsOf(quote.id)).toHaveLength(1)
  })

  it('on the page of an older version is refused', async () => {
    const old = await sent()
    const { context } = world()
    await reviseQuote(context, person(), old.id)
    await sendQuote(context, person(), old.id, { isMailed: false })
    const late = decideQuote(context, person(), old, { kind: 'accept', name: 'Ada' })
    await expect(late).rejects.toThrow('can no longer be answered')
    expect(await eventsOf(old.id)).toEqual([])
  })

  it('is taken on the last day and not on the next, where the organisation is', async () => {
    const { sql } = world().database
    await sql`
      update books.organisations set time_zone = 'Pacific/Kiritimati'
      where business_id = ${businessId}`
    const quote = await sent({ expiry_date: '2030-01-11' })
    // Noon in UTC is two in the night of the next day there.
    clock.set(new Date('2030-01-11T11:59:00Z'))
    const other = await sent({ expiry_date: '2030-01-12' })
    await expect(
      decideQuote(world().context, person(), quote, { kind: 'accept', name: 'Ada' }),
    ).rejects.toThrow('expired')
    await decideQuote(world().context, person(), other, { kind: 'accept', name: 'Ada' })
    await sql`
      update books.organisations set time_zone = 'UTC' where business_id = ${businessId}`
    clock.set(new Date('2030-01-10T12:00:00Z'))
  })
})

const line = (unitPrice: string) => ({ description: 'Widget', unit_price: unitPrice })

describe('an accepted quote', () => {
  it('becomes a draft invoice of the same amounts, once', async () => {
    const quote = await accepted()
    const { context } = world()
    const tries = [1, 2].map(() => invoiceQuote(context, person(), quote.id))
    const outcomes = await Promise.allSettled(tries)
    const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(made).toHaveLength(1)
    expect(made[0]?.document).toMatchObject({
      kind: 'invoice',
      status: 'draft',
      totalMinor: 9999n,
      reference: 'RFQ 7',
    })
    const stored = await findQuote(world().database.sql, person(), quote.id)
    expect(stored).toMatchObject({ status: 'invoiced', invoiceId: made[0]?.document.id })
  })

  it('whose tax is rounded otherwise by now is not invoiced, and no draft is left', async () => {
    const { sql } = world().database
    const components = [{ name: 'VAT', rate: '20' }]
    const tax = await createTaxCode(world().context, person('admin'), { name: 'V', components })
    const lines = [1, 2, 3].map(() => ({ ...line('0.83'), tax_code_id: tax.id }))
    const quote = await sent({ lines })
    await decideQuote(world().context, person(), quote, { kind: 'accept', name: 'Ada' })
    await sql`
      update books.organisations set tax_rounding = 'document' where business_id = ${businessId}`
    const invoicing = invoiceQuote(world().context, person(), quote.id)
    await expect(invoicing).rejects.toThrow('another amount than the quote')
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from books.documents where total_minor = 299`
    expect(row?.count).toBe(0)
    await sql`
      update books.organisations set tax_rounding = 'line' where business_id = ${businessId}`
  })
})

describe('the last day', () => {
  it('ends what nobody answered, and nothing else', async () => {
    const open = await sent({ expiry_date: '2030-01-10' })
    const answered = await accepted()
    const longer = await sent()
    clock.set(new Date('2030-01-11T00:00:01Z'))
    await expireQuotesSchedule.run(world().context, new AbortController().signal)
    const { sql } = world().database
    const statusOf = async (id: string) => (await findQuote(sql, person(), id))?.status
    expect(await statusOf(open.id)).toBe('expired')
    expect(await statusOf(answered.id)).toBe('accepted')
    expect(await statusOf(longer.id)).toBe('sent')
    clock.set(new Date('2030-01-10T12:00:00Z'))
    expect(await reviseQuote(world().context, person(), open.id)).toMatchObject({ status: 'draft' })
  })
})

describe('refused is', () => {
  const acts = {
    edit: (id: string) => editQuote(world().context, person(), id, form()),
    send: (id: string) => sendQuote(world().context, person(), id, { isMailed: false }),
    revise: (id: string) => reviseQuote(world().context, person(), id),
    invoice: (id: string) => invoiceQuote(world().context, person(), id),
  }
  const allowed: Record<keyof typeof acts, readonly Quote['status'][]> = {
    edit: ['draft'],
    send: ['draft'],
    revise: ['sent', 'declined', 'expired'],
    invoice: ['accepted'],
  }
  const cases = (Object.keys(acts) as (keyof typeof acts)[]).flatMap((act) =>
    quoteStatuses
      .filter((status) => !allowed[act].includes(status))
      .map((status) => ({ act, status })),
  )

  it.each(cases)('to $act what is $status', async ({ act, status }) => {
    const quote = await sent()
    const invoice = status === 'invoiced' ? await anInvoice() : null
    await world().database.sql`
      update books.quotes set status = ${status}, invoice_id = ${invoice} where id = ${quote.id}`
    await expect(acts[act](quote.id)).rejects.toThrow(`The quote is ${status}.`)
  })

  async function anInvoice(): Promise<string> {
    const quote = await accepted()
    return (await invoiceQuote(world().context, person(), quote.id)).document.id
  }

  it('a viewer who writes, and a quote of another business', async () => {
    await expect(createQuote(world().context, person('viewer'), form())).rejects.toThrow('Only an')
    const quote = await draft()
    const elsewhere = { ...person(), businessId: await world().business() }
    const sending = sendQuote(world().context, elsewhere, quote.id, { isMailed: false })
    await expect(sending).rejects.toThrow('No such quote')
  })

  it('a mail to a contact without an address', async () => {
    const quote = await draft({ contact_id: contactWithoutEmailId })
    const sending = sendQuote(world().context, person(), quote.id, { isMailed: true })
    await expect(sending).rejects.toThrow('no e-mail address')
  })

  it('an expiry before the date, or in the past when it is sent', async () => {
    await expect(draft({ expiry_date: '2030-01-09' })).rejects.toThrow('Must not be before')
    const quote = await draft({ date: '2029-12-01', expiry_date: '2029-12-31' })
    const sending = sendQuote(world().context, person(), quote.id, { isMailed: false })
    await expect(sending).rejects.toThrow('Has passed already')
  })
})
