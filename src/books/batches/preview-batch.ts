// What a batch would do, before a person starts it: each document, and why it would be refused.
import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole, requirePerson } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { dueMinor } from '../documents/document-acts.ts'
import { documentSides, isSale } from '../documents/document-status.ts'
import { listNamedDocuments, type NamedDocument } from '../documents/named-document-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { batchActs, batchDocumentsMax, batchProblem } from './batch.ts'

export type PreviewedDocument = NamedDocument & {
  readonly dueMinor: bigint
  readonly problem: string | null
}

export const previewBatch = defineOperation({
  name: 'preview-batch',
  summary: 'Show which of the chosen documents an act is possible for',
  kind: 'read',
  input: z.strictObject({
    side: z.enum(documentSides),
    act: z.enum(batchActs),
    documentIds: z.array(uuid()).min(1).max(batchDocumentsMax),
  }),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  async run(
    { database: { sql } },
    actor,
    { side, act, documentIds },
  ): Promise<readonly PreviewedDocument[]> {
    const person = requirePerson(actor)
    const [documents, organisation] = await Promise.all([
      listNamedDocuments(sql, actor, documentIds),
      findOrganisation(sql, actor),
    ])
    return chosenOf(documents, documentIds, side).map((document) => ({
      ...document,
      dueMinor: dueMinor(document),
      problem: batchProblem(document, act, organisation, person),
    }))
  },
})

// In the order in which they were chosen. Documents of the other side are not found.
export function chosenOf<Found extends Document>(
  documents: readonly Found[],
  ids: readonly string[],
  side: (typeof documentSides)[number],
): Found[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  return ids.map((id) => {
    const document = byId.get(id)
    if (!document || isSale(document.kind) !== (side === 'sales')) throw notFound('document')
    return document
  })
}
