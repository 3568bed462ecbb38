// Several documents or quotes as a ZIP with one PDF for each, named by its number. It is sent while
// it is made, one file after the other, so hundreds of documents take no more memory than one.
import type { Actor } from '../../kernel/auth/actor.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { type ZipEntry, zipOf } from '../../kernel/basics/zip.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import { batchDocumentsMax } from '../batches/batch.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { getDocumentFile } from '../documents/get-document-file.ts'
import { listNamedDocuments } from '../documents/named-document-store.ts'
import { getQuoteFile } from '../quotes/get-quote-file.ts'
import { listQuotesByIds } from '../quotes/quote-store.ts'
import { chosenPapers } from './chosen-papers.ts'

export const exportedDocumentsMax = batchDocumentsMax

export const exportDocuments = defineOperation({
  name: 'export-documents',
  summary: 'Get several documents or quotes as a ZIP of PDFs',
  kind: 'read',
  input: chosenPapers(
    exportedDocumentsMax,
    `A ZIP has at most ${exportedDocumentsMax} documents. Choose fewer.`,
  ),
  scopes: [],
  roles: everyRole,
  async run(context, actor, { kind, ids }): Promise<AsyncIterable<Uint8Array>> {
    // Before the first byte is sent: an error later on would cut off the download.
    const { sql } = context.database
    const list = kind === 'quote' ? listQuotesByIds : listNamedDocuments
    const found = new Set((await list(sql, actor, ids)).map(({ id }) => id))
    if (ids.some((id) => !found.has(id))) throw notFound(kind)
    return zipOf(filesOf(context, actor, kind, ids), context.clock.now())
  },
})

async function* filesOf(
  context: BooksContext,
  actor: Actor,
  kind: 'document' | 'quote',
  ids: readonly string[],
): AsyncIterable<ZipEntry> {
  const file = kind === 'quote' ? getQuoteFile : getDocumentFile
  const used = new Set<string>()
  for (const id of ids) {
    const { filename, content } = await runOperation(file, context, actor, { id })
    yield { name: freeName(used, filename), content }
  }
}

// Drafts have no number and the same name; and on some systems case does not count.
function freeName(used: Set<string>, filename: string): string {
  let name = filename
  for (let count = 2; used.has(name.toLowerCase()); count += 1) {
    name = filename.replace(/\.pdf$/, `-${count}.pdf`)
  }
  used.add(name.toLowerCase())
  return name
}
