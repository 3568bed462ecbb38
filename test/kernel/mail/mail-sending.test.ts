// Passing mails to a mail server over the wire, with everything that can go wrong.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseSettings } from '../../../src/config.ts'
import type { Mailer } from '../../../src/kernel/mail/mailer.ts'
import { queueMail } from '../../../src/kernel/mail/queue-mail.ts'
import { sendMailJob } from '../../../src/kernel/mail/send-mail.ts'
import { openMailer } from '../../../src/start/open-mailer.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { contextOn, jobStates, tenant, workerFor } from '../../support/jobs.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { drain, mailOf, newMail, queue } from '../../support/mails.ts'
import { makeCertificate } from '../../support/receiver.ts'

const certificate = makeCertificate()
const login = { user: 'shop@example.com', password: 'hush-hush/%@:' }
const minute = 60_000

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})

afterAll(() => database.drop())

// What one test leaves waiting is nothing to the next.
beforeEach(async () => {
  await database.sql`delete from kernel.jobs`
})

function contextWith(mailer: Mailer | undefined, logLines: string[] = []) {
  return { ...contextOn(database, undefined, logLines), mailer }
}

describe('a mail', () => {
  it('is sent after the commit, and never when the transaction rolls back', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    await expect(
      context.database.transaction(async (tx) => {
        await queueMail(tx, context, newMail())
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await drain(context)
    expect(server.received).toEqual([])
    const id = await queue(context)
    expect(server.received).toEqual([])
    await drain(context)
    expect(server.received).toHaveLength(1)
    expect(await mailOf(context, id)).toMatchObject({ state: 'sent', attempts: 1, problem: null })
    expect(await jobStates(context)).toEqual([])
  })

  it('has the headers and parts that it was queued with', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    const content = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256))
    const id = await queue(context, {
      to: ['ada@example.org', 'Bob@Example.ORG'],
      subject: 'Rechnung für Ελένη',
      html: '<p>Dear <b>Ada</b></p>',
      replyTo: 'shop@example.net',
      senderName: 'Shop, "Best" <Ltd>',
      attachments: [{ filename: 'Ελένη 1.pdf', contentType: 'application/pdf', content }],
    })
    await drain(context)
    const [received] = server.received
    const message = received?.message.replaceAll('\r\n', '\n') ?? ''
    expect(received).toMatchObject({
      from: 'billing@example.com',
      to: ['ada@example.org', 'Bob@example.org'],
    })
    expect(message).toContain('From: "Shop, \\"Best\\" <Ltd>" <billing@example.com>\n')
    expect(message).toContain('To: ada@example.org, Bob@example.org\n')
    expect(message).toContain('Reply-To: shop@example.net\n')
    expect(message).toContain(`Message-ID: <${id}@example.com>\n`)
    expect(message).toContain('Date: Sun, 01 Mar 2026 12:00:00 +0000\n')
    expect(message).toMatch(/^Subject: =\?UTF-8\?/m)
    expect(message).toContain('Dear Ada,\nsomething happened.\n')
    expect(message).toContain('<p>Dear <b>Ada</b></p>')
    expect(message).toMatch(/^Content-Type: application\/pdf; name\*?/m)
    expect(message.replaceAll('\n', '')).toContain(content.toString('base64'))
  })

  it('goes where SMTP_URL says, from whom MAIL_FROM says', async () => {
    const server = await startMailServer()
    const settings = parseSettings({
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'Example Ltd <post@example.net>',
    })
    const context = contextWith(openMailer(settings))
    const id = await queue(context)
    await drain(context)
    expect(server.received).toMatchObject([{ from: 'post@example.net' }])
    expect(server.received[0]?.message).toContain('From: Example Ltd <post@example.net>')
    expect(server.received[0]?.message).toContain(`Message-ID: <${id}@example.net>`)
    expect(openMailer(parseSettings({}))).toBeUndefined()
  })

  it('is sent with no transaction open', async () => {
    const server = await startMailServer()
    const mailer = server.mailer()
    const sending = database.transaction(() => mailer.send(['a@example.org'], Buffer.from('a')))
    await expect(sending).rejects.toThrow('sending a mail inside an open transaction')
    expect(server.senders).toEqual([])
  })

  it('of a sandbox is kept, and so is every mail where there is no server', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    const sandbox = { ...tenant(context), environment: 'test' } as const
    const id = await queue(context, { tenant: sandbox })
    await drain(context)
    expect(server.senders).toEqual([])
    expect(await mailOf(context, id)).toMatchObject({ state: 'kept', attempts: 0 })
    const other = await queue(contextWith(undefined))
    await drain(contextWith(undefined))
    expect(await mailOf(context, other)).toMatchObject({ state: 'kept', attempts: 0 })
  })
})

