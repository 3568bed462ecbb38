// The outbox at the terminal and in the metrics.
import { expect, it, vi } from 'vitest'
import { retryMail, showMail, showMails } from '../../src/cli/commands/operator/mail-commands.ts'
import { type Command, type CommandOptions, UsageError } from '../../src/cli/core/command.ts'
import { readSettings } from '../../src/config.ts'
import { startMailServer } from '../support/mail-server.ts'
import { drain, mailOf, queue } from '../support/mails.ts'
import { metricsText } from '../support/metrics.ts'
import { useWorld } from '../support/world.ts'

const metricsToken = 'a-token-for-the-metrics-of-this-test'
const world = useWorld({ settings: { metricsToken } })

async function run(command: Command, options: CommandOptions = {}): Promise<string> {
  const printed: Buffer[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(Buffer.from(chunk))
    return true
  })
  try {
    const settings = readSettings([])
    const people = () => Promise.reject(new Error('no one is asked for'))
    const askSecrets = async () => []
    await command.run({ context: world().context, settings, people, askSecrets }, options)
    return Buffer.concat(printed).toString()
  } finally {
    write.mockRestore()
  }
}

async function keptMail(businessId: string): Promise<string> {
  const { context } = world()
  const id = await queue(context, {
    tenant: { businessId, environment: 'live' },
    subject: `Kept for ${businessId}`,
    text: 'Hello\u001b[2J\nthere',
    attachments: [
      { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') },
    ],
  })
  await drain(context)
  return id
}

it('lists mails by business and state, the newest first', async () => {
  const businessId = await world().business()
  const [first, second] = [await keptMail(businessId), await keptMail(businessId)]
  const other = await keptMail(await world().business())
  const listed = await run(showMails, { business: businessId })
  expect(listed.indexOf(second)).toBeLessThan(listed.indexOf(first))
  expect(listed).toContain(`kept\n  Kept for ${businessId}\n  to ada@example.org`)
  expect(listed).not.toContain(other)
  expect(await run(showMails, { state: 'kept' })).toContain(other)
  expect(await run(showMails, { business: businessId, state: 'sent' })).toBe('No mails.\n')
  const [mail] = JSON.parse(await run(showMails, { business: businessId, json: true }))
  expect(mail).toMatchObject({ id: second, state: 'kept', recipients: ['ada@example.org'] })
  expect(mail).not.toHaveProperty('body_text')
})

it('shows a mail without letting it move the cursor, and writes it as a file', async () => {
  const id = await keptMail(await world().business())
  const shown = await run(showMail, { mail: id })
  expect(shown).toContain('Hello\ufffd[2J\nthere')
  expect(shown).toContain('attached a.pdf (application/pdf, 4 bytes)')
  const raw = await run(showMail, { mail: id, raw: true })
  expect(raw).toContain(`Message-ID: <${id}@localhost>\r\n`)
  expect(raw).toContain(Buffer.from('%PDF').toString('base64'))
  expect(await run(showMail, { mail: id, raw: true })).toBe(raw)
})

it('sends again what failed, to those who refused it, and what was kept', async () => {
  const server = await startMailServer()
  const context = { ...world().context, mailer: server.mailer() }
  const tenant = { businessId: await world().business(), environment: 'live' } as const
  const to = ['a@example.org', 'b@example.org']
  server.behaviour = { recipient: (address) => (address.startsWith('b') ? 550 : undefined) }
  const id = await queue(context, { tenant, to })
  await drain(context)
  server.behaviour = {}
  expect(await run(retryMail, { mail: id })).toContain('Queued')
  await drain(context)
  expect(server.received.map((mail) => mail.to)).toEqual([['a@example.org'], ['b@example.org']])
  expect(await mailOf(context, id)).toMatchObject({ state: 'sent', problem: null, refused: [] })
  await expect(run(retryMail, { mail: id })).rejects.toThrow('it is sent')
  const [act] = await context.database.sql`
    select action, actor_id
    from kernel.audit_log
    where object_id = ${id}`
  expect(act).toMatchObject({ action: 'mail.retry', actorId: 'cli mails retry' })
  const kept = await keptMail(tenant.businessId)
  await run(retryMail, { mail: kept })
  await drain(context)
  expect(await mailOf(context, kept)).toMatchObject({ state: 'sent', attempts: 1 })
  const sandbox = await queue(context, { tenant: { ...tenant, environment: 'test' } })
  await drain(context)
  await expect(run(retryMail, { mail: sandbox })).rejects.toThrow('sends no mail')
})

it('says what there is when it is asked for something else', async () => {
  await expect(run(showMail, { mail: 'none' })).rejects.toThrow(UsageError)
  await expect(run(showMail, { mail: world().context.ids.uuid() })).rejects.toThrow('no mail')
  await expect(run(showMails, { state: 'lost' })).rejects.toThrow('--state must be one of')
})

it('is counted in the metrics, waiting ones with their age', async () => {
  const { context, database } = world()
  await keptMail(await world().business())
  await queue(context)
  await database.sql`
    update kernel.mails
    set created_at = created_at - interval '2 days'
    where state = 'queued'`
  const text = await metricsText(world(), metricsToken)
  expect(text).toMatch(/^tillbook_mails\{state="queued"\} 1$/m)
  expect(text).toMatch(/^tillbook_mails\{state="kept"\} [1-9]/m)
  expect(text).toMatch(/^tillbook_mails\{state="failed"\} 0$/m)
  const [, age] = /^tillbook_oldest_queued_mail_seconds (\S+)$/m.exec(text) ?? []
  expect(Number(age)).toBeGreaterThan(2 * 24 * 60 * 60 - 1)
})
