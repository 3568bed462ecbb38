// A file that belongs to a document or quote: the scan of a bill, a receipt, a signed order. Its
// content is encrypted at rest. A file that is uploaded before the first save of its document waits
// for it, and belongs to the person who uploaded it until then.
import type { FileType } from '../../kernel/basics/file-type.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import type { Document } from '../documents/document.ts'
import { transitionProblem } from '../documents/document-transition.ts'
import type { Quote } from '../quotes/quote.ts'
import type { Organisation } from '../settings/organisation.ts'

export type Attachment = {
  readonly id: string
  // Both null: it waits.
  readonly documentId: string | null
  readonly quoteId: string | null
  readonly fileName: string
  readonly contentType: FileType
  readonly byteCount: number
  readonly sha256: Buffer
  readonly addedByKind: 'key' | 'person' | 'system'
  readonly addedBy: string
  readonly addedAt: Date
}

// Photos and scans of a few pages are well below this.
export const attachmentBytesMax = 5 * 1024 * 1024
export const attachmentsMax = 10
// Of one person. A file waits while someone fills in a form, so they have forgotten these.
export const waitingFilesMax = 30
export const waitingDays = 3

// What a file belongs to. Neither: it waits.
export const ownerFields = { documentId: uuid().optional(), quoteId: uuid().optional() }
export type Owner = {
  readonly documentId?: string | undefined
  readonly quoteId?: string | undefined
}

export function belongsTo(attachment: Attachment, { documentId, quoteId }: Owner): boolean {
  return attachment.documentId === (documentId ?? null) && attachment.quoteId === (quoteId ?? null)
}

// The associated data of the encrypted content.
export function attachmentRow(id: string): string {
  return `books.attachment_contents/${id}`
}

export function quoteRemovalProblem({ status }: Pick<Quote, 'status'>): string | undefined {
  return status === 'draft' ? undefined : 'Files of a quote that was sent are kept.'
}

// Files prove what was booked, and what an approver has seen: they can be added at any time, but
// removed only while the document is a draft.
export function removalProblem(
  document: Document,
  organisation: Pick<Organisation, 'approvalsOn'>,
): string | undefined {
  if (transitionProblem(document, 'edit', organisation) === undefined) return undefined
  return document.status === 'awaiting_approval'
    ? 'The approver may have seen it. Withdraw or return the document first.'
    : 'Files of a document that is in the books or decided are kept.'
}