describe('encryption and login', () => {
  it('begins with STARTTLS and then logs in', async () => {
    const server = await startMailServer({ certificate, login })
    const context = contextWith(server.mailer({ tls: 'required', login, ca: certificate.cert }))
    await queue(context)
    await drain(context)
    expect(server.received).toMatchObject([{ isEncrypted: true, user: login.user }])
  })

  it('is there from the start with smtps', async () => {
    const server = await startMailServer({ certificate, login, isEncrypted: true })
    const context = contextWith(server.mailer({ tls: 'implicit', login, ca: certificate.cert }))
    await queue(context)
    await drain(context)
    expect(server.received).toMatchObject([{ isEncrypted: true, user: login.user }])
  })

  it('sends nothing to a server that does not encrypt', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer({ tls: 'required' }))
    const id = await queue(context)
    await drain(context)
    expect(server.senders).toEqual([])
    expect(await mailOf(context, id)).toMatchObject({ state: 'queued', attempts: 1 })
  })

  it('sends nothing to a server whose certificate is not trusted', async () => {
    const server = await startMailServer({ certificate, login })
    const context = contextWith(server.mailer({ tls: 'required', login }))
    const id = await queue(context)
    await drain(context)
    expect(server.senders).toEqual([])
    expect(await mailOf(context, id)).toMatchObject({
      state: 'queued',
      problem: expect.stringContaining('certificate'),
    })
  })

  it('that is refused fails no mail, and the password is told no one', async () => {
    const server = await startMailServer({ certificate, login })
    const wrong = { user: login.user, password: 'hush-other' }
    const options = { tls: 'required', ca: certificate.cert } as const
    const logLines: string[] = []
    const context = contextWith(server.mailer({ ...options, login: wrong }), logLines)
    const id = await queue(context)
    await drain(context)
    const mail = await mailOf(context, id)
    expect(mail).toMatchObject({ state: 'queued', problem: expect.stringMatching(/^535 /) })
    expect(logLines).toHaveLength(1)
    const [job] = await jobStates(context)
    expect(JSON.stringify([mail, logLines, job])).not.toContain('hush')
    context.clock.advance(minute)
    await drain({ ...context, mailer: server.mailer({ ...options, login }) })
    expect(await mailOf(context, id)).toMatchObject({ state: 'sent', attempts: 2 })
  })
})

describe('a refusal', () => {
  it('for now is tried again, after a minute and then at growing gaps', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    server.behaviour = { message: () => 451 }
    const id = await queue(context)
    const gaps = [1, 5, 15, 60, 180, 360, 360]
    for (const [index, minutes] of gaps.entries()) {
      await drain(context)
      expect(server.senders).toHaveLength(index + 1)
      context.clock.advance(minutes * minute - 1)
      await drain(context)
      expect(server.senders).toHaveLength(index + 1)
      context.clock.advance(1)
    }
    expect(await mailOf(context, id)).toMatchObject({
      state: 'queued',
      problem: '451 not this message',
    })
    server.behaviour = {}
    await drain(context)
    expect(server.received).toHaveLength(1)
    const sent = { state: 'sent', attempts: gaps.length + 1, problem: null }
    expect(await mailOf(context, id)).toMatchObject(sent)
  })

  it('for good ends the mail with the reason, and it is not tried again', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    server.behaviour = { message: () => 554 }
    const id = await queue(context)
    await drain(context)
    expect(await mailOf(context, id)).toMatchObject({
      ...{ state: 'failed', problem: '554 not this message', refused: ['ada@example.org'] },
    })
    context.clock.advance(10 * 24 * 60 * minute)
    await drain(context)
    expect(server.senders).toHaveLength(1)
    expect(await jobStates(context)).toEqual([])
  })

  it('of one recipient leaves the others with the mail, once', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    const to = ['a@example.org', 'b@example.org', 'c@example.org']
    let greylisted = true
    const statuses = (address: string) => {
      if (address.startsWith('a')) return 550
      return address.startsWith('b') && greylisted ? 450 : undefined
    }
    server.behaviour = { recipient: statuses }
    const id = await queue(context, { to })
    await drain(context)
    expect(server.received.map((mail) => mail.to)).toEqual([['c@example.org']])
    expect(await mailOf(context, id)).toMatchObject({ state: 'queued' })
    greylisted = false
    context.clock.advance(minute)
    await drain(context)
    expect(server.received.map((mail) => mail.to)).toEqual([['c@example.org'], ['b@example.org']])
    // Everybody sees to whom it went.
    expect(server.received[1]?.message).toContain(`To: ${to.join(', ')}`)
    expect(await mailOf(context, id)).toMatchObject({
      state: 'failed',
      accepted: ['c@example.org', 'b@example.org'],
      refused: ['a@example.org'],
      problem: '550 no a@example.org',
    })
  })

  it('of everybody, for some only now, is tried again for those', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    server.behaviour = { recipient: (address) => (address.startsWith('a') ? 550 : 450) }
    const id = await queue(context, { to: ['a@example.org', 'b@example.org'] })
    await drain(context)
    expect(await mailOf(context, id)).toMatchObject({ state: 'queued', refused: ['a@example.org'] })
  })
})

