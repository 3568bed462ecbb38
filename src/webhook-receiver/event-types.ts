// The events of the two services, as their interfaces document them. These are types only; fields
// that a later version adds still arrive.

// Amounts are minor units.
export type MerchantEvents = {
  // Sent to one endpoint on request, to try it out.
  'test.ping': { id: string; endpoint_id: string }
  'payment.succeeded': PaymentSource & {
    id: string
    amount: number
    currency: string
    fee_amount: number
    net_amount: number
    status: string
  }
  'payment.failed': PaymentSource & {
    id: string
    amount: number
    currency: string
    status: string
    failure_reason: string
  }
  'payment.refunded': {
    id: string
    // Of the payment; then all refunds so far; then this one.
    amount: number
    refunded_amount: number
    refund_amount: number
    currency: string
    status: 'partially_refunded' | 'refunded'
    fully_refunded: boolean
  }
  'payout.completed': { id: string; amount: number; currency: string; status: string }
  'payout.failed': {
    id: string
    amount: number
    currency: string
    status: string
    failure_reason: string
  }
}

// What was paid: a link or a QR code (the other is null), or a subscription.
export type PaymentSource = {
  payment_link_id?: string | null
  qr_code_id?: string | null
  subscription_id?: string
  // Of a link that has items.
  items?: { id: string; name: string; unit_amount: number; quantity: number; amount: number }[]
  // Of a link that asks its payers for more than the e-mail address.
  payer_answers?: { name?: string; phone?: string; address?: string; note?: string }
}

// Amounts are major units.
export type BooksEvents = {
  'invoice.created': DocumentData
  'invoice.issued': DocumentData
  'invoice.paid': DocumentData
  'invoice.voided': DocumentData
  'bill.created': DocumentData
  'bill.approved': DocumentData
  'bill.paid': DocumentData
  'quote.accepted': QuoteData
  'quote.declined': QuoteData
  'contact.created': {
    id: string
    name: string
    email: string | null
    is_customer: boolean
    is_supplier: boolean
    currency: string | null
  }
  'lead.won': {
    id: string
    name: string
    company: string | null
    value: number | null
    currency: string
    contact_id: string | null
    quote_id: string | null
  }
  'test.ping': Record<string, unknown>
}

// Credit notes arrive as `invoice.*`, supplier credits and expense claims as `bill.*`.
export type DocumentData = {
  id: string
  kind: 'invoice' | 'credit_note' | 'bill' | 'supplier_credit' | 'expense_claim'
  number: string | null
  status: string
  contact_id: string
  date: string
  due_date: string
  currency: string
  subtotal: number
  tax_total: number
  total: number
  amount_paid: number
  reference: string | null
}

export type QuoteData = {
  id: string
  number: string | null
  status: string
  contact_id: string
  date: string
  expiry_date: string
  currency: string
  subtotal: number
  tax_total: number
  total: number
  reference: string | null
  invoice_id: string | null
  // Of `quote.declined`.
  reason?: string | null
}

export type MerchantEvent = {
  [Type in keyof MerchantEvents]: Received<'merchant', Type, MerchantEvents[Type]>
}[keyof MerchantEvents]

export type BooksEvent = {
  [Type in keyof BooksEvents]: Received<'books', Type, BooksEvents[Type]> & { org_id: string }
}[keyof BooksEvents]

export type WebhookEvent = MerchantEvent | BooksEvent

type Received<Service, Type, Data> = {
  service: Service
  // The same in every attempt, resend and replay of an event, and covered by the signature. Store
  // it to avoid handling an event twice.
  id: string
  type: Type
  // ISO 8601.
  created_at: string
  // `data.example` is true in events that `cli trigger` made up.
  data: Data & { example?: true }
  delivery: DeliveryFacts
}

// Values of the headers. The signature does not cover them, so use them for logs only.
export type DeliveryFacts = {
  event_id: string | null
  delivery_id: string | null
  attempt: number | null
}
