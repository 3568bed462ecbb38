// Several documents or quotes in one PDF, in the given order, to read or print them. Each looks as
// in its own file: drafts and void documents are marked. They are drawn again from what was frozen
// when they were issued; the files that customers got are in the ZIP (export-documents.ts).
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalid, notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findDocument } from '../documents/document-store.ts'
import { drawPdfs, type ToDraw } from '../documents/pdf/drawing.ts'
import { type DocumentFile, printedDocument } from '../documents/read-document-file.ts'
import { printedQuote } from '../quotes/get-quote-file.ts'
import { chosenPapers } from './chosen-papers.ts'

// They are drawn in one go, and other drawings wait meanwhile. This many take a second or two.
export const drawnDocumentsMax = 50
const drawnLinesMax = 2000

const advice = 'Choose fewer, or download a ZIP.'

export const drawDocuments = defineOperation({
  name: 'draw-documents',
  summary: 'Get several documents or quotes in one PDF',
  kind: 'read',
  input: chosenPapers(
    drawnDocumentsMax,
    `A PDF has at most ${drawnDocumentsMax} documents. ${advice}`,
  ),
  scopes: [],
  roles: everyRole,
  async run(context, actor, { kind, ids }): Promise<DocumentFile> {
    const drawn: ToDraw[] = []
    let lineCount = 0
    for (const id of ids) {
      const one = kind === 'quote' ? await quote(id) : await document(id)
      lineCount += one.snapshot.lines.length
      if (lineCount > drawnLinesMax) {
        throw invalid(`These documents have more than ${drawnLinesMax} lines. ${advice}`)
      }
      drawn.push(one)
    }
    const [first, ...others] = drawn
    const all = [assertDefined(first, 'nothing to draw'), ...others] as const
    return { filename: `${kind}s.pdf`, content: await drawPdfs(context, actor, all) }

    async function document(id: string): Promise<ToDraw> {
      const found = await findDocument(context.database.sql, actor, id)
      if (!found) throw notFound('document')
      return printedDocument(context, actor, found)
    }

    async function quote(id: string): Promise<ToDraw> {
      return { snapshot: await printedQuote(context, actor, id), isVoid: false }
    }
  },
})
