// What a mail can contain, and how long it is stored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '../../../src/kernel/basics/fault.ts'
import { expireMailsSchedule } from '../../../src/kernel/mail/expire-mails.ts'
import { type NewMail, parseMailAddress } from '../../../src/kernel/mail/mail.ts'
import { findMailById, findMailContent } from '../../../src/kernel/mail/mail-store.ts'
import { queueMailAgain } from '../../../src/kernel/mail/queue-mail.ts'
import { unsentMails } from '../../../src/kernel/mail/unsent-mails.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { contextOn } from '../../support/jobs.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { drain, mailOf, queue } from '../../support/mails.ts'

const day = 24 * 60 * 60 * 1000

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})

afterAll(() => database.drop())

const file = { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('a') }

describe('a mail is refused', () => {
  it.each<[string, Partial<NewMail>]>([
    ['no recipient', { to: [] }],
    ['too many recipients', { to: Array.from({ length: 51 }, (_, i) => `a${i}@example.org`) }],
    ['a name as a recipient', { to: ['Ada <ada@example.org>'] }],
    ['two recipients in one', { to: ['ada@example.org, bob@example.org'] }],
    ['a header behind the address', { to: ['ada@example.org\r\nBcc: eve@example.org'] }],
    ['a header behind the reply address', { replyTo: 'ada@example.org\nBcc: eve@example.org' }],
    ['a header behind the subject', { subject: 'Hello\r\nBcc: eve@example.org' }],
    ['a line separator in the subject', { subject: 'Hello\u2028Bcc: eve@example.org' }],
    ['an empty subject', { subject: ' ' }],
    ['a very long subject', { subject: 'x'.repeat(501) }],
    ['a header behind the name of the sender', { senderName: 'Shop\r\nBcc: eve@example.org' }],
    ['a header behind a file name', { attachments: [{ ...file, filename: 'a\r\nX: y' }] }],
    ['a path as a file name', { attachments: [{ ...file, filename: '../a.pdf' }] }],
    ['a header behind a content type', { attachments: [{ ...file, contentType: 'a/b\r\nX: y' }] }],
    ['a text that cannot be stored', { text: 'a\0b' }],
    [
      'attachments of more than ten megabytes',
      { attachments: [file, { ...file, content: Buffer.alloc(10 * 1024 * 1024) }] },
    ],
  ])('for %s', async (_, overrides) => {
    const context = contextOn(database)
    const [before] = await counts()
    const fault = await queue(context, overrides).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Fault)
    expect(fault).toMatchObject({ kind: 'invalid_request' })
    expect(await counts()).toEqual([before])
  })
})

describe('an address', () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    ['Ada.B+tag@Example.ORG', 'Ada.B+tag@example.org'],
    ["o'neil_%&x@sub.example.co.uk", "o'neil_%&x@sub.example.co.uk"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('is taken: %s', (text, spelled) => {
    expect(parseMailAddress(text)).toBe(spelled)
  })

  it.each([
    ...['', 'ada', '@example.org', 'ada@', 'ada@localhost', 'ada@example.123', 'ada@127.0.0.1'],
    ...['ada@[127.0.0.1]', 'a@b@example.org', 'a..b@example.org', '.a@example.org', 'a b@c.org'],
    ...['"a b"@example.org', 'a(b)@example.org', 'a@example.org;b@example.org', 'a@-b.org'],
    ...['a@example.org ', 'a\u200b@example.org', `${'a'.repeat(65)}@example.org`],
    ...[`a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.org`],
  ])('is refused: %s', (text) => {
    expect(parseMailAddress(text)).toBeUndefined()
  })
})

describe('what a mail said', () => {
  it('is wiped thirty days after it was sent, and the mail is forgotten after 400', async () => {
    const server = await startMailServer()
    const context = { ...contextOn(database), mailer: server.mailer() }
    const id = await queue(context, { html: '<p>secret</p>', attachments: [file] })
    await drain(context)
    const mail = await mailOf(context, id)
    context.clock.advance(30 * day)
    await expire(context)
    expect(await findMailContent(database.sql, mail)).not.toBeNull()
    context.clock.advance(1)
    await expire(context)
    expect(await findMailContent(database.sql, mail)).toBeNull()
    expect(await mailOf(context, id)).toMatchObject({
      ...{ state: 'sent', subject: mail.subject, wipedAt: context.clock.now() },
    })
    const [rest] = await database.sql<{ attachments: number; bodies: number }[]>`
      select
        (
          select count(*)::integer
          from kernel.mail_attachments
          where mail_id = ${id}
        ) as attachments,
        (
          select count(body_text)::integer + count(body_html)::integer
          from kernel.mails
          where id = ${id}
        ) as bodies`
    expect(rest).toEqual({ attachments: 0, bodies: 0 })
    context.clock.advance(370 * day)
    await expire(context)
    expect(await findMailById(database.sql, id)).toBeNull()
  })

  it('stays while it waits to be sent', async () => {
    const context = contextOn(database)
    const id = await queue(context, { attachments: [file] })
    context.clock.advance(500 * day)
    await expire(context)
    const content = await findMailContent(database.sql, await mailOf(context, id))
    expect(content?.attachments).toHaveLength(1)
    await drain(context)
  })

  it('is wiped at once when it opens something, but only when it was sent', async () => {
    const server = await startMailServer()
    const context = { ...contextOn(database), mailer: server.mailer() }
    server.behaviour = { message: () => 451 }
    const id = await queue(context, { isSecret: true, text: 'https://example.com/reset/abc' })
    await drain(context)
    expect(await findMailContent(database.sql, await mailOf(context, id))).not.toBeNull()
    server.behaviour = {}
    context.clock.advance(60_000)
    await drain(context)
    expect(server.received[0]?.message).toContain('/reset/abc')
    expect(await mailOf(context, id)).toMatchObject({ state: 'sent', wipedAt: expect.any(Date) })
    expect(await findMailContent(database.sql, await mailOf(context, id))).toBeNull()
    const kept = await queue(contextOn(database), { isSecret: true })
    await drain(contextOn(database))
    expect(await findMailContent(database.sql, await mailOf(context, kept))).not.toBeNull()
  })
})

describe('a queued mail', () => {
  it('is missed when no one will send it, until it is queued again', async () => {
    const context = contextOn(database)
    await drain(context)
    const id = await queue(context)
    const missed = () => unsentMails.violations(database.sql, context.clock.now())
    expect(await missed()).toEqual([])
    await database.sql`
      update kernel.jobs
      set dead_at = ${context.clock.now()}`
    expect(await missed()).toMatchObject([{ mailId: id }])
    const mail = await mailOf(context, id)
    const again = await database.transaction((tx) => queueMailAgain(tx, context, mail))
    expect(again).toBe(true)
    expect(await missed()).toEqual([])
    await drain(context)
    expect(await mailOf(context, id)).toMatchObject({ state: 'kept' })
  })
})

async function counts() {
  return database.sql<{ mails: number; jobs: number }[]>`
    select
      (select count(*)::integer from kernel.mails) as mails,
      (select count(*)::integer from kernel.jobs) as jobs`
}

async function expire(context: ReturnType<typeof contextOn>): Promise<void> {
  await expireMailsSchedule.run(context, new AbortController().signal)
}
