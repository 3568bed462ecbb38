import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listItems as listStoredItems } from './item-store.ts'

export const listItems = defineOperation({
  name: 'list-items',
  summary: 'List the items',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => listStoredItems(database.sql, actor),
})
