import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { defineHandledRoute } from '../context.ts'
import { presentRecipient, recipientSchema } from './recipient.ts'
import { listRecipients } from './recipient-store.ts'

export const listSplitRecipients = defineHandledRoute({
  method: 'GET',
  path: '/split-recipients',
  operationId: 'listSplitRecipients',
  tag: 'Split recipients',
  summary: 'List split recipients',
  description: 'All of them, the newest first.',
  scopes: ['recipients:read'],
  responses: {
    200: { description: 'The recipients.', schema: z.object({ data: z.array(recipientSchema) }) },
  },
  async handle({ database, secrets }, { actor }) {
    const recipients = await listRecipients(database.sql, actor)
    return ok({ data: recipients.map((recipient) => presentRecipient(recipient, secrets)) })
  },
})
