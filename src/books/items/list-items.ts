import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listItems as listStoredItems } from './item-store.ts'

export const listItems = defineOperation({
  name: 'list-items',
  summary: 'List the items',
  kind: 'read',
  input: z.strictObject({ code: line(40).optional() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { code }) => listStoredItems(database.sql, actor, code),
})
