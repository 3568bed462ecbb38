import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { invoiceUrl } from '../invoice-pages/invoice-page.ts'
import { findInvoicePage } from '../invoice-pages/invoice-page-store.ts'
import type { DocumentWithLines } from './document.ts'
import { findWholeDocument } from './document-list-store.ts'
import { documentRecordWithLines, presentDocumentWithLines } from './document-record.ts'
import { documentSides, isSale } from './document-status.ts'

const nameOf = { sales: 'invoice', purchases: 'bill' } as const

export const getDocument = defineOperation({
  name: 'get-document',
  summary: 'Show a document and its lines',
  kind: 'read',
  // With a side, documents of the other side are not found.
  input: z.strictObject({ id: uuid(), side: z.enum(documentSides).optional() }),
  scopes: ['read'],
  roles: everyRole,
  async run({ database: { sql }, publicUrl }, actor, { id, side }): Promise<DocumentWithLines> {
    const [document, page] = await Promise.all([
      findWholeDocument(sql, actor, id),
      findInvoicePage(sql, actor, id),
    ])
    const isWanted = document && (!side || isSale(document.kind) === (side === 'sales'))
    if (!isWanted) throw notFound(side ? nameOf[side] : 'document')
    if (!page) return document
    return { ...document, hostedUrl: invoiceUrl(publicUrl, actor, page.publicId) }
  },
})

export const getInvoiceRoute = defineRoute({
  operation: getDocument,
  summary: 'Read one invoice or credit note with its lines',
  method: 'GET',
  path: '/invoices/:id',
  operationId: 'getInvoice',
  tag: 'Invoices',
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The document.', schema: documentRecordWithLines } },
  faults: ['not_found'],
  input: ({ params }) => ({ id: params.id, side: 'sales' as const }),
  answer: (document) => ok(presentDocumentWithLines(document)),
})

export const getBillRoute = defineRoute({
  operation: getDocument,
  summary: 'Read one bill, supplier credit or expense claim with its lines',
  method: 'GET',
  path: '/bills/:id',
  operationId: 'getBill',
  tag: 'Bills',
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The document.', schema: documentRecordWithLines } },
  faults: ['not_found'],
  input: ({ params }) => ({ id: params.id, side: 'purchases' as const }),
  answer: (document) => ok(presentDocumentWithLines(document)),
})
