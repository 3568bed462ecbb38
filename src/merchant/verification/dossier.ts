// The contents of a dossier, and what is still missing.
import type { Details } from './details.ts'
import { type Document, type DocumentKind, documentKinds } from './document.ts'
import type { Owner } from './owner.ts'
import type { Session } from './session.ts'

export type Dossier = {
  readonly details: Details | undefined
  readonly documents: readonly Document[]
  readonly owners: readonly Owner[]
}

export const steps = [
  { name: 'details', title: 'Business details' },
  { name: 'documents', title: 'Documents' },
  { name: 'owners', title: 'Owners' },
  { name: 'identity', title: 'Identity check' },
  { name: 'review', title: 'Check and submit' },
] as const
export type StepName = (typeof steps)[number]['name']

export type Missing = { readonly step: StepName; readonly text: string }

export function listMissing(dossier: Dossier, { identityStatus }: Session): Missing[] {
  const missing: Missing[] = []
  if (!dossier.details) missing.push({ step: 'details', text: 'Fill in the business details.' })
  for (const [kind, { title }] of Object.entries(documentKinds)) {
    if (dossier.documents.some((document) => document.kind === kind)) continue
    missing.push({ step: 'documents', text: `Upload: ${lowerFirst(title)}.` })
  }
  if (dossier.owners.length === 0) {
    missing.push({ step: 'owners', text: 'Add at least one owner.' })
  }
  if (identityStatus !== 'passed') {
    missing.push({ step: 'identity', text: 'Do the identity check.' })
  }
  return missing
}

export function documentsOf(dossier: Dossier, kind: DocumentKind): Document[] {
  return dossier.documents.filter((document) => document.kind === kind)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
