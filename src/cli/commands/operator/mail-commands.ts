// The mails that were sent, failed or are waiting, and those that are kept because there is no mail
// server, as in the demo.
import {
  findMailWithContent,
  listNewestMails,
  type MailWithContent,
  newestMailsMax,
  retryMail as retry,
} from '../../../app/mails.ts'
import { composeMail } from '../../../kernel/mail/compose-mail.ts'
import {
  type Mail,
  type MailContent,
  type MailState,
  mailStates,
} from '../../../kernel/mail/mail.ts'
import { findNamedBusiness } from '../../core/choose-business.ts'
import {
  type Command,
  type CommandOptions,
  type CommandWorld,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'

// Where MAIL_FROM is not set nothing was sent, so nobody else has seen this one.
const localSender = { name: 'Tillbook', address: 'tillbook@localhost' }

export const showMails: Command = {
  name: 'mails list',
  summary: 'List the newest mails: sent, failed, queued, or kept where no mail server is set',
  usage: [
    '--business ID          of this business alone',
    `--state STATE          ${mailStates.join(', ')}`,
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    state: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const named = await findNamedBusiness(context, options)
    const filter = { businessId: named?.id, state: stateOption(options) }
    const mails = await listNewestMails(context, filter)
    if (options.json) {
      printJson(mails)
      return 0
    }
    for (const mail of mails) for (const line of describe(mail)) print(line)
    if (mails.length === 0) print('No mails.')
    if (mails.length === newestMailsMax) {
      print(`These are the newest ${newestMailsMax}; there may be more.`)
    }
    return 0
  },
}

export const showMail: Command = {
  name: 'mails show',
  summary: 'Show one mail, or write it as a file that mail programs open',
  usage: [
    '--mail ID              which (see `cli mails list`)',
    '--raw                  the message as sent: `… mails show --mail ID --raw > mail.eml`',
  ],
  options: { mail: { type: 'string' }, raw: { type: 'boolean' } },
  async run({ context, settings }, options) {
    const { mail, content } = await findMailOption(context, options)
    if (options.raw) {
      if (!content) throw new UsageError(`what the mail said was wiped ${when(mail.wipedAt)}`)
      process.stdout.write(await composeMail(mail, content, settings.mailFrom ?? localSender))
      return 0
    }
    for (const line of describe(mail)) print(line)
    for (const line of contentLines(mail, content)) print(line)
    return 0
  },
}

export const retryMail: Command = {
  name: 'mails retry',
  summary: 'Send a mail that failed or was kept, once what stood in its way is mended',
  usage: ['--mail ID              which (see `cli mails list`)'],
  options: { mail: { type: 'string' } },
  async run({ context }, options) {
    const { mail } = await findMailOption(context, options)
    const { id, state, environment } = mail
    if (environment === 'test') throw new UsageError('a sandbox mails nobody')
    const isQueued = await retry(context, 'cli mails retry', mail)
    if (!isQueued) {
      const reason = mail.wipedAt
        ? `what it said was wiped ${when(mail.wipedAt)}`
        : `it is ${state}`
      throw new UsageError(`mail ${id} cannot be sent again: ${reason}`)
    }
    print('Queued. The service sends it within seconds, where it has a mail server.')
    return 0
  },
}

function stateOption({ state }: CommandOptions): MailState | undefined {
  if (state === undefined) return undefined
  const found = mailStates.find((one) => one === state)
  if (!found) throw new UsageError(`--state must be one of ${mailStates.join(', ')}`)
  return found
}

async function findMailOption(
  context: CommandWorld['context'],
  options: CommandOptions,
): Promise<MailWithContent> {
  const id = requiredOption(options, 'mail').toLowerCase()
  const found = await findMailWithContent(context, id)
  if (found) return found
  throw new UsageError(`there is no mail ${id}; \`cli mails list\` shows what there is`)
}

function describe(mail: Mail): string[] {
  const { id, state, recipients, subject, createdAt, businessId, environment } = mail
  const whose = businessId ? `business ${businessId}` : 'the installation'
  const sandbox = environment === 'test' ? ' (sandbox)' : ''
  const attempts = mail.attempts > 0 ? `, attempts ${mail.attempts}` : ''
  const refused = mail.refused.length > 0 ? [`  refused by ${mail.refused.join(', ')}`] : []
  return [
    `${id}  ${createdAt.toISOString()}  ${state}${attempts}`,
    `  ${subject}`,
    `  to ${recipients.join(', ')}, of ${whose}${sandbox}`,
    ...refused,
    ...(mail.problem === null ? [] : [`  the mail server: ${mail.problem}`]),
  ]
}

function contentLines(mail: Mail, content: MailContent | null): string[] {
  if (!content) return ['', `What it said was wiped ${when(mail.wipedAt)}.`]
  const files = content.attachments.map(
    ({ filename, contentType, content: bytes }) =>
      `  attached ${filename} (${contentType}, ${bytes.byteLength} bytes)`,
  )
  const replyTo = mail.replyTo === null ? [] : [`  answers go to ${mail.replyTo}`]
  return [...replyTo, ...files, '', printable(content.bodyText)]
}

// Whoever wrote into the mail must not move the cursor of the terminal.
function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
}

function when(date: Date | null): string {
  return date?.toISOString() ?? ''
}
