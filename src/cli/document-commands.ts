// The PDF of a document at the terminal; everything else is done with `cli books do`.
import { getDocumentFile } from '../books/documents/get-document-file.ts'
import { isUuid } from '../kernel/basics/id.ts'
import { tenantOption, testUsage } from './balance-commands.ts'
import { businessUsage, type Command, requiredOption, UsageError } from './command.ts'

export const pdfCommand: Command = {
  name: 'books pdf',
  summary: 'Write the PDF of an invoice or credit note: `… books pdf … > invoice.pdf`',
  usage: [businessUsage, '--document ID          which (see GET /invoices)', testUsage],
  options: {
    business: { type: 'string' },
    document: { type: 'string' },
    test: { type: 'boolean' },
  },
  async run({ context }, options) {
    const id = requiredOption(options, 'document').toLowerCase()
    if (!isUuid(id)) throw new UsageError(`--document is no id: ${id}`)
    const tenant = await tenantOption(context, options)
    const actor = { kind: 'system', name: 'cli books pdf', ...tenant } as const
    const { content } = await getDocumentFile(context, actor, id)
    process.stdout.write(content)
    return 0
  },
}
