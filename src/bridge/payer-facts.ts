// What payers' pages show that only the books know: whether an invoice is paid, and the time zone
// of the business.
import type { BooksContext } from '../books/context.ts'
import { findPaidInvoice } from '../books/service-money/find-paid-invoice.ts'
import { findOrganisation } from '../books/settings/organisation-store.ts'
import type { PayerFacts } from '../merchant/checkout/checkout-answers.tsx'

export function payerFacts({
  database,
}: Pick<BooksContext, 'database'>): Pick<PayerFacts, 'timeZoneOf' | 'isInvoicePaid'> {
  return {
    timeZoneOf: async (tenant) => (await findOrganisation(database.sql, tenant)).timeZone,
    // A subscription goes on after its first invoice is paid; an invoice tells its state itself.
    async isInvoicePaid({ tenant, kind, id, title, description, price, currency }) {
      if (kind === 'subscription' || kind === 'invoice') return false
      const invoice = await findPaidInvoice(database.sql, tenant, {
        offerId: id,
        text: `${title} ${description ?? ''}`,
        currency,
        fixedMinor: price.kind === 'fixed' ? price.amountMinor : undefined,
      })
      return invoice !== undefined
    },
  }
}
