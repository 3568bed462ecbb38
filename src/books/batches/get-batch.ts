import { z } from 'zod'
import { findMember } from '../../kernel/auth/membership-store.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Batch, NamedBatchDocument } from './batch.ts'
import { findBatch, listBatchDocuments } from './batch-store.ts'

export type BatchStory = Batch & {
  // Null after the person has left.
  readonly personName: string | null
  readonly documents: readonly NamedBatchDocument[]
}

export const getBatch = defineOperation({
  name: 'get-batch',
  summary: 'Show how far an act on many documents is, and what became of each',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<BatchStory> {
    const batch = await findBatch(sql, actor, id)
    if (!batch) throw notFound('batch')
    const [documents, member] = await Promise.all([
      listBatchDocuments(sql, actor, id),
      findMember(sql, actor.businessId, batch.personId),
    ])
    return { ...batch, personName: member?.name ?? null, documents }
  },
})