describe('a server that cannot be relied on', () => {
  it('gets the same message again when it cuts the line before it has answered', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    let drops = 1
    server.behaviour = { message: () => (drops-- > 0 ? 'drop' : undefined) }
    const id = await queue(context, {
      html: '<p>parts</p>',
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') }],
    })
    await drain(context)
    expect(await mailOf(context, id)).toMatchObject({ state: 'queued', attempts: 1 })
    context.clock.advance(minute)
    await drain(context)
    const [first, second] = server.received
    expect(server.received).toHaveLength(2)
    expect(second?.message).toContain(`Message-ID: <${id}@example.com>`)
    expect(second?.message).toBe(first?.message)
    expect(await mailOf(context, id)).toMatchObject({ state: 'sent', attempts: 2 })
  })

  it('keeps its Message-ID when the sender is another by then', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    server.behaviour = { message: () => 451 }
    const id = await queue(context)
    await drain(context)
    server.behaviour = {}
    context.clock.advance(minute)
    const mailer = { ...server.mailer(), sender: { name: '', address: 'new@example.net' } }
    await drain({ ...context, mailer })
    expect(server.received[0]?.message).toContain(`Message-ID: <${id}@example.com>`)
    expect(server.received[0]?.message).toContain('From: new@example.net')
  })

  it('is given up when it says nothing', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer({ silenceMs: 300 }))
    let answer: () => void = () => undefined
    const silence = new Promise<void>((resolve) => {
      answer = resolve
    })
    server.behaviour = { beforeAnswer: () => silence }
    const id = await queue(context)
    await drain(context)
    expect(await mailOf(context, id)).toMatchObject({ state: 'queued', attempts: 1 })
    answer()
  })

  it('is tried sixteen times, over more than two days, and then the mail has failed', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer({ port: 1 }))
    const id = await queue(context)
    const startedAt = context.clock.now()
    for (let attempt = 1; attempt <= 16; attempt += 1) {
      expect(await mailOf(context, id)).toMatchObject({ state: 'queued', attempts: attempt - 1 })
      await drain(context)
      const [job] = await jobStates(context)
      if (job) context.clock.set(job.runAt)
    }
    const mail = await mailOf(context, id)
    expect(mail).toMatchObject({ state: 'failed', attempts: 16, accepted: [], refused: [] })
    expect(mail.problem).toContain('ECONNREFUSED')
    const days = (context.clock.now().getTime() - startedAt.getTime()) / (24 * 60 * minute)
    expect(days).toBeGreaterThan(2)
    expect(await jobStates(context)).toEqual([])
  })
})

describe('two workers', () => {
  it('send every mail once', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    const ids: string[] = []
    for (let count = 0; count < 20; count += 1) {
      ids.push(await queue(context, { tenant: tenant(context) }))
    }
    await Promise.all([drain(context), drain(context)])
    const sent = server.received.map(({ message }) => /^Message-ID: <(.*)@/m.exec(message)?.[1])
    expect(sent.toSorted()).toEqual(ids.toSorted())
  })

  it('of whom one is thought dead send the same message, and record it once', async () => {
    const server = await startMailServer()
    const context = contextWith(server.mailer())
    const id = await queue(context)
    let arrive: () => void = () => undefined
    let answer: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    server.behaviour = {
      beforeAnswer: () => {
        arrive()
        return answered
      },
    }
    const slow = workerFor(context, { jobs: [sendMailJob] }).drain()
    await arrived
    server.behaviour = {}
    context.clock.advance(2 * minute)
    await drain(context)
    answer()
    await slow
    expect(server.received).toHaveLength(2)
    expect(server.received[0]?.message).toBe(server.received[1]?.message)
    expect(await mailOf(context, id)).toMatchObject({ state: 'sent', attempts: 1 })
  })
})
