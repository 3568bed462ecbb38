import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { listPayments as listStoredPayments } from './payment-store.ts'

export const listPayments = defineOperation({
  name: 'list-payments',
  summary: 'List the newest payments',
  kind: 'read',
  input: z.strictObject({ contactId: uuid().optional(), limit: listLimit() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { contactId, limit }) =>
    listStoredPayments(database.sql, actor, contactId, limit),
})
