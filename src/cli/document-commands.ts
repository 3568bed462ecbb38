// Documents at the terminal: what an operator does for an organisation that asks for it.
import { approveDocument } from '../books/documents/approve-document.ts'
import type { Document } from '../books/documents/document.ts'
import { getDocumentFile } from '../books/documents/get-document-file.ts'
import { issueDocument } from '../books/documents/issue-document.ts'
import { sendDocument } from '../books/documents/send-document.ts'
import { voidDocument } from '../books/documents/void-document.ts'
import { isUuid } from '../kernel/basics/id.ts'
import type { ServiceContext } from '../kernel/http/service.ts'
import { tenantOption, testUsage } from './balance-commands.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  listOption,
  print,
  requiredOption,
  UsageError,
} from './command.ts'

const documentUsage = '--document ID          which (see GET /invoices and GET /bills)'

const shared = {
  business: { type: 'string' },
  document: { type: 'string' },
  test: { type: 'boolean' },
} as const

export const issueCommand: Command = {
  name: 'books issue',
  summary: 'Issue an invoice or credit note: it gets its number and enters the books',
  usage: [businessUsage, documentUsage, testUsage],
  options: shared,
  async run({ context }, options) {
    const { actor, id } = await subject(context, options, 'cli books issue')
    printState(await issueDocument(context, actor, id))
    return 0
  },
}

export const approveCommand: Command = {
  name: 'books approve',
  summary: 'Approve a document; a bill enters the books with it. Not where four eyes are on',
  usage: [businessUsage, documentUsage, testUsage],
  options: shared,
  async run({ context }, options) {
    const { actor, id } = await subject(context, options, 'cli books approve')
    printState(await approveDocument(context, actor, id))
    return 0
  },
}

export const voidCommand: Command = {
  name: 'books void',
  summary: 'Take a document without payments out of the books again; its number stays used',
  usage: [
    businessUsage,
    documentUsage,
    '--date YYYY-MM-DD      the day of the reversal; today by default',
    testUsage,
  ],
  options: { ...shared, date: { type: 'string' } },
  async run({ context }, options) {
    const { actor, id } = await subject(context, options, 'cli books void')
    const input = options.date === undefined ? {} : { date: requiredOption(options, 'date') }
    printState(await voidDocument(context, actor, id, input))
    return 0
  },
}

export const sendCommand: Command = {
  name: 'books send',
  summary: 'Mail an issued invoice or credit note to the customer, with its PDF',
  usage: [
    businessUsage,
    documentUsage,
    '--to ADDRESS,…         other addresses than that of the customer',
    testUsage,
  ],
  options: { ...shared, to: { type: 'string' } },
  async run({ context }, options) {
    const { actor, id } = await subject(context, options, 'cli books send')
    const to = listOption(options, 'to')
    printState(await sendDocument(context, actor, id, to.length > 0 ? { to } : {}))
    return 0
  },
}

export const pdfCommand: Command = {
  name: 'books pdf',
  summary: 'Write the PDF of an invoice or credit note: `… books pdf … > invoice.pdf`',
  usage: [businessUsage, documentUsage, testUsage],
  options: shared,
  async run({ context }, options) {
    const { actor, id } = await subject(context, options, 'cli books pdf')
    const { content } = await getDocumentFile(context, actor, id)
    process.stdout.write(content)
    return 0
  },
}

async function subject(context: ServiceContext, options: CommandOptions, name: string) {
  const id = requiredOption(options, 'document').toLowerCase()
  if (!isUuid(id)) throw new UsageError(`--document is no id: ${id}`)
  const actor = { kind: 'system', name, ...(await tenantOption(context, options)) } as const
  return { actor, id }
}

function printState({ number, kind, status }: Document): void {
  print(`${number ?? kind}: ${status}`)
}
