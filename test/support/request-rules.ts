// Rules that an OpenAPI document can't express: between fields, and about existing objects. By
// operation, turns a body that the document allows into one that the service accepts.
import type { Json } from './schema-values.ts'

type Body = { readonly [field: string]: Json }

// Someone whom the tenant of the generated requests has for a customer.
export const knownContactId = '018f4b3e-7c1d-7e2a-9b3c-4d5e6f708192'

export const requestRules: Readonly<Record<string, (body: Body) => { [field: string]: Json }>> = {
  createPaymentLink: (body) =>
    without(
      {
        ...body,
        currency: payable(body.currency),
        ...('expiresAt' in body ? { expiresAt: future(body.expiresAt) } : {}),
        ...('items' in body ? { items: (body.items as Body[]).map(sold) } : {}),
      },
      [
        // Of the three one, and no recipient, since none is there.
        ...('items' in body ? ['amount', 'presetAmount'] : []),
        'amount' in body ? 'presetAmount' : 'amount',
        'splitRecipientId',
        // The header, which is made by itself, would have to say the same.
        'idempotencyKey',
      ],
    ),
  createPayout: (body) =>
    // What the business has, and the account that is on file whatever is said of it.
    without({ ...body, currency: 'NGN' }, ['bankDetails']),
  createQrCode: (body) => {
    const made = without({ ...body, currency: payable(body.currency) }, ['splitRecipientId'])
    return body.mode === 'fixed_amount' ? { amount: 1, ...made } : without(made, ['amount'])
  },
  // For a customer that is there, with lines that come to something that can be owed, and the days
  // in their order.
  createInvoice: (body) => {
    const { date = '2026-01-01', due_date = '2099-12-31' } = body
    const [first, last] = [date, due_date].toSorted()
    const lines = (body.lines as Body[]).map((line) => ({
      ...without(line, ['item_id', 'account_id', 'tax_code_id']),
      ...('quantity' in line ? { quantity: small(line.quantity) } : {}),
      unit_price: small(line.unit_price),
      // Short, so that all of them fit into a body.
      description: [...String(line.description)].slice(0, 300).join(''),
    }))
    const days = { date: first ?? date, due_date: last ?? due_date }
    const currency = 'currency' in body ? { currency: payable(body.currency) } : {}
    return { ...body, ...days, ...currency, contact_id: knownContactId, lines }
  },
  // An address that need not be looked up.
  createWebhook: (body) => ({ ...body, url: 'https://1.1.1.1/hook' }),
  // The provider decides about banks and accounts: the simulated one knows these.
  createSplitRecipient: (body) => ({
    ...body,
    accountBank: '044',
    accountNumber: '0690000031',
  }),
}

// The same for the query.
export const queryRules: typeof requestRules = {
  listInvoices: inOrder,
  listBills: inOrder,
  // The days in their order, also where the last is left out.
  getProfitAndLoss: ({ from, to = '2099-12-31', ...query }) => {
    const [first = to, last = to] = [from ?? to, to].toSorted()
    return { ...query, from: first, to: last }
  },
  // There is nothing to start after.
  listPayments: (query) => without(query, ['starting_after']),
  listPayouts: (query) => without(query, ['starting_after']),
  listPaymentLinks: (query) => without(query, ['starting_after']),
  listQrCodes: (query) => without(query, ['starting_after']),
  // The days in their order, also where the last is left out, and no recipient: none is there.
  listSettlements: ({ from, to = '2099-12-31', ...query }) => {
    const [first = to, last = to] = [from ?? to, to].toSorted()
    return { ...without(query, ['splitRecipientId']), from: first, to: last }
  },
}

// Cheap, and either a number of them or the least and the most.
function sold({ quantity, minQuantity, maxQuantity, ...item }: Body): Body {
  const amount = (Math.trunc(Number(item.amount) * 100) % 1000 || 1) / 100
  if (quantity !== undefined) return { ...item, amount, quantity }
  if (maxQuantity === undefined) return { ...item, amount }
  const least = Math.min(Number(minQuantity ?? 0), Number(maxQuantity))
  return { ...item, amount, minQuantity: least, maxQuantity }
}

function inOrder(query: Body): { [field: string]: Json } {
  if (!('from' in query && 'to' in query)) return { ...query }
  const [from = '', to = ''] = [query.from ?? '', query.to ?? ''].toSorted()
  return { ...query, from, to }
}

// Not negative, below a hundred thousand, with two decimals.
function small(any: Json | undefined): number {
  return (Math.abs(Math.trunc(Number(any) * 100)) % 10_000_000) / 100
}

// One of the provider's currencies with two decimals, as many as numbers are made with.
function payable(any: Json | undefined): string {
  const currencies = ['NGN', 'GHS', 'KES', 'ZAR', 'USD', 'EUR', 'GBP']
  return currencies[String(any).charCodeAt(0) % currencies.length] ?? 'NGN'
}

function future(any: Json | undefined): string {
  return String(any).replace(/^\d{4}/, '2096')
}

function without(body: Body, names: readonly string[]): { [field: string]: Json } {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}
