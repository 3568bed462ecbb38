// What an event is about, as people know it: by number, name or amount, from the event's own data,
// so that it reads as it was then.
import type { EventPage } from '../../kernel/endpoints/event-operations.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { formatMoney } from '../components/money.tsx'
import type { Visit } from '../shell/visit.ts'

type About = Pick<EventPage['events'][number], 'type' | 'objectId' | 'subject'>

type Kind = { readonly label: string; readonly path: string }

const kinds: Readonly<Record<string, Kind>> = {
  payment: { label: 'Payment', path: '/payments' },
  payout: { label: 'Payout', path: '/payouts' },
  invoice: { label: 'Invoice', path: '/invoices' },
  credit_note: { label: 'Credit note', path: '/invoices' },
  bill: { label: 'Bill', path: '/bills' },
  supplier_credit: { label: 'Supplier credit', path: '/bills' },
  expense_claim: { label: 'Expense claim', path: '/bills' },
  quote: { label: 'Quote', path: '/quotes' },
  contact: { label: 'Contact', path: '/contacts' },
  lead: { label: 'Lead', path: '/leads' },
}

// Events about credit notes have the types of invoices; their data says what they are.
function kindOf({ type, subject }: About): Kind | undefined {
  const [word = ''] = type.split('.')
  return (subject.kind === null ? undefined : kinds[subject.kind]) ?? kinds[word]
}

function objectText(event: About): string | undefined {
  const label = kindOf(event)?.label
  if (!label) return undefined
  const { number, name, amountMinor, currency } = event.subject
  if (number !== null || name !== null) return `${label} ${number ?? name}`
  const isAmount = /^-?\d+$/.test(amountMinor ?? '') && isCurrency(currency ?? '')
  // Drafts have no number yet.
  return isAmount ? `${label} of ${formatMoney(BigInt(amountMinor ?? ''), currency ?? '')}` : label
}

export function EventObject({ event }: { event: About }) {
  const text = objectText(event)
  return text === undefined ? <code>{event.objectId}</code> : text
}

export function EventObjectLink({ visit, event }: { visit: Visit; event: About }) {
  const path = kindOf(event)?.path
  if (!path) return <EventObject event={event} />
  return (
    <a href={visit.href(`${path}/${event.objectId}`)}>
      <EventObject event={event} />
    </a>
  )
}
