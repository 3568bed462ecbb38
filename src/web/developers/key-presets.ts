// What a key is for, and the scopes that this needs.
type Preset = {
  readonly title: string
  readonly service: 'merchant' | 'books'
  readonly scopes: readonly string[]
}

const readingPayments = ['payments:read', 'payouts:read', 'settlements:read', 'account:read']

export const keyPresets: Readonly<Record<string, Preset>> = {
  checkout: {
    title: 'Checkout: create links and QR codes, read and cancel payments',
    service: 'merchant',
    scopes: ['payment_links:write', 'qr_codes:write', 'payments:read', 'payments:cancel'],
  },
  refunds: {
    title: 'Customer service: read and refund payments',
    service: 'merchant',
    scopes: ['payments:read', 'refunds:create_full', 'refunds:create_partial'],
  },
  payouts: {
    title: 'Payouts: read, create and cancel payouts',
    service: 'merchant',
    scopes: ['payouts:read', 'payouts:create', 'payouts:cancel'],
  },
  read: {
    title: 'Read-only: payments, payouts and settlements',
    service: 'merchant',
    scopes: [...readingPayments, 'reports:export', 'recipients:read', 'webhooks:read_logs'],
  },
  sync: {
    title: 'Accounting sync: read and write the books',
    service: 'books',
    scopes: ['read', 'write'],
  },
  books: { title: 'Read-only: the books', service: 'books', scopes: ['read'] },
}
