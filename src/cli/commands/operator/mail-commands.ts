// Lists, shows and retries mails, including those that are only stored because no mail server is
// set, as in the demo.
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

// Without MAIL_FROM, the mail was never sent, so any sender will do.
const localSender = { name: 'Tillbook', address: 'tillbook@localhost' }

export const showMails: Command = {
  name: 'mails list',
  summary: 'List the newest mails: sent, failed, queued, or stored because no mail server is set',
  usage: [
    '--business ID          only this business',
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
  summary: 'Show a mail, or write it as a file for a mail program',
  usage: [
    '--mail ID              which (see `cli mails list`)',
    '--raw                  the message as sent: `… mails show --mail ID --raw > mail.eml`',
  ],
  options: { mail: { type: 'string' }, raw: { type: 'boolean' } },
  async run({ context, settings }, options) {
    const { mail, content } = await findMailOption(context, options)
    if (options.raw) {
      if (!content)
        throw new UsageError(`the content of the mail was deleted ${when(mail.wipedAt)}`)
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
  summary: 'Send a failed or stored mail again',
  usage: ['--mail ID              which (see `cli mails list`)'],
  options: { mail: { type: 'string' } },
  async run({ context }, options) {
    const { mail } = await findMailOption(context, options)
    const { id, state, environment } = mail
    if (environment === 'test') throw new UsageError('the sandbox sends no mail')
    const isQueued = await retry(context, 'cli mails retry', mail)
    if (!isQueued) {
      const reason = mail.wipedAt
        ? `its content was deleted ${when(mail.wipedAt)}`
        : `it is ${state}`
      throw new UsageError(`mail ${id} cannot be sent again: ${reason}`)
    }
    print('Queued. The service sends it within seconds if it has a mail server.')
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
  throw new UsageError(`there is no mail ${id}; see \`cli mails list\``)
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
  if (!content) return ['', `Its content was deleted ${when(mail.wipedAt)}.`]
  const files = content.attachments.map(
    ({ filename, contentType, content: bytes }) =>
      `  attached ${filename} (${contentType}, ${bytes.byteLength} bytes)`,
  )
  const replyTo = mail.replyTo === null ? [] : [`  replies go to ${mail.replyTo}`]
  return [...replyTo, ...files, '', printable(content.bodyText)]
}

// Strips control characters, so that the text of a mail can't move the cursor of the terminal.
function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
}

function when(date: Date | null): string {
  return date?.toISOString() ?? ''
}
