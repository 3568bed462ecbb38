import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { oneOf } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute } from '../context.ts'
import { contactSchema, presentContact } from './contact.ts'
import { listContacts as listStoredContacts } from './contact-store.ts'

export const listContacts = defineHandledRoute({
  method: 'GET',
  path: '/contacts',
  operationId: 'listContacts',
  tag: 'Contacts',
  summary: 'List customers and suppliers',
  description: 'Ordered by name.',
  scopes: ['read'],
  query: z.object({
    type: oneOf(['customer', 'supplier'])
      .optional()
      .meta({ description: 'Only customers, or only suppliers.' }),
  }),
  responses: {
    200: { description: 'The contacts.', schema: z.object({ data: z.array(contactSchema) }) },
  },
  async handle({ database }, { actor, query }) {
    const contacts = await listStoredContacts(database.sql, actor, query.type)
    return ok({ data: contacts.map(presentContact) })
  },
})
