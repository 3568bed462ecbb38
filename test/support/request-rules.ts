// What an OpenAPI document cannot say: rules between fields, and about what exists. By operation,
// turns a body that the document allows into one that the service takes.
import type { Json } from './schema-values.ts'

type Body = { readonly [field: string]: Json }

export const requestRules: Readonly<Record<string, (body: Body) => { [field: string]: Json }>> = {
  createPaymentLink: (body) =>
    without(
      {
        ...body,
        currency: payable(body.currency),
        ...('expiresAt' in body ? { expiresAt: future(body.expiresAt) } : {}),
      },
      [
        // Of the two one, and no recipient, since none is there.
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
  // An address that need not be looked up.
  createWebhook: (body) => ({ ...body, url: 'https://1.1.1.1/hook' }),
  // The simulated bank has no accounts that end in four zeros.
  createSplitRecipient: (body) => ({
    ...body,
    accountNumber: String(body.accountNumber).replace(/.$/, '1'),
  }),
}

// The same for the query.
export const queryRules: typeof requestRules = {
  // There is no payment to start after.
  listPayments: (query) => without(query, ['starting_after']),
  // The days in their order, also where the last is left out, and no recipient: none is there.
  listSettlements: ({ from, to = '2099-12-31', ...query }) => {
    const [first = to, last = to] = [from ?? to, to].toSorted()
    return { ...without(query, ['splitRecipientId']), from: first, to: last }
  },
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
