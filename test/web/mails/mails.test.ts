// The mails of a business in the application: who sees which, how safely, and sending one again.
import { beforeEach, describe, expect, it } from 'vitest'
import type { MailState, NewMail } from '../../../src/kernel/mail/mail.ts'
import type { SendOutcome } from '../../../src/kernel/mail/mailer.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { newBooks } from '../../support/documents.ts'
import { drain, mailOf, queue } from '../../support/mails.ts'
import { shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const path = '/settings/mails'
const refusal: SendOutcome = {
  accepted: [],
  refused: ['ada@example.org'],
  problem: { code: '550', text: '550 No such mailbox' },
}

let outcome: SendOutcome
const sent: Buffer[] = []
const mailer = {
  sender: { name: 'Tillbook', address: 'billing@example.com' },
  async send(recipients: readonly string[], message: Buffer) {
    sent.push(message)
    return outcome.problem ? outcome : { ...outcome, accepted: [...recipients] }
  },
}

const sending = useWorld({ mailer })
const keeping = useWorld()

let businessId: string
let owner: AppVisitor

async function start(world: typeof keeping): Promise<void> {
  businessId = (await shop(world())).tenant.businessId
  owner = await appVisitor(world(), businessId)
  outcome = { accepted: [], refused: [], problem: undefined }
}

const put = (world: typeof keeping, mail: Partial<NewMail> = {}) =>
  queue(world().context, { tenant: { businessId, environment: 'live' }, ...mail })

const state = async (world: typeof keeping, id: string): Promise<MailState> =>
  (await mailOf(world().context, id)).state

describe('without a mail server', () => {
  beforeEach(() => start(keeping))

  it('a mail is kept and shown with its text and files', async () => {
    const id = await put(keeping, {
      kind: 'document',
      subject: 'Invoice INV-1',
      text: 'Pay here: https://tillbook.example/i/1\n',
      attachments: [
        { filename: 'INV-1.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1') },
      ],
    })
    await drain(keeping().context)
    const list = await owner.get(path)
    expect(list.text).toContain('This server has no mail server')
    expect(list.text).toContain('Invoice INV-1')
    const page = await owner.get(`${path}/${id}`)
    expect(page.text).toContain('No mail server is set.')
    expect(page.text).toContain('<a href="https://tillbook.example/i/1"')
    expect(page.text).not.toContain('<iframe')
    const file = await owner.get(`${path}/${id}/files/0`)
    expect(file.text).toBe('%PDF-1')
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; .*INV-1\.pdf$/)
    expect((await owner.get(`${path}/${id}/files/1`)).status).toBe(404)
  })

  it('its HTML is shown in a frame that can run and send nothing', async () => {
    const html = '<!doctype html><html><head></head><body><script>alert(1)</script></body></html>'
    const id = await put(keeping, { html })
    expect((await owner.get(`${path}/${id}`)).text).toMatch(
      /<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/,
    )
    const framed = await owner.get(`${path}/${id}/html`)
    const policy = framed.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox allow-popups')
    expect(policy).not.toMatch(/script|allow-same-origin|allow-forms/)
    expect(framed.text).toContain('<base target="_blank">')
  })

  it('a mail with a secret link is neither listed nor opened', async () => {
    const id = await put(keeping, { isSecret: true, subject: 'You are invited' })
    expect((await owner.get(path)).text).not.toContain('You are invited')
    for (const address of [`${path}/${id}`, `${path}/${id}/html`, `${path}/${id}/files/0`]) {
      expect((await owner.get(address)).status).toBe(404)
    }
    const token = keeping().context.ids.uuid()
    expect((await owner.post(`${path}/${id}/send`, { form_token: token })).status).not.toBe(303)
    expect(await state(keeping, id)).toBe('queued')
  })

  it('belongs to its business and environment', async () => {
    const id = await put(keeping, { subject: 'Only ours' })
    const other = (await shop(keeping())).tenant.businessId
    const stranger = await appVisitor(keeping(), other)
    expect((await stranger.get(path)).text).toContain('No mails yet')
    expect((await stranger.get(`${path}/${id}`)).status).toBe(404)
    expect((await owner.get(`/test${path}/${id}`)).status).toBe(404)
    expect((await owner.get(`/test${path}`)).text).toContain('The sandbox sends no mails.')
  })

  it('is found by recipient, state and kind', async () => {
    await put(keeping, { subject: 'First', to: ['grace@example.org'], kind: 'quote' })
    await put(keeping, { subject: 'Second', to: ['ADA@example.org'], kind: 'receipt' })
    const found = async (query: string) => {
      const { text } = await owner.get(`${path}?${query}`)
      return ['First', 'Second'].filter((subject) => text.includes(subject))
    }
    expect(await found('q=GRACE')).toEqual(['First'])
    expect(await found('q=example.org')).toEqual(['First', 'Second'])
    expect(await found('kind=receipt')).toEqual(['Second'])
    expect(await found('state=queued&kind=quote')).toEqual(['First'])
    expect(await found('state=failed')).toEqual([])
    expect(await found('q=unknown')).toEqual([])
  })

  it('is read page by page', async () => {
    for (let number = 0; number < 53; number += 1) {
      await put(keeping, { subject: `Mail number ${number}.` })
    }
    const subjects = (text: string) => text.match(/Mail number \d+\./g) ?? []
    const first = await owner.get(path)
    const next = /href="([^"]*)" rel="next"/.exec(first.text)?.[1]?.replace(`/b/${businessId}`, '')
    const second = await owner.get(next ?? '')
    const seen = [...subjects(first.text), ...subjects(second.text)]
    expect(new Set(seen).size).toBe(53)
    expect(seen).toHaveLength(53)
    expect(second.text).not.toContain('rel="next"')
  })

  it('a viewer sees the list, and not what is in a mail', async () => {
    const html = '<html><head></head><body>Accept the quote</body></html>'
    const id = await put(keeping, { subject: 'Quote QU-1', text: 'Accept the quote', html })
    const viewer = await appVisitor(keeping(), businessId, 'viewer')
    expect((await viewer.get(path)).text).toContain('Quote QU-1')
    const page = await viewer.get(`${path}/${id}`)
    expect(page.text).toContain('people who may only read don’t see the content')
    expect(page.text).not.toContain('Accept the quote')
    expect((await viewer.get(`${path}/${id}/html`)).text).toBe('')
    expect((await owner.get(`${path}/${id}/html`)).text).toContain('Accept the quote')
  })

  it('is not sent again', async () => {
    const id = await put(keeping)
    await drain(keeping().context)
    expect((await owner.get(`${path}/${id}`)).text).not.toContain('Send now')
    const answer = await owner.post(`${path}/${id}/send`, {
      form_token: keeping().context.ids.uuid(),
    })
    expect(answer.text).toContain('This server has no mail server.')
    expect(await state(keeping, id)).toBe('kept')
  })
})

