// One act on many documents. The acts are those of a single document, with the same rules; a batch
// only does them one after the other and remembers what became of each.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import type { Document } from '../documents/document.ts'
import { actProblems } from '../documents/document-acts.ts'
import type { DocumentSide } from '../documents/document-status.ts'
import { transitionProblem } from '../documents/document-transition.ts'
import type { Organisation } from '../settings/organisation.ts'

export const batchActs = ['submit', 'approve', 'issue', 'send', 'record_payment'] as const
export type BatchAct = (typeof batchActs)[number]

// One person looks through what a batch does, and waits for it.
export const batchDocumentsMax = 500

export type BatchPayment = {
  readonly accountId: string
  readonly date: string
  readonly reference?: string | undefined
  readonly confirmsOldDate?: boolean | undefined
}

export type Batch = {
  readonly id: string
  readonly act: BatchAct
  readonly side: DocumentSide
  readonly personId: string
  readonly payment: BatchPayment | null
  readonly documentCount: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export type BatchDocument = {
  readonly position: number
  readonly documentId: string
  readonly version: number
  readonly amountMinor: bigint | null
  readonly status: 'waiting' | 'done' | 'refused'
  readonly reason: string | null
  readonly endedAt: Date | null
}

export type NamedBatchDocument = BatchDocument &
  Pick<Document, 'kind' | 'number' | 'currency' | 'totalMinor'> & { readonly contactName: string }

export type BatchCounts = { readonly doneCount: number; readonly refusedCount: number }

// Why this person can't do it to this document now; null if it is possible.
export function batchProblem(
  document: Document,
  act: BatchAct,
  organisation: Organisation,
  actor: PersonActor,
): string | null {
  const problem = actProblems(document, organisation, actor)[act]
  if (problem !== undefined) return problem
  if (act !== 'record_payment') {
    const why = transitionProblem(document, act, organisation)
    if (why) return why
  }
  return `Not possible for ${document.kind === 'expense_claim' ? 'an' : 'a'} ${document.kind.replace('_', ' ')}.`
}
