import { z } from 'zod'
import { listMembers } from '../../kernel/auth/membership-store.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import type { Batch, BatchCounts } from './batch.ts'
import { listBatches as listStored } from './batch-store.ts'

export type ListedBatch = Batch & BatchCounts & { readonly personName: string | null }

export const listBatches = defineOperation({
  name: 'list-batches',
  summary: 'List the newest acts on many documents',
  kind: 'read',
  input: z.strictObject({ limit: z.int().min(1).max(100).default(50) }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { limit }): Promise<readonly ListedBatch[]> {
    const [batches, members] = await Promise.all([
      listStored(sql, actor, limit),
      listMembers(sql, actor.businessId),
    ])
    const names = new Map(members.map(({ personId, name }) => [personId, name]))
    return batches.map((batch) => ({ ...batch, personName: names.get(batch.personId) ?? null }))
  },
})
