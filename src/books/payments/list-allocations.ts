import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listAllocations as listStoredAllocations } from './allocation-store.ts'

export const listAllocations = defineOperation({
  name: 'list-allocations',
  summary: 'List the allocations of a document or payment',
  kind: 'read',
  input: z.strictObject({ itemId: uuid() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { itemId }) => listStoredAllocations(database.sql, actor, itemId),
})
