// Adds the documents of one form. Each is accepted or refused separately.
import type { Upload } from '../../kernel/web/upload.ts'
import type { MerchantContext } from '../context.ts'
import {
  type DocumentKind,
  type DocumentProblems,
  documentField,
  documentKinds,
} from './document.ts'
import type { Opened } from './open-verification.ts'
import { addDocument, tooLarge } from './update-dossier.ts'

const kinds = Object.keys(documentKinds) as DocumentKind[]

// Returns a sentence for each refused document.
export async function addDocuments(
  context: MerchantContext,
  opened: Opened,
  upload: Upload | undefined,
  { mayBeEmpty }: { readonly mayBeEmpty: boolean },
): Promise<DocumentProblems> {
  const [first] = kinds
  if (upload?.kind === 'too_large') return first ? { [first]: tooLarge } : {}
  const problems: Partial<Record<DocumentKind, string>> = {}
  let count = 0
  for (const { field, name, bytes } of upload?.files ?? []) {
    const kind = kinds.find((known) => documentField(known) === field)
    if (!kind) continue
    count += 1
    const isTooLarge = bytes === 'too_large'
    const text = isTooLarge ? tooLarge : await addDocument(context, opened, kind, { name, bytes })
    if (text === 'closed') return {}
    if (text !== undefined) problems[kind] = text
  }
  return count === 0 && first && !mayBeEmpty ? { [first]: 'Choose a file first.' } : problems
}
