import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { createLead } from '../../../src/books/leads/create-lead.ts'
import { createQuote } from '../../../src/books/quotes/create-quote.ts'
import { decideQuote } from '../../../src/books/quotes/decide-quote.ts'
import { editQuote } from '../../../src/books/quotes/edit-quote.ts'
import { expireQuotesSchedule } from '../../../src/books/quotes/expire-quotes.ts'
import { getQuoteStory } from '../../../src/books/quotes/get-quote-story.ts'
import { invoiceQuote } from '../../../src/books/quotes/invoice-quote.ts'
import { type Quote, quotePath, quoteStatuses } from '../../../src/books/quotes/quote.ts'
import { findQuote, listQuotes } from '../../../src/books/quotes/quote-store.ts'
import { reviseQuote } from '../../../src/books/quotes/revise-quote.ts'
import { sendQuote } from '../../../src/books/quotes/send-quote.ts'
import { setNumberPattern } from '../../../src/books/settings/set-number-pattern.ts'
import { createTaxCode } from '../../../src/books/taxes/create-tax-code.ts'
import type { PersonActor, Role } from '../../../src/kernel/auth/actor.ts'
import { mailNoticeJob } from '../../../src/kernel/notices/notify.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { workerFor } from '../../support/jobs.ts'
import { expectBooksEventsAsDescribed } from '../../support/openapi.ts'
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

type QuoteInput = z.input<typeof createQuote.input>

const form = (changes: Partial<QuoteInput> = {}): QuoteInput => ({
  contactId,
  currency: 'EUR',
  reference: 'RFQ 7',
  lines: [{ description: 'Widget', quantity: '3', unitPrice: '33.33' }],
  ...changes,
})

const draft = (changes?: Partial<QuoteInput>) =>
  runOperation(createQuote, world().context, person(), form(changes))
const sent = async (changes?: Partial<QuoteInput>): Promise<Quote & { publicId: string }> => {
  const quote = await runOperation(sendQuote, world().context, person(), {
    id: (await draft(changes)).id,
    isMailed: false,
  })
  return { ...quote, publicId: quote.publicId ?? '' }
}
type Decision = Pick<z.input<typeof decideQuote.input>, 'decision' | 'name' | 'reason'>

// As the page does it.
const decide = ({ id, publicId }: Quote & { publicId: string }, decision: Decision) => {
  const actor = { kind: 'system', name: 'quote page', businessId, environment: 'live' } as const
  return runOperation(decideQuote, world().context, actor, { id, publicId, ...decision })
}
const accepted = async () => {
  const quote = await sent()
  return decide(quote, { decision: 'accept', name: 'Ada' })
}

async function eventsOf(id: string) {
  const events = await world().database.sql<{ type: string; data: unknown }[]>`
    select type, data from kernel.events where object_id = ${id} order by id`
  expectBooksEventsAsDescribed(events)
  return events
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
    await runOperation(reviseQuote, context, person(), { id: first.id })
    await runOperation(editQuote, context, person(), {
      id: first.id,
      ...form({ lines: [line('50')] }),
    })
    const second = await runOperation(sendQuote, context, person(), {
      id: first.id,
      isMailed: false,
    })
    expect(second).toMatchObject({ number: first.number, version: 2, totalMinor: 5000n })
    expect(second.publicId).not.toBe(first.publicId)
    const listed = await listQuotes(world().database.sql, person(), 'sent', 50)
    expect(listed.map(({ id }) => id)).toContain(first.id)
  })

  it('is a file whatever letters its number is written with', async () => {
    const pattern = 'Смета {YYYY}/{000}'
    await runOperation(setNumberPattern, world().context, person('owner'), {
      kind: 'quote',
      pattern,
    })
    const { number, publicId } = await sent()
    expect(number).toMatch(/^Смета 2030\/\d{3}$/)
    const name = encodeURIComponent(`${number?.replaceAll(/[ /]/g, '-')}.pdf`)
    const file = await fetch(`${world().baseUrl}${quotePath(person(), publicId)}/pdf`)
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      `inline; filename="quote.pdf"; filename*=UTF-8''${name}`,
    ])
    await runOperation(setNumberPattern, world().context, person('owner'), {
      kind: 'quote',
      pattern: 'QUO-{YYYY}-{00000}',
    })
  })

  it('is mailed with the address of its page', async () => {
    const { id } = await draft()
    const { publicId } = await runOperation(sendQuote, world().context, person(), {
      id,
      isMailed: true,
    })
    const [mail] = await world().database.sql`
      select recipients, subject, body_text from kernel.mails order by id desc limit 1`
    expect(mail?.recipients).toEqual(['ada@example.com'])
    expect(mail?.bodyText).toContain(quotePath(person(), publicId ?? ''))
  })

  it('moves its lead to quoted', async () => {
    const { context, database } = world()
    const lead = await runOperation(createLead, context, person(), { name: 'Ada', currency: 'EUR' })
    const quote = await sent({ leadId: lead.id })
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

  it('is told to the owners', async () => {
    const email = 'owner@example.com'
    await addOwner(email)
    const { number } = await accepted()
    await workerFor(world().context, { jobs: [mailNoticeJob] }).drain()
    const [mail] = await world().database.sql`
      select recipients, body_text
      from kernel.mails
      where subject = ${`Quote ${number} was accepted`}`
    expect(mail).toMatchObject({ recipients: [email] })
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
    await decide(quote, { decision: 'decline', name: null, reason: 'Too dear' })
    const [event] = await eventsOf(quote.id)
    expect(event).toMatchObject({
      type: 'quote.declined',
      data: { status: 'declined', reason: 'Too dear' },
    })
  })

  it('is made once, however many press at the same moment', async () => {
    const quote = await sent()
    const tries = [
      decide(quote, { decision: 'accept', name: 'Ada' }),
      decide(quote, { decision: 'accept', name: 'Bea' }),
      decide(quote, { decision: 'decline', name: null }),
    ]
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await eventsOf(quote.id)).toHaveLength(1)
  })

  it('on the page of an older version is refused', async () => {
    const old = await sent()
    const { context } = world()
    await runOperation(reviseQuote, context, person(), { id: old.id })
    await runOperation(sendQuote, context, person(), { id: old.id, isMailed: false })
    const late = decide(old, { decision: 'accept', name: 'Ada' })
    await expect(late).rejects.toThrow('can no longer be answered')
    expect(await eventsOf(old.id)).toEqual([])
  })

  it('is taken on the last day and not on the next, where the organisation is', async () => {
    const { sql } = world().database
    await sql`
      update books.organisations set time_zone = 'Pacific/Kiritimati'
      where business_id = ${businessId}`
    const quote = await sent({ expiryDate: '2030-01-11' })
    // Noon in UTC is two in the night of the next day there.
    clock.set(new Date('2030-01-11T11:59:00Z'))
    const other = await sent({ expiryDate: '2030-01-12' })
    await expect(decide(quote, { decision: 'accept', name: 'Ada' })).rejects.toThrow('expired')
    await decide(other, { decision: 'accept', name: 'Ada' })
    await sql`
      update books.organisations set time_zone = 'UTC' where business_id = ${businessId}`
    clock.set(new Date('2030-01-10T12:00:00Z'))
  })
})

