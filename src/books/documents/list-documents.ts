// Both lists have the same parameters and the same envelope; they differ in the kinds they show.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { ok } from '../../kernel/http/route.ts'
import { day, describedAs, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineHandledRoute } from '../context.ts'
import { type DocumentFilter, findDocumentCount, listDocuments } from './document-list-store.ts'
import { documentRecord, presentDocument } from './document-record.ts'
import { documentStatuses, purchaseKinds, salesKinds } from './document-status.ts'

const limitMax = 200
const limitDefault = 50
const offsetMax = 999_999_999

const filter = z.object({
  status: oneOf(documentStatuses).optional().meta({ description: 'Only in this state.' }),
  contact_id: uuid().optional().meta({ description: 'Only of this customer or supplier.' }),
  from: day().optional().meta({ description: 'The first document date.' }),
  to: day().optional().meta({ description: 'The last document date.' }),
  limit: wholeNumber(1, limitMax, limitDefault),
  offset: wholeNumber(0, offsetMax, 0),
})

const page = z.object({
  data: z.array(documentRecord),
  total: z.int().meta({ description: 'How many there are on all pages.' }),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
})

export const listInvoices = defineHandledRoute({
  method: 'GET',
  path: '/invoices',
  operationId: 'listInvoices',
  tag: 'Invoices',
  summary: 'List invoices and credit notes',
  description: 'Newest first: by document date, then by when they were made.',
  scopes: ['read'],
  query: filter,
  responses: { 200: { description: 'One page.', schema: page } },
  handle: (context, { actor, query }) => list(context, actor, salesKinds, query),
})

export const listBills = defineHandledRoute({
  method: 'GET',
  path: '/bills',
  operationId: 'listBills',
  tag: 'Bills',
  summary: 'List bills, supplier credits and expense claims',
  description: 'Newest first: by document date, then by when they were made.',
  scopes: ['read'],
  query: filter,
  responses: { 200: { description: 'One page.', schema: page } },
  handle: (context, { actor, query }) => list(context, actor, purchaseKinds, query),
})

async function list(
  { database: { sql } }: BooksContext,
  tenant: Tenant,
  kinds: DocumentFilter['kinds'],
  query: z.output<typeof filter>,
) {
  const { status, contact_id: contactId, from, to } = query
  const { limit = limitDefault, offset = 0 } = query
  if (from && to && from > to) throw invalidField('from', 'Must not be after to.')
  const wanted = { kinds, status, contactId, from, to }
  const [documents, total] = await Promise.all([
    listDocuments(sql, tenant, wanted, { limit, offset }),
    findDocumentCount(sql, tenant, wanted),
  ])
  const hasMore = offset + documents.length < total
  return ok({ data: documents.map(presentDocument), total, limit, offset, has_more: hasMore })
}

function wholeNumber(min: number, max: number, usual: number) {
  const error = `Must be a whole number from ${min} to ${max}.`
  return describedAs(
    z
      .string()
      .regex(/^\d{1,9}$/, { error })
      .transform((text) => Number.parseInt(text, 10))
      .refine((value) => value >= min && value <= max, { error })
      .optional(),
    { type: 'integer', minimum: min, maximum: max, default: usual },
  )
}
