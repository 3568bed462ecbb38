// Writes the PDF of a document. All other operations on documents run with `cli books do`.
import { getDocumentFile } from '../../../books/documents/get-document-file.ts'
import { isUuid } from '../../../kernel/basics/id.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import { meantTenant } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'

export const pdfCommand: Command = {
  name: 'books pdf',
  summary: 'Write the PDF of an invoice or credit note: `… books pdf … > invoice.pdf`',
  usage: [
    businessUsage,
    '--document ID          the document (see `books do list-documents`)',
    '--as-issued            of a void document: the file as it was issued',
    testUsage,
  ],
  options: {
    business: { type: 'string' },
    document: { type: 'string' },
    'as-issued': { type: 'boolean' },
    test: { type: 'boolean' },
  },
  async run({ context }, options) {
    const id = requiredOption(options, 'document').toLowerCase()
    if (!isUuid(id)) throw new UsageError(`--document is not an id: ${id}`)
    const tenant = await meantTenant(context, options)
    const actor = { kind: 'system', name: 'cli books pdf', ...tenant } as const
    const asIssued = options['as-issued'] === true
    const { content } = await runOperation(getDocumentFile, context, actor, { id, asIssued })
    process.stdout.write(content)
    return 0
  },
}
