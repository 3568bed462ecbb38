// One call to the provider's HTTP API, and the one place that classifies its answer:
//   success a 2xx in the provider's envelope that says `success`;
//   refused a 4xx in the provider's envelope: it understood the request and did not act;
//   unknown everything else. It may have acted, so the caller must look it up, never guess.
// The envelope has no machine-readable code, and its messages are prose that changes, so only the
// HTTP status decides.
import type { Log } from '../../kernel/basics/log.ts'
import { assertNoTransaction } from '../../kernel/db/transaction.ts'
import { parseJson, writeJson } from '../../kernel/money/exact-number.ts'
import { type Fields, isFields, textOf } from './flutterwave-fields.ts'
import type { Outcome } from './provider.ts'

export type FlutterwaveOptions = {
  // With the version, without a trailing slash: https://api.flutterwave.com/v3
  readonly baseUrl: string
  readonly secretKey: string
  readonly log: Log
  readonly timeoutMs?: number | undefined
}

export type FlutterwaveCall = {
  readonly method: 'GET' | 'POST'
  // The caller encodes parts that come from data.
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  // Parts of the body that must not appear in a log or a reason: account numbers, cards.
  readonly hidden?: readonly string[]
}

export type Envelope = { readonly data: unknown; readonly meta: unknown }

export type FlutterwaveClient = (call: FlutterwaveCall) => Promise<Outcome<Envelope>>

// For the whole call, including the body. Payers wait for some of these calls.
const timeoutMsDefault = 15_000

// A page of a list has some ten kilobytes. More than this is not a valid answer.
const answerBytesMax = 4 * 1024 * 1024

// With these, the request was not decided: a key that is being changed, a timeout in between, too
// many requests. A conflict may be with our own first try, whose answer was lost.
const inconclusiveStatuses = new Set([401, 403, 408, 409, 429])

export function createClient(options: FlutterwaveOptions): FlutterwaveClient {
  const { secretKey, log, timeoutMs = timeoutMsDefault } = options
  return async (call) => {
    assertNoTransaction(`${call.method} ${call.path} at the payment provider`)
    const outcome = outcomeOf(await exchange(options, call, timeoutMs))
    if (outcome.kind === 'success') return outcome
    const { method, path, hidden = [] } = call
    // The provider's message may repeat our values.
    const hide = (text: string) =>
      [secretKey, ...hidden]
        .reduce((left, secret) => left.replaceAll(secret, '…'), text)
        .slice(0, 500)
    if (outcome.kind === 'refused') {
      const reason = hide(outcome.reason)
      log.info({ method, path, reason }, 'the payment provider refused')
      return { ...outcome, reason }
    }
    const cause = hide(outcome.cause)
    log.warn({ method, path, cause }, 'the payment provider gave no clear answer')
    return { ...outcome, cause }
  }
}

type Exchange = { readonly status: number; readonly text: string } | { readonly cause: string }

function outcomeOf(exchange: Exchange): Outcome<Envelope> {
  if ('cause' in exchange) return { kind: 'unknown', cause: exchange.cause }
  const { status, text } = exchange
  const envelope = readEnvelope(text)
  if (!envelope) return { kind: 'unknown', cause: `HTTP ${status} with an unreadable body` }
  const { state, message, errorId } = envelope
  if (status >= 200 && status < 300 && state === 'success') {
    return { kind: 'success', value: envelope }
  }
  const isJudged = status >= 400 && status < 500 && !inconclusiveStatuses.has(status)
  if (isJudged && state === 'error') return { kind: 'refused', reason: message }
  const details = [`HTTP ${status}`, message, errorId].filter((part) => part !== undefined)
  return { kind: 'unknown', cause: details.join(': ') }
}

function readEnvelope(text: string) {
  const value = parsed(text)
  const state = isFields(value) ? textOf(value, 'status') : undefined
  if (!isFields(value) || state === undefined) return undefined
  const message = textOf(value, 'message') ?? 'no reason given'
  return { state, message, errorId: textOf(value, 'error_id'), data: value.data, meta: value.meta }
}

function parsed(text: string): Fields | unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

async function exchange(
  { baseUrl, secretKey }: FlutterwaveOptions,
  { method, path, query = {}, body }: FlutterwaveCall,
  timeoutMs: number,
): Promise<Exchange> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  const search = new URLSearchParams(query).toString()
  try {
    const response = await fetch(`${baseUrl}${path}${search && `?${search}`}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${secretKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: writeJson(body) }),
      // A redirect would send the key to another address.
      redirect: 'manual',
      signal: deadline.signal,
    })
    return await read(response)
  } catch (error) {
    if (deadline.signal.aborted) return { cause: `no answer within ${timeoutMs} ms` }
    return { cause: `the connection failed: ${codeOf(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

async function read(response: Response): Promise<Exchange> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    // Leaving the loop cancels the rest.
    if (length > answerBytesMax) return { cause: `an answer of more than ${answerBytesMax} bytes` }
    chunks.push(chunk)
  }
  return { status: response.status, text: Buffer.concat(chunks).toString('utf8') }
}

// fetch hides the reason in the cause, and its messages may contain the request.
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given'
}
