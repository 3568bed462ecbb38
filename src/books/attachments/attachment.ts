// A file that belongs to a document: the scan of a bill, a receipt, a signed order. Its content is
// encrypted at rest.
import type { FileType } from '../../kernel/basics/file-type.ts'
import type { Document } from '../documents/document.ts'
import { transitionProblem } from '../documents/document-transition.ts'
import type { Organisation } from '../settings/organisation.ts'

export type Attachment = {
  readonly id: string
  readonly documentId: string
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

// The associated data of the encrypted content.
export function attachmentRow(id: string): string {
  return `books.attachment_contents/${id}`
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
