// Events of what `cli trigger` cannot bring about in the sandbox: nothing of this is there, and
// `example` says so to whoever receives it.
import type { Ids } from '../kernel/basics/id.ts'
import type { NewEvent } from '../kernel/webhooks/event.ts'

export type Example = Pick<NewEvent, 'objectId' | 'data'>

export function exampleOf(type: string, ids: Ids, now: Date): Example | undefined {
  const id = ids.uuid()
  const fields = fieldsOf(type, ids, now)
  return fields && { objectId: id, data: { id, ...fields, example: true } }
}

type Fields = NewEvent['data']

function fieldsOf(type: string, ids: Ids, now: Date): Fields | undefined {
  const money = { amount: 450_000, currency: 'NGN' }
  const [kind = '', act = ''] = type.split('.')
  if (type === 'payout.completed') return { ...money, status: 'completed' }
  if (type === 'payout.failed') {
    return { ...money, status: 'failed', failure_reason: 'Account resolve failed' }
  }
  if (kind === 'invoice' || kind === 'bill') return documentFields(kind, act, ids, now)
  if (kind === 'quote') return quoteFields(act, ids, now)
  if (type === 'lead.won') {
    return {
      ...{ name: 'Twelve desks', company: 'Example Ltd', value: 5375, currency: 'NGN' },
      ...{ contact_id: ids.uuid(), quote_id: ids.uuid() },
    }
  }
  return type === 'test.ping' ? {} : undefined
}

const sums = { currency: 'NGN', subtotal: 5000, tax_total: 375, total: 5375 }

function documentFields(kind: string, act: string, ids: Ids, now: Date): Fields {
  const statuses = new Map<string, string>([
    ['created', 'draft'],
    ['issued', 'posted'],
    ['voided', 'void'],
    ['approved', 'approved'],
    ['paid', 'paid'],
  ])
  const prefix = kind === 'invoice' ? 'INV' : 'BILL'
  return {
    kind,
    number: act === 'created' ? null : `${prefix}-0001`,
    status: statuses.get(act) ?? 'draft',
    contact_id: ids.uuid(),
    ...{ date: day(now, 0), due_date: day(now, 30) },
    ...sums,
    amount_paid: act === 'paid' ? sums.total : 0,
    reference: 'Example',
  }
}

function quoteFields(act: string, ids: Ids, now: Date): Fields {
  return {
    ...{ number: 'QU-0001', status: act, contact_id: ids.uuid() },
    ...{ date: day(now, 0), expiry_date: day(now, 30) },
    ...sums,
    reference: 'Example',
    invoice_id: null,
    ...(act === 'declined' && { reason: 'Too dear' }),
  }
}

function day(now: Date, later: number): string {
  return new Date(now.getTime() + later * 86_400_000).toISOString().slice(0, 10)
}
