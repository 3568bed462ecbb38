// Checks that a webhook is genuine. The signature covers bytes, so this needs the original bytes:
// JSON that was parsed and serialised again has different ones.
import { createHash } from 'node:crypto'
import type { DeliveryFacts, WebhookEvent } from './event-types.ts'
import {
  headerOf,
  isGenuine,
  readSigned,
  type Signed,
  secretPrefix,
  type WebhookHeaders,
} from './signature.ts'
import { WebhookError } from './webhook-error.ts'

export type RawBody = string | Uint8Array | ArrayBuffer

export type VerifyOptions = {
  // For tests. The default is the machine's time.
  readonly now?: Date
}

// In both interfaces, in either direction.
const toleranceSeconds = 300

export function verifyWebhook(
  body: RawBody,
  headers: WebhookHeaders,
  // Several if the same address is registered more than once.
  secrets: string | readonly string[] | undefined,
  options: VerifyOptions = {},
): WebhookEvent {
  const bytes = bytesOf(body)
  const keys = keysOf(secrets)
  const signed = readSigned(headers)
  if (!isGenuine(bytes, signed, keys)) {
    throw new WebhookError(
      'signature_mismatch',
      'No signature matches these bytes and the given secrets. Is this the secret of this ' +
        'endpoint, and is the body exactly as it was sent?',
    )
  }
  requireFresh(signed, options.now ?? new Date())
  return eventOf(bytes, headers, signed.service)
}

// An unset variable is refused here with a clear message, not by the compiler.
export function keysOf(secrets: string | readonly string[] | undefined): readonly string[] {
  const keys = typeof secrets === 'string' ? [secrets] : secrets
  const isRight = (key: unknown) =>
    typeof key === 'string' && key.startsWith(secretPrefix) && key.length > secretPrefix.length
  // Refused and not corrected, because the program would keep using the wrong text.
  if (Array.isArray(keys) && keys.some((key) => typeof key === 'string' && /\s/.test(key))) {
    throw new WebhookError(
      'secret_invalid',
      'The secret contains a space or a line break, as often happens at the end of a pasted text or ' +
        'a file. Secrets contain none: remove it.',
    )
  }
  // An empty or undefined secret would be known to everyone.
  if (Array.isArray(keys) && keys.length > 0 && keys.every(isRight)) return keys
  throw new WebhookError(
    'secret_invalid',
    `A secret starts with ${secretPrefix} and was shown when the endpoint was created. Is the ` +
      'variable set that should contain it?',
  )
}

// Not with `instanceof`: test runners give programs other globals than Node uses itself.
export function isRaw(body: unknown): body is RawBody {
  return typeof body === 'string' || ArrayBuffer.isView(body) || isArrayBuffer(body)
}

function isArrayBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]'
}

function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (isArrayBuffer(body)) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  throw new WebhookError(
    'body_parsed',
    'The body must be the original string or bytes. This one was already parsed, and serialising ' +
      'it again gives other bytes than those that were signed.',
  )
}

// After the signature, so that this error means that everything else is right.
function requireFresh({ timestamp }: Signed, now: Date): void {
  const ageSeconds = now.getTime() / 1000 - Number(timestamp)
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const when = `${Math.round(Math.abs(ageSeconds))} seconds in the ${ageSeconds > 0 ? 'past' : 'future'}`
  throw new WebhookError(
    'timestamp_outside_tolerance',
    `The signature is right, but its time is ${when}; ${toleranceSeconds} are allowed. Either ` +
      'someone replays an old request, or the clock of this machine is wrong.',
  )
}

function eventOf(
  bytes: Uint8Array,
  headers: WebhookHeaders,
  service: Signed['service'],
): WebhookEvent {
  const body = parse(bytes)
  const { type, created_at, data, id, org_id } = body
  const texts = service === 'books' ? [type, created_at, id, org_id] : [type, created_at]
  if (!texts.every((text) => typeof text === 'string') || !isObject(data)) throw invalidBody()
  const delivery = deliveryOf(headers, service)
  const event =
    service === 'books'
      ? { service, id, type, created_at, org_id, data, delivery }
      : { service, id: fingerprint(bytes), type, created_at, data, delivery }
  return event as unknown as WebhookEvent
}

// Bodies of the merchant service have no id, and headers are not signed: an attacker who replays a
// request could send another id. An event has the same bytes each time it is sent.
function fingerprint(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function deliveryOf(headers: WebhookHeaders, service: Signed['service']): DeliveryFacts {
  const isBooks = service === 'books'
  const prefix = isBooks ? 'x-accounting' : 'x-service'
  const attempt = headerOf(headers, `${prefix}-attempt`)
  return {
    event_id: headerOf(headers, `${prefix}-event-id`) ?? null,
    delivery_id:
      headerOf(headers, isBooks ? `${prefix}-delivery` : `${prefix}-delivery-id`) ?? null,
    attempt: attempt !== undefined && /^\d{1,9}$/.test(attempt) ? Number(attempt) : null,
  }
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidBody()
  }
  if (!isObject(body)) throw invalidBody()
  return body
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalidBody(): WebhookError {
  return new WebhookError('body_invalid', 'The signature is right, but the body is not an event.')
}
