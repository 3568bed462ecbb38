// Which invoice is paid through a payment link, QR code or subscription, regardless of its text.
import { searchDocuments } from '../../books/documents/search-documents.ts'
import { linkInvoice } from '../../books/service-money/link-invoice.ts'
import { getPaymentLink } from '../../merchant/payment-links/get-payment-link.ts'
import { getQrCode } from '../../merchant/qr-codes/get-qr-code.ts'
import { getSubscription } from '../../merchant/subscriptions/get-subscription.ts'
import { DraftSelect } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney } from '../components/money.tsx'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

type OfferPath = '/payment-links' | '/qr-codes' | '/subscriptions'
type Offer = { readonly name: string; find(visit: Visit): Promise<unknown> }

const offers: Readonly<Record<OfferPath, Offer>> = {
  '/payment-links': {
    name: 'payment link',
    find: (visit) => visit.run(getPaymentLink, { id: visit.param('id') }),
  },
  '/qr-codes': {
    name: 'QR code',
    find: (visit) => visit.run(getQrCode, { id: visit.param('id') }),
  },
  '/subscriptions': {
    name: 'subscription',
    find: (visit) => visit.run(getSubscription, { id: visit.param('id') }),
  },
}

const invoicesMax = 200

export const linkInvoiceForms: AppRoute[] = (Object.keys(offers) as OfferPath[]).flatMap((path) =>
  defineForm({
    path: `${path}/:id/invoice`,
    operation: linkInvoice,
    async input(visit, form) {
      await offers[path].find(visit)
      return { offerId: visit.param('id'), documentId: form.get('documentId') ?? '' }
    },
    async show(visit, draft) {
      await offers[path].find(visit)
      return formPage({
        title: 'Which invoice is paid here?',
        back: back(visit, path),
        draft,
        submit: 'Save',
        children: (
          <>
            <p>
              Payments of this {offers[path].name} from now on pay the invoice, as long as something
              of it is open. Earlier payments stay as they are.
            </p>
            <DraftSelect
              draft={draft}
              name="documentId"
              label="Invoice"
              choices={{ '': 'Choose an invoice', ...(await openInvoices(visit)) }}
            />
          </>
        ),
      })
    },
    done: (visit) => ({
      location: back(visit, path).href,
      message: 'Payments here now pay the invoice.',
    }),
  }),
)

function back(visit: Visit, path: OfferPath) {
  const text = offers[path].name
  return {
    href: visit.href(`${path}/${visit.param('id')}`),
    text: text.charAt(0).toUpperCase() + text.slice(1),
  }
}

export async function openInvoices(visit: Visit): Promise<Record<string, string>> {
  const wanted = { side: 'sales', kind: 'invoice', view: 'open', isSummed: false } as const
  const { documents } = await visit.run(searchDocuments, { ...wanted, limit: invoicesMax })
  return Object.fromEntries(
    documents.map(({ id, number, contactName, dueMinor, currency }) => [
      id,
      `${number}, ${contactName}, ${formatMoney(dueMinor, currency)}`,
    ]),
  )
}
