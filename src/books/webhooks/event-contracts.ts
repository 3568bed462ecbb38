// The events of the accounting interface, as its description shows them. What is sent is made where
// it happens; a test holds both against each other.
import { z } from 'zod'
import type { EventContract, WebhookContract } from '../../kernel/http/service.ts'
import { describedAs, timestamp } from '../../kernel/operations/schemas.ts'
import { documentKinds, documentStatuses } from '../documents/document-status.ts'

const major = () => describedAs(z.number(), { type: 'number', 'x-unit': 'major' })
const day = () => describedAs(z.string(), { type: 'string', format: 'date' })

const totals = { currency: z.string(), subtotal: major(), tax_total: major(), total: major() }

const document = z.object({
  id: z.uuid(),
  kind: z.enum(documentKinds),
  number: z.string().nullable(),
  status: z.enum(documentStatuses),
  contact_id: z.uuid(),
  date: day(),
  due_date: day(),
  ...totals,
  amount_paid: major(),
  reference: z.string().nullable(),
})

const quote = z.object({
  id: z.uuid(),
  number: z.string().nullable(),
  status: z.string(),
  contact_id: z.uuid(),
  date: day(),
  expiry_date: day(),
  ...totals,
  reference: z.string().nullable(),
  invoice_id: z.uuid().nullable(),
})

const contact = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  is_customer: z.boolean(),
  is_supplier: z.boolean(),
  currency: z.string().nullable(),
})

const lead = z.object({
  id: z.uuid(),
  name: z.string(),
  company: z.string().nullable(),
  value: major().nullable(),
  currency: z.string(),
  contact_id: z.uuid().nullable(),
  quote_id: z.uuid().nullable(),
})

function event(type: string, summary: string, data: z.ZodType): EventContract {
  const body = z.object({
    id: z.uuid().meta({ description: 'The same in every attempt: what to deduplicate by.' }),
    type: z.literal(type),
    created_at: timestamp(),
    org_id: z.uuid(),
    data,
  })
  return { type, summary, body }
}

export const booksWebhookContract: WebhookContract = {
  signature:
    '`X-Accounting-Signature` is `t=<unix seconds>,v1=<signature>`. To verify, compute the hex ' +
    'HMAC-SHA256 of `<t>.<raw body>` with the whole secret (`whsec_…`) as the key, compare it with ' +
    '`v1` in constant time, and refuse a timestamp more than five minutes from your clock.',
  headers: {
    'X-Accounting-Event': 'The event type.',
    'X-Accounting-Delivery': 'The delivery, the same in every attempt.',
    'X-Accounting-Signature': '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`.',
  },
  events: [
    event('invoice.created', 'A draft invoice or credit note was created', document),
    event('invoice.issued', 'An invoice or credit note was issued', document),
    event('invoice.paid', 'An invoice was paid in full', document),
    event('invoice.voided', 'An invoice or credit note was voided', document),
    event('bill.created', 'A bill, supplier credit or expense claim was created', document),
    event('bill.approved', 'A bill, supplier credit or expense claim was approved', document),
    event('bill.paid', 'A bill or expense claim was paid in full', document),
    event('quote.accepted', 'A customer accepted a quote', quote),
    event(
      'quote.declined',
      'A customer declined a quote',
      quote.extend({ reason: z.string().nullable().optional() }),
    ),
    event('contact.created', 'A customer or supplier was added', contact),
    event('lead.won', 'A lead was won', lead),
    event(
      'test.ping',
      'Requested for one endpoint, to try it out',
      z.object({ id: z.uuid(), endpoint_id: z.uuid() }),
    ),
  ],
}
