// The rules for mails. Everything that becomes part of a header is one line and is checked here,
// before it is stored, so that a name or address can't inject a header, a recipient or a message.
import { domainToASCII } from 'node:url'
import { type Fault, invalidField } from '../basics/fault.ts'
import { isOneLine } from '../basics/one-line.ts'
import type { Environment, Tenant } from '../basics/tenant.ts'

export type NewMail = {
  // Of the fact that it tells, so that it is told once: a second mail with this id is ignored.
  readonly id?: string
  // Null for mails of the installation. Mails of a sandbox are stored and never sent.
  readonly tenant: Tenant | null
  // For the list of mails in the application.
  readonly kind?: MailKind
  // Plain addresses; recipients see each other.
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly Attachment[]
  // Where replies go; by default to the sender address of the installation.
  readonly replyTo?: string
  // Shown instead of the name in MAIL_FROM; the address stays the same.
  readonly senderName?: string
  // Contains a secret link or code: its content is deleted as soon as it is sent.
  readonly isSecret?: boolean
}

export type Attachment = {
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

// `notice`: to the people of the business. The pages name them in the words of the services.
export const mailKinds = [
  'document',
  'quote',
  'reminder',
  'statement',
  'receipt',
  'money_back',
  'subscription',
  'notice',
  'other',
] as const
export type MailKind = (typeof mailKinds)[number]

export const mailStates = ['queued', 'sent', 'failed', 'kept'] as const
export type MailState = (typeof mailStates)[number]

// Identified by shard and id, like jobs, because a mail may have no tenant.
export type MailKey = { readonly shard: number; readonly id: string }

export type Mail = MailKey & {
  readonly businessId: string | null
  readonly environment: Environment | null
  readonly kind: MailKind
  readonly state: MailState
  readonly recipients: string[]
  readonly accepted: string[]
  readonly refused: string[]
  readonly replyTo: string | null
  readonly senderName: string | null
  readonly subject: string
  readonly isSecret: boolean
  readonly messageId: string | null
  readonly attempts: number
  readonly attemptedAt: Date | null
  readonly problem: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly wipedAt: Date | null
}

// Null after deletion.
export type MailContent = {
  readonly bodyText: string
  readonly bodyHtml: string | null
  readonly attachments: readonly Attachment[]
}

export type MailFilter = {
  readonly businessId?: string | undefined
  readonly state?: MailState | undefined
}

const recipientsMax = 50
const subjectMax = 500
const nameMax = 200
const bodyMax = 1_000_000
const attachmentsMax = 20
// Encoding adds a third, and many servers accept at most 20 MB.
const attachmentBytesMax = 10 * 1024 * 1024

// Throws the Fault `invalid_request` if the mail can't be sent.
export function checkMail(mail: NewMail): void {
  if (mail.to.length === 0 || mail.to.length > recipientsMax) {
    throw invalidField('to', `Must be 1 to ${recipientsMax} e-mail addresses.`)
  }
  for (const address of mail.to) checkAddress('to', address)
  if (mail.replyTo !== undefined) checkAddress('replyTo', mail.replyTo)
  checkLine('subject', mail.subject, subjectMax)
  if (mail.senderName !== undefined) checkLine('senderName', mail.senderName, nameMax)
  for (const body of [mail.text, mail.html ?? '']) {
    if (body.length > bodyMax || !body.isWellFormed() || body.includes('\0')) {
      throw invalidField('text', `Must be readable text of at most ${bodyMax} characters.`)
    }
  }
  checkAttachments(mail.attachments ?? [])
}

// The normalised address, or undefined if the text is not one. Quoted local parts and addresses in
// brackets are legal but refused: no one uses them, and programs parse them differently.
export function parseMailAddress(text: string): string | undefined {
  const [, local = '', domain = ''] = addressPattern.exec(text) ?? []
  const ascii = domainToASCII(domain).toLowerCase()
  const isDomain = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(ascii)
  const address = `${local}@${ascii}`
  return local !== '' && local.length <= 64 && isDomain && address.length <= 254
    ? address
    : undefined
}

const addressPattern = /^([^\s@<>()[\],;:\\"\p{C}.]+(?:\.[^\s@<>()[\],;:\\"\p{C}.]+)*)@([^\s@]+)$/u

function checkAddress(field: string, text: string): void {
  if (parseMailAddress(text) === undefined) {
    throw invalidField(field, 'Must be an e-mail address.')
  }
}

function checkAttachments(attachments: readonly Attachment[]): void {
  const bytes = attachments.reduce((sum, { content }) => sum + content.byteLength, 0)
  if (attachments.length > attachmentsMax || bytes > attachmentBytesMax) throw tooMuchAttached()
  for (const { filename, contentType } of attachments) {
    checkLine('attachments', filename, nameMax)
    if (/[/\\]/.test(filename) || !/^[\w.+-]+\/[\w.+-]+$/.test(contentType)) {
      throw invalidField('attachments', 'Must have plain file names and known content types.')
    }
  }
}

function tooMuchAttached(): Fault {
  const megabytes = attachmentBytesMax / 1024 / 1024
  return invalidField(
    'attachments',
    `Must be at most ${attachmentsMax} files with ${megabytes} MB together.`,
  )
}

function checkLine(field: string, text: string, max: number): void {
  if (text.trim() === '' || text.length > max || !isOneLine(text)) {
    throw invalidField(field, `Must be one line of 1 to ${max} characters.`)
  }
}
