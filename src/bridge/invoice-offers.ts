// Invoices of the books that customers pay through the payment service. A charge is bound to its
// invoice in the transaction that creates it, and what was collected counts as paid at once, even
// if the books have not posted it yet.

import type { BooksContext } from '../books/context.ts'
import type { Document } from '../books/documents/document.ts'
import { dueMinor } from '../books/documents/document-acts.ts'
import type { DocumentSnapshot } from '../books/documents/document-snapshot.ts'
import { findDocument, findSnapshot } from '../books/documents/document-store.ts'
import { invoicePath } from '../books/invoice-pages/invoice-page.ts'
import {
  findInvoicePage,
  findInvoicePageByPublicId,
  updateViewed,
} from '../books/invoice-pages/invoice-page-store.ts'
import { reserveInvoice } from '../books/invoice-pages/reserve-invoice.ts'
import { takesInvoicePayments } from '../books/service-money/service-settings.ts'
import { findServiceSettings } from '../books/service-money/service-settings-store.ts'
import { today } from '../books/settings/organisation.ts'
import { findOrganisation } from '../books/settings/organisation-store.ts'
import { taxLabel } from '../books/taxes/tax-label.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { InvoiceOffer, Invoices } from '../merchant/checkout/invoice-offer.ts'
import type { Offer } from '../merchant/checkout/offer.ts'
import { openInvoiceOffer } from '../merchant/checkout/open-offer.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { type ChargedAmounts, findChargedAmounts } from './invoice-charge-source-store.ts'

type InvoiceContext = MerchantContext & BooksContext

export function invoiceOffers(context: InvoiceContext): Invoices {
  const { database, clock } = context
  const openById = async (tenant: Tenant, id: string) => {
    const page = await findInvoicePage(database.sql, tenant, id)
    return page && openPage(context, tenant, id, page.publicId)
  }
  return {
    openById,
    async open({ tenant, id: publicId }) {
      const page = await findInvoicePageByPublicId(database.sql, tenant, publicId)
      return page && openPage(context, tenant, page.documentId, publicId)
    },
    // People of the business who look at the page are not the customer.
    async view({ tenant, id }, { headers }) {
      if (/(^|;\s*)(__Host-)?tillbook\.session/.test(headers.get('cookie') ?? '')) return
      await updateViewed(database.sql, tenant, id, clock.now())
    },
  }
}

async function openPage(
  context: InvoiceContext,
  tenant: Tenant,
  id: string,
  publicId: string,
): Promise<Offer | undefined> {
  const { sql } = context.database
  const [document, snapshot, settings, organisation, charged] = await Promise.all([
    findDocument(sql, tenant, id),
    findSnapshot(sql, tenant, id),
    findServiceSettings(sql, tenant),
    findOrganisation(sql, tenant),
    findChargedAmounts(sql, tenant, id),
  ])
  if (!document || !snapshot) return undefined
  const stillDueMinor = dueMinor(document) - charged.collectedMinor
  const due = stillDueMinor > 0n ? stillDueMinor : 0n
  const path = invoicePath(tenant, publicId)
  const isOverdue = document.dueDate < today(organisation, context.clock.now())
  return openInvoiceOffer(context, tenant, {
    id,
    path,
    currency: document.currency,
    dueMinor: due,
    isVoid: document.voidedAt !== null,
    takesPayments: settings !== undefined && takesInvoicePayments(settings),
    takesParts: settings?.takesPartPayments ?? false,
    payer: { email: snapshot.contact.email, name: snapshot.contact.name },
    invoice: {
      ...shown(document, snapshot, due, charged),
      status: statusOf(document, due, isOverdue),
      pdfPath: `${path}/pdf`,
      hold: (tx, charge) =>
        reserveInvoice(tx, context, tenant, {
          ...charge,
          documentId: id,
          currency: document.currency,
        }),
    },
  })
}

function statusOf(document: Document, due: bigint, isOverdue: boolean): InvoiceOffer['status'] {
  if (document.voidedAt) return 'void'
  if (due === 0n) return 'paid'
  if (isOverdue) return 'overdue'
  return due < document.totalMinor ? 'partly_paid' : 'open'
}

function shown(
  document: Document,
  snapshot: DocumentSnapshot,
  due: bigint,
  { unconfirmedMinor }: ChargedAmounts,
): Omit<InvoiceOffer, 'status' | 'pdfPath' | 'hold'> {
  const { currency, totalMinor } = document
  return {
    number: document.number ?? '',
    contactName: snapshot.contact.name,
    currency,
    date: document.date,
    dueDate: document.dueDate,
    reference: document.reference,
    lines: snapshot.lines.map(({ description, quantity, unitPrice, net }) => ({
      description,
      quantity,
      unitPrice,
      net,
    })),
    subtotal: snapshot.subtotal,
    taxes: snapshot.taxes.map(({ component, rate, tax }) => ({
      name: taxLabel(component, rate),
      amount: tax,
    })),
    totalMinor,
    dueMinor: due,
    notes: snapshot.notes,
    paymentDetails: snapshot.paymentDetails,
    unconfirmedMinor,
  }
}
