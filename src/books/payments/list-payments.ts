import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { listPayments as listStoredPayments } from './payment-store.ts'

export const listPayments = defineOperation({
  name: 'list-payments',
  summary: 'List the newest payments',
  kind: 'read',
  input: z.strictObject({
    contactId: uuid().optional(),
    reference: line(255).optional(),
    // That of the payment service.
    externalId: line(255).optional(),
    limit: listLimit(),
  }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { limit, ...filter }) =>
    listStoredPayments(database.sql, actor, filter, limit),
})
