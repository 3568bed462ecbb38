// A document of the dossier. The first bytes of a file decide its type; its name and the type that
// the browser sends don't count.
import { isOneLine } from '../../kernel/basics/one-line.ts'

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

export type ContentType = 'application/pdf' | 'image/png' | 'image/jpeg'

export type Document = {
  readonly id: string
  readonly kind: DocumentKind
  readonly fileName: string
  readonly contentType: ContentType
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

const signatures: readonly (readonly [ContentType, Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
]

export function contentTypeOf(bytes: Buffer): ContentType | undefined {
  const found = signatures.find(([, start]) => bytes.subarray(0, start.length).equals(start))
  return found?.[0]
}

const fileNameMax = 100

// Shown to people. The end of a long name is kept, because most names differ there.
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const visible = [...last.toWellFormed()].filter(
    (character) => isOneLine(character) && !/\p{Cf}/u.test(character),
  )
  return visible.slice(-fileNameMax).join('').trim() || 'document'
}