const line = (unitPrice: string) => ({ description: 'Widget', unitPrice })

describe('an accepted quote', () => {
  it('becomes a draft invoice of the same amounts, once', async () => {
    const quote = await accepted()
    const { context } = world()
    const tries = [1, 2].map(() => runOperation(invoiceQuote, context, person(), { id: quote.id }))
    const outcomes = await Promise.allSettled(tries)
    const made = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(made).toHaveLength(1)
    expect(made[0]).toMatchObject({
      kind: 'invoice',
      status: 'draft',
      totalMinor: 9999n,
      reference: 'RFQ 7',
    })
    const stored = await findQuote(world().database.sql, person(), quote.id)
    expect(stored).toMatchObject({ status: 'invoiced', invoiceId: made[0]?.id })
  })

  it('whose tax is rounded otherwise by now is not invoiced, and no draft is left', async () => {
    const { sql } = world().database
    const components = [{ name: 'VAT', rate: '20' }]
    const tax = await runOperation(createTaxCode, world().context, person('admin'), {
      name: 'V',
      components,
    })
    const lines = [1, 2, 3].map(() => ({ ...line('0.83'), taxCodeId: tax.id }))
    const quote = await sent({ lines })
    await decide(quote, { decision: 'accept', name: 'Ada' })
    await sql`
      update books.organisations set tax_rounding = 'document' where business_id = ${businessId}`
    const invoicing = runOperation(invoiceQuote, world().context, person(), { id: quote.id })
    await expect(invoicing).rejects.toThrow('would differ from the quote')
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from books.documents where total_minor = 299`
    expect(row?.count).toBe(0)
    await sql`
      update books.organisations set tax_rounding = 'line' where business_id = ${businessId}`
  })
})

describe('the last day', () => {
  it('ends what no one answered, and nothing else', async () => {
    const open = await sent({ expiryDate: '2030-01-10' })
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
    expect(
      await runOperation(reviseQuote, world().context, person(), { id: open.id }),
    ).toMatchObject({ status: 'draft' })
  })
})

describe('refused is', () => {
  const acts = {
    edit: (id: string) => runOperation(editQuote, world().context, person(), { id, ...form() }),
    send: (id: string) =>
      runOperation(sendQuote, world().context, person(), { id, isMailed: false }),
    revise: (id: string) => runOperation(reviseQuote, world().context, person(), { id }),
    invoice: (id: string) => runOperation(invoiceQuote, world().context, person(), { id }),
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
    return (await runOperation(invoiceQuote, world().context, person(), { id: quote.id })).id
  }

  it('a viewer the address on which the customer accepts', async () => {
    const { id } = await sent()
    const urlFor = async (role: 'viewer' | 'member') =>
      (await runOperation(getQuoteStory, world().context, person(role), { id })).url
    expect(await urlFor('viewer')).toBe(null)
    expect(await urlFor('member')).toContain('/quotes/')
  })

  it('a viewer who writes, and a quote of another business', async () => {
    await expect(
      runOperation(createQuote, world().context, person('viewer'), form()),
    ).rejects.toThrow('Only an')
    const quote = await draft()
    const elsewhere = { ...person(), businessId: await world().business() }
    const sending = runOperation(sendQuote, world().context, elsewhere, {
      id: quote.id,
      isMailed: false,
    })
    await expect(sending).rejects.toThrow('No such quote')
  })

  it('a mail to a contact without an address', async () => {
    const quote = await draft({ contactId: contactWithoutEmailId })
    const sending = runOperation(sendQuote, world().context, person(), {
      id: quote.id,
      isMailed: true,
    })
    await expect(sending).rejects.toThrow('no e-mail address')
  })

  it('an expiry before the date, or in the past when it is sent', async () => {
    await expect(draft({ expiryDate: '2030-01-09' })).rejects.toThrow('Must not be before')
    const quote = await draft({ date: '2029-12-01', expiryDate: '2029-12-31' })
    const sending = runOperation(sendQuote, world().context, person(), {
      id: quote.id,
      isMailed: false,
    })
    await expect(sending).rejects.toThrow('Already past')
  })
})
