// For tests of receivers: a request exactly as Tillbook sends it.
import { randomUUID } from 'node:crypto'
import type { BooksEvents, MerchantEvents } from './event-types.ts'
import { signatureOf } from './signature.ts'
import { keysOf } from './verify-webhook.ts'

export type TestEvent =
  | {
      [Type in keyof MerchantEvents]: {
        service: 'merchant'
        type: Type
        data: MerchantEvents[Type]
      } & Given
    }[keyof MerchantEvents]
  | {
      [Type in keyof BooksEvents]: {
        service: 'books'
        type: Type
        data: BooksEvents[Type]
        org_id?: string
      } & Given
    }[keyof BooksEvents]

// Generated unless given.
type Given = { id?: string; created_at?: string }

// Can be passed to `fetch` as its second argument.
export type SignedWebhook = {
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function signWebhook(
  event: TestEvent,
  // Two secrets, the newer one first, for a request during a rotation.
  secrets: string | readonly [newer: string, older: string],
  options: { readonly now?: Date } = {},
): SignedWebhook {
  const [newer = '', older] = keysOf(secrets)
  const now = options.now ?? new Date()
  const id = event.id ?? randomUUID()
  const { type, data, created_at = now.toISOString() } = event
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const body = JSON.stringify(
    event.service === 'books'
      ? { id, type, created_at, org_id: event.org_id ?? randomUUID(), data }
      : { type, created_at, data },
  )
  const sign = (secret: string) => hex(signatureOf(secret, timestamp, Buffer.from(body)))
  const signatures = [newer, ...(older === undefined ? [] : [older])].map(sign)
  const headers =
    event.service === 'books'
      ? booksHeaders(type, id, timestamp, signatures)
      : merchantHeaders(type, id, timestamp, signatures)
  return { method: 'POST', headers, body }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

// The documented headers contain one signature, which is the older secret's.
function booksHeaders(
  type: string,
  id: string,
  timestamp: string,
  [newer = '', older]: readonly string[],
): Record<string, string> {
  const scheme = (signature: string) => `t=${timestamp},v1=${signature}`
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Accounting-Webhooks/1',
    'X-Accounting-Event': type,
    'X-Accounting-Delivery': randomUUID(),
    'X-Accounting-Signature': scheme(older ?? newer),
    ...(older !== undefined && { 'X-Accounting-Signature-New': scheme(newer) }),
    'X-Accounting-Event-Id': id,
    'X-Accounting-Attempt': '1',
  }
}

function merchantHeaders(
  type: string,
  id: string,
  timestamp: string,
  [newer = '', older]: readonly string[],
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Tillbook-Webhooks/1',
    'X-Service-Event': type,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': older ?? newer,
    ...(older !== undefined && { 'X-Service-Signature-New': newer }),
    'X-Service-Event-Id': id,
    'X-Service-Delivery-Id': randomUUID(),
    'X-Service-Attempt': '1',
  }
}
