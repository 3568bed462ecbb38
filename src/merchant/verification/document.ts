// A document of the dossier.
import type { FileType } from '../../kernel/basics/file-type.ts'

export const documentKinds = {
  registration: {
    title: 'Certificate of registration',
    hint: 'For a sole trader: a licence or a tax letter with the name of the business.',
  },
  address: {
    title: 'Proof of address',
    hint: 'A bill or bank statement from the last three months that shows the address.',
  },
  identity: {
    title: 'Passport or identity card',
    hint: 'Of the owner who does the identity check. All four corners must be visible.',
  },
} as const
export type DocumentKind = keyof typeof documentKinds

// For each refused file, a sentence that says what to do.
export type DocumentProblems = Readonly<Partial<Record<DocumentKind, string>>>

// The name of the upload field.
export function documentField(kind: string): string {
  return `file-${kind}`
}

export type Document = {
  readonly id: string
  readonly kind: DocumentKind
  readonly fileName: string
  readonly contentType: FileType
  readonly byteCount: number
  readonly sha256: Buffer
  readonly submittedAt: Date | null
}

// Photos and scans of a few pages are well below this.
export const documentBytesMax = 5 * 1024 * 1024
// Front, back and a second page of each kind, plus one.
export const documentsMax = 10

// The associated data of the encrypted content.
export function documentRow(documentId: string): string {
  return `merchant.verification_document_contents/${documentId}`
}