describe('with a mail server', () => {
  beforeEach(() => start(sending))

  async function failed(): Promise<string> {
    outcome = refusal
    const id = await put(sending)
    await drain(sending().context)
    outcome = { accepted: [], refused: [], problem: undefined }
    return id
  }

  it('a failed mail says why and is sent again, which is in the audit log', async () => {
    const id = await failed()
    expect((await owner.get(`${path}?state=failed`)).text).toContain('550 No such mailbox')
    const page = await owner.get(`${path}/${id}`)
    expect(page.text).toContain('Send again')
    const answer = await owner.post(`${path}/${id}/send`, fieldsOf(page.text))
    expect(answer.headers.get('location')).toBe(`/b/${businessId}${path}/${id}`)
    await drain(sending().context)
    expect(await state(sending, id)).toBe('sent')
    expect((await owner.get('/settings/audit-log')).text).toContain('Mail sent again')
  })

  it('a mail that was sent is not sent again', async () => {
    const id = await put(sending)
    await drain(sending().context)
    const before = sent.length
    expect((await owner.get(`${path}/${id}`)).text).not.toContain('Send again')
    const token = sending().context.ids.uuid()
    const answer = await owner.post(`${path}/${id}/send`, { form_token: token })
    expect(answer.text).toContain('It was sent.')
    await drain(sending().context)
    expect(sent).toHaveLength(before)
  })

  it('a viewer can’t send one', async () => {
    const id = await failed()
    const viewer = await appVisitor(sending(), businessId, 'viewer')
    const token = sending().context.ids.uuid()
    expect((await viewer.post(`${path}/${id}/send`, { form_token: token })).status).toBe(403)
    expect(await state(sending, id)).toBe('failed')
  })
})

it('the timeline of an invoice leads to its mail', async () => {
  const books = await newBooks(keeping())
  const visitor = await appVisitor(keeping(), books.businessId)
  const { id: contactId } = await books.contact({ email: 'customer@example.com' })
  const { id } = await books.draft('invoice', { contactId })
  await visitor.submit(`/invoices/${id}/issue-and-send`)
  const { text } = await visitor.get(`/invoices/${id}`)
  const href = new RegExp(`/b/${books.businessId}(${path}/[^"]+)">Show the mail`).exec(text)?.[1]
  expect((await visitor.get(href ?? '')).text).toContain('customer@example.com')
})
