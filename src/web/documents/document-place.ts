// Where documents are in the application: Invoices, Bills and Quotes. The pages are the same; this
// says how the places differ.

import { createDocument } from '../../books/documents/create-document.ts'
import {
  type DocumentKind,
  type DocumentSide,
  isSale,
} from '../../books/documents/document-status.ts'
import type { DocumentView } from '../../books/documents/document-view.ts'
import { searchDocuments } from '../../books/documents/search-documents.ts'
import { createQuote } from '../../books/quotes/create-quote.ts'
import type { QuoteStatus } from '../../books/quotes/quote.ts'
import { searchQuotes } from '../../books/quotes/search-quotes.ts'
import type { Visit } from '../shell/visit.ts'

export type PaperKind = DocumentKind | 'quote'

export type FoundPaper = {
  readonly id: string
  readonly kind: PaperKind
  readonly status: string
  readonly number: string | null
  readonly contactName: string
  readonly date: string
  // The due date, or the last day of a quote.
  readonly untilDate: string
  readonly reference: string | null
  readonly currency: string
  readonly totalMinor: bigint
  // Null where nothing can be owed.
  readonly dueMinor: bigint | null
  readonly isOverdue: boolean
}

export type PaperSum = {
  readonly currency: string
  readonly count: number
  readonly totalMinor: bigint
  readonly dueMinor: bigint | null
}

export type Wanted = {
  readonly view: string | undefined
  readonly kind: string | undefined
  readonly text: string | undefined
  readonly contactId: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly after?: string | undefined
  readonly limit: number
  readonly isSummed?: boolean
}

export type Found = {
  readonly papers: readonly FoundPaper[]
  readonly sums: readonly PaperSum[]
  readonly next: string | undefined
}

export type DocumentPlace = {
  readonly path: '/invoices' | '/bills' | '/quotes'
  // Quotes are on no side of the books.
  readonly side?: DocumentSide
  readonly title: string
  readonly lead: string
  readonly kinds: readonly PaperKind[]
  // The chips of the list.
  readonly views: Readonly<Record<string, string>>
  readonly untilLabel: string
  readonly operation: typeof searchDocuments | typeof searchQuotes
  readonly creates: typeof createDocument | typeof createQuote
  search(visit: Visit, wanted: Wanted): Promise<Found>
}

export const paperNames: Readonly<Record<PaperKind, string>> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  bill: 'Bill',
  supplier_credit: 'Supplier credit',
  expense_claim: 'Expense claim',
  quote: 'Quote',
}

export function placeOfKind(kind: PaperKind): DocumentPlace['path'] {
  if (kind === 'quote') return '/quotes'
  return isSale(kind) ? '/invoices' : '/bills'
}

export function paperHref(visit: Visit, { kind, id }: { kind: PaperKind; id: string }): string {
  return visit.href(`${placeOfKind(kind)}/${id}`)
}

export const sidePaths = { sales: '/invoices', purchases: '/bills' } as const

const views: Readonly<Record<DocumentView, string>> = {
  draft: 'Draft',
  awaiting_approval: 'Awaiting approval',
  to_send: 'To send',
  open: 'Open',
  overdue: 'Overdue',
  paid: 'Paid',
  void: 'Void',
}
const { to_send: _, ...purchaseViews } = views

const quoteViews: Readonly<Record<QuoteStatus, string>> = {
  draft: 'Draft',
  sent: 'Sent',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  invoiced: 'Invoiced',
}

const invoicesPlace: DocumentPlace = {
  path: '/invoices',
  side: 'sales',
  title: 'Invoices',
  lead: 'What customers owe you, and the credit notes you gave them.',
  kinds: ['invoice', 'credit_note'],
  views,
  untilLabel: 'Due',
  operation: searchDocuments,
  creates: createDocument,
  search: searchSide('sales'),
}

const billsPlace: DocumentPlace = {
  path: '/bills',
  side: 'purchases',
  title: 'Bills',
  lead: 'What you owe suppliers and colleagues, and the credits you got.',
  kinds: ['bill', 'supplier_credit', 'expense_claim'],
  views: purchaseViews,
  untilLabel: 'Due',
  operation: searchDocuments,
  creates: createDocument,
  search: searchSide('purchases'),
}

export const quotesPlace: DocumentPlace = {
  path: '/quotes',
  title: 'Quotes',
  lead: 'Offers to customers, who accept or decline them on a page.',
  kinds: ['quote'],
  views: quoteViews,
  untilLabel: 'Valid until',
  operation: searchQuotes,
  creates: createQuote,
  async search(visit, { view, kind: _kind, ...wanted }) {
    const status = view as QuoteStatus | undefined
    const { quotes, sums, next } = await visit.run(searchQuotes, { ...wanted, status })
    return {
      papers: quotes.map(({ expiryDate, ...quote }) => ({
        ...quote,
        kind: 'quote' as const,
        untilDate: expiryDate,
        dueMinor: null,
        isOverdue: false,
      })),
      sums: sums.map((sum) => ({ ...sum, dueMinor: null })),
      next,
    }
  },
}

export function placeOfSide(side: DocumentSide): DocumentPlace {
  return side === 'sales' ? invoicesPlace : billsPlace
}

export const documentPlaces = [invoicesPlace, quotesPlace, billsPlace]

function searchSide(side: 'sales' | 'purchases'): DocumentPlace['search'] {
  return async (visit, { view, kind, ...wanted }) => {
    const { documents, sums, next } = await visit.run(searchDocuments, {
      ...wanted,
      side,
      view: view as DocumentView | undefined,
      kind: kind as DocumentKind | undefined,
    })
    const papers = documents.map(({ dueDate, ...document }) => ({
      ...document,
      untilDate: dueDate,
    }))
    return { papers, sums, next }
  }
}
