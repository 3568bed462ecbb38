// The interface of a verifier, which checks identities and decides about businesses. Every call has
// our reference and can be repeated: a second call with the same one changes nothing.

import type { FileType } from '../../kernel/basics/file-type.ts'
import type { Outcome } from '../provider/provider.ts'
import type { Details } from './details.ts'
import type { DocumentKind } from './document.ts'

export type IdentityVerdict = 'waiting' | 'passed' | 'failed'

export type Decision =
  | { readonly status: 'waiting' }
  | { readonly status: 'verified' }
  // The reason is shown to the owner, who must fix it.
  | { readonly status: 'rejected'; readonly reason: string }

export type SubmittedDossier = {
  readonly reference: string
  readonly country: string
  readonly details: Details
  readonly owners: readonly { name: string; bornOn: string; shareBasisPoints: number }[]
  readonly documents: readonly SubmittedDocument[]
}

export type SubmittedDocument = {
  readonly id: string
  readonly kind: DocumentKind
  readonly contentType: FileType
  readonly sha256: string
  // Opened one at a time, because all together may be too much for memory.
  read(): Promise<Buffer>
}

export type Verifier = {
  // Whether it only simulates. The owner is told.
  readonly isSimulated: boolean
  // The page on which a person proves who they are; it redirects to `returnUrl`.
  startIdentityCheck(instruction: {
    reference: string
    personName: string
    returnUrl: string
  }): Promise<Outcome<{ url: string }>>
  // If the verifier does not know a check or dossier, this is `success` with null.
  findIdentityCheck(reference: string): Promise<Outcome<IdentityVerdict | null>>
  handIn(dossier: SubmittedDossier): Promise<Outcome<null>>
  findDecision(reference: string): Promise<Outcome<Decision | null>>
}
