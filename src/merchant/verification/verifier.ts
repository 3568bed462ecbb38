// Whoever checks identities and decides about businesses, as the rest of the service sees it. Every
// call names our reference and may be repeated: a second call under the same one changes nothing.
import type { Outcome } from '../provider/provider.ts'
import type { Details } from './details.ts'
import type { ContentType, DocumentKind } from './document.ts'

export type IdentityVerdict = 'waiting' | 'passed' | 'failed'

export type Decision =
  | { readonly status: 'waiting' }
  | { readonly status: 'verified' }
  // The reason is shown to the owner, who has to mend it.
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
  readonly contentType: ContentType
  readonly sha256: string
  // Opened one at a time: together they may be too much to hold.
  read(): Promise<Buffer>
}

export type Verifier = {
  // Whether it only plays; the owner is told.
  readonly isSimulated: boolean
  // The page on which a person shows to be alive and who they are; it leads back to `returnUrl`.
  startIdentityCheck(instruction: {
    reference: string
    personName: string
    returnUrl: string
  }): Promise<Outcome<{ url: string }>>
  // A check or dossier that the verifier does not know is `success` with null: that is an answer.
  findIdentityCheck(reference: string): Promise<Outcome<IdentityVerdict | null>>
  handIn(dossier: SubmittedDossier): Promise<Outcome<null>>
  findDecision(reference: string): Promise<Outcome<Decision | null>>
}
