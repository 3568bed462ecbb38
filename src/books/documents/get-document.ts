import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineHandledRoute } from '../context.ts'
import { findWholeDocument } from './document-list-store.ts'
import { documentRecordWithLines, presentDocumentWithLines } from './document-record.ts'
import { isSale } from './document-status.ts'

export const getInvoice = defineHandledRoute({
  method: 'GET',
  path: '/invoices/:id',
  operationId: 'getInvoice',
  tag: 'Invoices',
  summary: 'Read one invoice or credit note with its lines',
  scopes: ['read'],
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The document.', schema: documentRecordWithLines } },
  faults: ['not_found'],
  handle: (context, { actor, params }) => read(context, actor, params.id, 'invoice'),
})

export const getBill = defineHandledRoute({
  method: 'GET',
  path: '/bills/:id',
  operationId: 'getBill',
  tag: 'Bills',
  summary: 'Read one bill, supplier credit or expense claim with its lines',
  scopes: ['read'],
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The document.', schema: documentRecordWithLines } },
  faults: ['not_found'],
  handle: (context, { actor, params }) => read(context, actor, params.id, 'bill'),
})

async function read(
  { database: { sql } }: BooksContext,
  tenant: Tenant,
  id: string,
  what: 'invoice' | 'bill',
) {
  const found = await findWholeDocument(sql, tenant, id)
  if (!found || isSale(found.document.kind) !== (what === 'invoice')) throw notFound(what)
  return ok(presentDocumentWithLines(found.document, found.lines))
}
