// The two routes have the same parameters and envelope, and show different kinds.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, describedAs, line, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import type { Document } from './document.ts'
import { findDocumentCount, listDocuments as listStoredDocuments } from './document-list-store.ts'
import { documentRecord, presentDocument } from './document-record.ts'
import {
  type DocumentKind,
  documentKinds,
  documentSides,
  documentStatuses,
  purchaseKinds,
  salesKinds,
} from './document-status.ts'

const limitMax = 200
const limitDefault = 50
const offsetMax = 999_999_999
const numberMax = 60
const referenceMax = 255

const query = z.strictObject({
  status: oneOf(documentStatuses)
    .optional()
    .meta({ description: 'Only documents with this status.' }),
  contact_id: uuid()
    .optional()
    .meta({ description: 'Only documents of this customer or supplier.' }),
  from: day().optional().meta({ description: 'The first document date.' }),
  to: day().optional().meta({ description: 'The last document date.' }),
  limit: wholeNumber(1, limitMax, limitDefault),
  offset: wholeNumber(0, offsetMax, 0),
})

const page = z.object({
  data: z.array(documentRecord),
  total: z.int().meta({ description: 'The number of documents on all pages.' }),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
})

export const listDocuments = defineOperation({
  name: 'list-documents',
  summary: 'List the newest documents',
  kind: 'read',
  input: z.strictObject({
    kind: z.enum(documentKinds).optional(),
    side: z.enum(documentSides).optional(),
    status: z.enum(documentStatuses).optional(),
    contactId: uuid().optional(),
    // Exactly as it is written on the document.
    number: line(numberMax).optional(),
    reference: line(referenceMax).optional(),
    // Document dates, both inclusive.
    from: day().optional(),
    to: day().optional(),
    limit: z.int().min(1).max(limitMax).default(limitDefault),
    offset: z.int().min(0).max(offsetMax).default(0),
  }),
  scopes: ['read'],
  roles: everyRole,
  async run({ database: { sql } }, actor, { kind, side, limit, offset, ...filter }) {
    const { from, to } = filter
    if (from && to && from > to) throw invalidField('from', 'Must not be after to.')
    const wanted = { ...filter, kinds: kindsOf(kind, side) }
    const [documents, total] = await Promise.all([
      listStoredDocuments(sql, actor, wanted, { limit, offset }),
      findDocumentCount(sql, actor, wanted),
    ])
    const hasMore = offset + documents.length < total
    return { data: documents, total, limit, offset, hasMore }
  },
})

export const listInvoicesRoute = defineRoute({
  operation: listDocuments,
  summary: 'List invoices and credit notes',
  method: 'GET',
  path: '/invoices',
  operationId: 'listInvoices',
  tag: 'Invoices',
  description: 'Newest first: by document date, then by creation time.',
  query,
  responses: { 200: { description: 'One page.', schema: page } },
  input: ({ query: asked }) => wantedPage('sales', asked),
  answer: presentPage,
})

export const listBillsRoute = defineRoute({
  operation: listDocuments,
  summary: 'List bills, supplier credits and expense claims',
  method: 'GET',
  path: '/bills',
  operationId: 'listBills',
  tag: 'Bills',
  description: 'Newest first: by document date, then by creation time.',
  query,
  responses: { 200: { description: 'One page.', schema: page } },
  input: ({ query: asked }) => wantedPage('purchases', asked),
  answer: presentPage,
})

type Side = (typeof documentSides)[number]

function kindsOf(kind: DocumentKind | undefined, side: Side | undefined): readonly DocumentKind[] {
  const kinds = side === 'sales' ? salesKinds : side === 'purchases' ? purchaseKinds : documentKinds
  return kind ? kinds.filter((one) => one === kind) : kinds
}

function wantedPage(side: Side, asked: z.output<typeof query>) {
  const { contact_id: contactId, limit = limitDefault, offset = 0, ...filter } = asked
  return { ...filter, side, contactId, limit, offset }
}

type DocumentPage = {
  readonly data: readonly Document[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}

function presentPage({ data, total, limit, offset, hasMore }: DocumentPage) {
  return ok({ data: data.map(presentDocument), total, limit, offset, has_more: hasMore })
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
