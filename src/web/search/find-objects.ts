// The objects that a search finds, in groups: each asks a list for what matches, as the person who
// searches.
import { listContacts } from '../../books/contacts/list-contacts.ts'
import { searchDocuments } from '../../books/documents/search-documents.ts'
import { listDisputes } from '../../merchant/chargebacks/list-disputes.ts'
import { listCustomers } from '../../merchant/customers/list-customers.ts'
import { listPaymentLinks } from '../../merchant/payment-links/list-payment-links.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { listQrCodes } from '../../merchant/qr-codes/list-qr-codes.ts'
import { listRecipients } from '../../merchant/recipients/list-recipients.ts'
import { listSubscriptions } from '../../merchant/subscriptions/list-subscriptions.ts'
import { formatMoney } from '../components/money.tsx'
import type { Visit } from '../shell/visit.ts'

export type Hit = {
  readonly id: string
  readonly path: string
  readonly title: string
  readonly detail?: string | undefined
  readonly status?: string | undefined
}

export type HitGroup = { readonly label: string; readonly hits: readonly Hit[] }

type Finder = {
  readonly label: string
  find(visit: Visit, text: string): Promise<readonly Hit[]>
}

// Of each kind.
const hitsMax = 5
const customerTextMin = 3

const finders: readonly Finder[] = [
  {
    label: 'Payments',
    async find(visit, text) {
      const { items } = await visit.run(listPayments, { text, limit: hitsMax })
      return items.map(({ id, amountMinor, currency, payerName, payerEmail, status }) => ({
        id,
        path: `/payments/${id}`,
        title: formatMoney(amountMinor, currency),
        detail: payerName ?? payerEmail,
        status,
      }))
    },
  },
  {
    label: 'Customers',
    async find(visit, text) {
      // A short part is in nearly every name, and a rare one takes a look at all of them.
      if (text.length < customerTextMin) return []
      const { customers } = await visit.run(listCustomers, { text, limit: hitsMax })
      return customers.map(({ key, name, email }) => ({
        id: key,
        path: `/customers/${encodeURIComponent(key)}`,
        title: name ?? email,
        detail: name ? email : undefined,
      }))
    },
  },
  {
    label: 'Disputes',
    async find(visit, text) {
      const { items } = await visit.run(listDisputes, { text, limit: hitsMax })
      return items.map(({ id, amountMinor, currency, payerName, payerEmail, status }) => ({
        id,
        path: `/disputes/${id}`,
        title: formatMoney(amountMinor, currency),
        detail: payerName ?? payerEmail,
        status,
      }))
    },
  },
  documentsOf('sales', 'Invoices', '/invoices'),
  documentsOf('purchases', 'Bills', '/bills'),
  {
    label: 'Contacts',
    async find(visit, text) {
      const contacts = await visit.run(listContacts, { search: text, limit: hitsMax })
      return contacts.map(({ id, name, email }) => ({
        id,
        path: `/contacts/${id}`,
        title: name,
        detail: email ?? undefined,
      }))
    },
  },
  {
    label: 'Payment links',
    async find(visit, text) {
      const { items } = await visit.run(listPaymentLinks, { search: text, limit: hitsMax })
      return items.map(({ id, title, reference, state }) => ({
        id,
        path: `/payment-links/${id}`,
        title,
        detail: reference ?? undefined,
        status: state,
      }))
    },
  },
  {
    label: 'QR codes',
    async find(visit, text) {
      const { items } = await visit.run(listQrCodes, { search: text, limit: hitsMax })
      return items.map(({ id, description, reference, state }) => ({
        id,
        path: `/qr-codes/${id}`,
        title: description ?? 'QR code',
        detail: reference ?? undefined,
        status: state,
      }))
    },
  },
  {
    label: 'Subscriptions',
    async find(visit, text) {
      const subscriptions = await visit.run(listSubscriptions, { search: text, limit: hitsMax })
      return subscriptions.map(({ id, payerName, payerEmail, status }) => ({
        id,
        path: `/subscriptions/${id}`,
        title: payerName ?? payerEmail,
        detail: payerName ? payerEmail : undefined,
        status,
      }))
    },
  },
  {
    label: 'Recipients',
    async find(visit, text) {
      const recipients = await visit.run(listRecipients, { search: text, limit: hitsMax })
      return recipients.map(({ id, name, externalReference }) => ({
        id,
        path: `/recipients/${id}`,
        title: name,
        detail: externalReference,
      }))
    },
  },
]

function documentsOf(side: 'sales' | 'purchases', label: string, path: string): Finder {
  return {
    label,
    async find(visit, text) {
      const wanted = { side, text, limit: hitsMax, isSummed: false } as const
      const { documents } = await visit.run(searchDocuments, wanted)
      return documents.map(({ id, number, contactName, currency, totalMinor, status }) => ({
        id,
        path: `${path}/${id}`,
        title: number ?? 'Draft',
        detail: `${contactName}, ${formatMoney(totalMinor, currency)}`,
        status,
      }))
    },
  }
}

export async function findObjects(visit: Visit, text: string): Promise<HitGroup[]> {
  const groups = await Promise.all(
    finders.map(async ({ label, find }) => ({ label, hits: await find(visit, text) })),
  )
  return groups.filter(({ hits }) => hits.length > 0)
}
