import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { oneOf, searchText } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { contactSchema, presentContact } from './contact.ts'
import { listContacts as listStoredContacts } from './contact-store.ts'

const contactTypes = ['customer', 'supplier'] as const

export const listContacts = defineOperation({
  name: 'list-contacts',
  summary: 'List customers and suppliers',
  kind: 'read',
  input: z.strictObject({
    type: oneOf(contactTypes).optional(),
    search: searchText.optional(),
    // All of them without it.
    limit: z.int().min(1).optional(),
    // With those that were merged into others.
    withMerged: z.boolean().default(false),
  }),
  scopes: ['read'],
  roles: everyRole,
  run: ({ database }, actor, wanted) => listStoredContacts(database.sql, actor, wanted),
})

export const listContactsRoute = defineRoute({
  operation: listContacts,
  method: 'GET',
  path: '/contacts',
  operationId: 'listContacts',
  tag: 'Contacts',
  description: 'Ordered by name. A merged contact names the one that it was merged into.',
  query: z.strictObject({
    type: oneOf(contactTypes)
      .optional()
      .meta({ description: 'Only customers, or only suppliers.' }),
  }),
  responses: {
    200: { description: 'The contacts.', schema: z.object({ data: z.array(contactSchema) }) },
  },
  input: ({ query }) => ({ ...query, withMerged: true }),
  answer: (contacts) => ok({ data: contacts.map(presentContact) }),
})
