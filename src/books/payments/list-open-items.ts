import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listOpenItems as listStoredOpenItems } from './open-item-store.ts'

export const listOpenItems = defineOperation({
  name: 'list-open-items',
  summary: 'List the open items of a contact',
  kind: 'read',
  input: z.strictObject({ contactId: uuid() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { contactId }) => listStoredOpenItems(database.sql, actor, contactId),
})
