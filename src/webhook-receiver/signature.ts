// Both interfaces sign `<timestamp>.<raw body>` with hex HMAC-SHA256, keyed with the whole secret
// including its prefix. They differ in the headers that contain the signatures.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { WebhookError } from './webhook-error.ts'

// The header objects of Node, Fetch and the frameworks.
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type Signed = {
  readonly service: 'merchant' | 'books'
  // As sent, since this text was signed.
  readonly timestamp: string
  // Hex. More than one during a rotation.
  readonly signatures: readonly string[]
}

export const secretPrefix = 'whsec_'

export function signatureOf(secret: string, timestamp: string, body: Uint8Array): Uint8Array {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
}

export function readSigned(headers: WebhookHeaders): Signed {
  const merchant = headerOf(headers, 'x-service-signature')
  const books = headerOf(headers, 'x-accounting-signature')
  if (merchant !== undefined && books !== undefined) {
    throw new WebhookError(
      'headers_malformed',
      'The request has the signature headers of both services.',
    )
  }
  if (merchant !== undefined) return readMerchant(headers, merchant)
  if (books !== undefined) return readBooks(headers, books)
  throw new WebhookError(
    'headers_missing',
    'There is neither X-Service-Signature nor X-Accounting-Signature: this is not a webhook of ' +
      'Tillbook, or something on the way has removed its headers.',
  )
}

// Compares every secret with every signature, so that the duration reveals nothing.
export function isGenuine(
  body: Uint8Array,
  { timestamp, signatures }: Signed,
  secrets: readonly string[],
): boolean {
  const presented = signatures.map((signature) => Buffer.from(signature, 'hex'))
  let genuine = false
  for (const secret of secrets) {
    const expected = signatureOf(secret, timestamp, body)
    for (const one of presented) genuine = timingSafeEqual(one, expected) || genuine
  }
  return genuine
}

export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name || value === undefined) continue
    return typeof value === 'string' ? value : value.join(',')
  }
  return undefined
}

// During a rotation, the new secret's signature has its own header.
function readMerchant(headers: WebhookHeaders, signature: string): Signed {
  const timestamp = headerOf(headers, 'x-service-timestamp')
  if (timestamp === undefined) {
    throw new WebhookError('headers_missing', 'There is no X-Service-Timestamp.')
  }
  const others = headerOf(headers, 'x-service-signature-new')
  const signatures = [signature, ...(others === undefined ? [] : [others])]
  return checked('merchant', timestamp, signatures.flatMap(pieces))
}

// `t=1700000000,v1=<hex>`. During a rotation, a second header has the same for the new secret.
// Unknown parts belong to a future scheme.
function readBooks(headers: WebhookHeaders, signature: string): Signed {
  const others = headerOf(headers, 'x-accounting-signature-new')
  const all = [signature, ...(others === undefined ? [] : [others])].map(readScheme)
  const [timestamp = '', ...more] = new Set(all.map((one) => one.timestamp))
  const signatures = all.flatMap((one) => one.signatures)
  return checked('books', more.length === 0 ? timestamp : '', signatures)
}

function readScheme(header: string): { timestamp: string; signatures: string[] } {
  const pairs = pieces(header).map((piece) => piece.split('=', 2))
  const valuesOf = (name: string) =>
    pairs.flatMap(([key, value = '']) => (key === name ? value : []))
  const [timestamp = '', ...more] = valuesOf('t')
  return { timestamp: more.length === 0 ? timestamp : '', signatures: valuesOf('v1') }
}

function pieces(header: string): string[] {
  return header.split(',').map((piece) => piece.trim())
}

function checked(service: Signed['service'], timestamp: string, given: readonly string[]): Signed {
  const signatures = given.filter((signature) => /^[0-9a-f]{64}$/i.test(signature))
  if (!/^\d{1,15}$/.test(timestamp) || signatures.length === 0) {
    throw new WebhookError('headers_malformed', `The signature of ${service} cannot be read.`)
  }
  return { service, timestamp, signatures }
}
