// The file of an invoice, for its customer. The page itself is one of the checkout.
import type { BooksContext } from '../books/context.ts'
import { fileName } from '../books/documents/document-snapshot.ts'
import { readDocumentFile } from '../books/documents/read-document-file.ts'
import { findInvoicePageByPublicId } from '../books/invoice-pages/invoice-page-store.ts'
import { notFound } from '../kernel/basics/fault.ts'
import { parseHostedReference } from '../kernel/basics/hosted-reference.ts'
import type { Page, PageAnswer, PageRequest } from '../kernel/web/page.ts'

export function invoicePages(context: BooksContext): Page[] {
  return [
    {
      method: 'GET',
      path: '/i/:reference/pdf',
      hosted: 'costly',
      handle: (request) => pdf(context, request),
    },
  ]
}

async function pdf(context: BooksContext, { params }: PageRequest): Promise<PageAnswer> {
  const hosted = parseHostedReference(params.reference ?? '')
  const { sql } = context.database
  const page = hosted && (await findInvoicePageByPublicId(sql, hosted.tenant, hosted.id))
  if (!page) throw notFound('invoice')
  const actor = { ...hosted.tenant, kind: 'system', name: 'invoice page' } as const
  const wanted = { id: page.documentId, asIssued: false }
  const { filename, content } = await readDocumentFile(context, actor, wanted)
  const name = encodeURIComponent(fileName(filename.replace(/\.pdf$/, '')))
  return {
    status: 200,
    headers: {
      // The address is a secret, so search engines must not index it.
      'x-robots-tag': 'noindex',
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="invoice.pdf"; filename*=UTF-8''${name}`,
    },
    body: content,
  }
}
