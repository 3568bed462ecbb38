import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { searchText } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { presentRecipient, recipientSchema } from './recipient.ts'
import { listRecipients as listStoredRecipients } from './recipient-store.ts'

export const listRecipients = defineOperation({
  name: 'list-recipients',
  summary: 'List split recipients',
  kind: 'read',
  input: z.strictObject({
    search: searchText.optional(),
    // All of them without it.
    limit: z.int().min(1).optional(),
  }),
  scopes: ['recipients:read'],
  roles: everyRole,
  run: ({ database }, actor, wanted) => listStoredRecipients(database.sql, actor, wanted),
})

export const listSplitRecipientsRoute = defineRoute({
  operation: listRecipients,
  method: 'GET',
  path: '/split-recipients',
  operationId: 'listSplitRecipients',
  tag: 'Split recipients',
  description: 'All split recipients, newest first.',
  responses: {
    200: { description: 'The recipients.', schema: z.object({ data: z.array(recipientSchema) }) },
  },
  input: () => ({}),
  answer: (recipients, { secrets }) =>
    ok({ data: recipients.map((recipient) => presentRecipient(recipient, secrets)) }),
})
