// Takes the raw body from the request object of a framework. If the framework has already parsed
// it, the error says what to change in that framework.
import type { WebhookEvent } from './event-types.ts'
import type { WebhookHeaders } from './signature.ts'
import { isRaw, type RawBody, type VerifyOptions, verifyWebhook } from './verify-webhook.ts'
import { WebhookError } from './webhook-error.ts'

export type WebhookRequest = FetchRequest | HonoRequest | FastifyRequest | NodeRequest

// By shape, so that no framework is needed to compile this.
type FetchRequest = {
  readonly headers: { get(name: string): string | null }
  readonly bodyUsed: boolean
  arrayBuffer(): Promise<ArrayBuffer>
}
type HonoRequest = {
  readonly raw: FetchRequest
  arrayBuffer(): Promise<ArrayBuffer>
}
type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>
type FastifyRequest = {
  readonly raw: object
  readonly headers: NodeHeaders
  readonly body?: unknown
}
// Also Express.
type NodeRequest = {
  readonly headers: NodeHeaders
  readonly body?: unknown
  readonly readableDidRead?: boolean
  [Symbol.asyncIterator](): AsyncIterator<unknown>
}

// Far above the size of any event.
const bytesMax = 1024 * 1024

export async function receiveWebhook(
  request: WebhookRequest,
  secrets: string | readonly string[] | undefined,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { body, headers } = await read(request)
  return verifyWebhook(body, headers, secrets, options)
}

type Taken = { readonly body: RawBody; readonly headers: WebhookHeaders }

async function read(request: WebhookRequest): Promise<Taken> {
  if ('arrayBuffer' in request) return 'raw' in request ? readHono(request) : readFetch(request)
  const { headers } = request
  // Some middleware keeps the bytes beside the parsed body.
  const kept = 'rawBody' in request ? request.rawBody : undefined
  if (isRaw(kept)) return { body: kept, headers }
  if (isRaw(request.body)) return { body: request.body, headers }
  if ('raw' in request) throw new WebhookError('body_parsed', fastifyMessage)
  if (!request.readableDidRead) return { body: await readStream(request), headers }
  if (request.body === undefined || request.body === null) {
    throw new WebhookError('body_read', alreadyReadMessage)
  }
  throw new WebhookError('body_parsed', 'app' in request ? expressMessage : nodeMessage)
}

async function readFetch(request: FetchRequest): Promise<Taken> {
  if (request.bodyUsed) throw new WebhookError('body_read', alreadyReadMessage)
  return { body: limited(await request.arrayBuffer()), headers: request.headers }
}

// Hono caches what was read through it. Text is fine; versions that cached parsed JSON would
// produce bytes by serialising it again.
async function readHono(request: HonoRequest): Promise<Taken> {
  const read = 'bodyCache' in request ? Object.keys(Object(request.bodyCache)) : []
  const isBytes = read.includes('arrayBuffer') || read.includes('text') || read.includes('blob')
  if (request.raw.bodyUsed && !isBytes) throw new WebhookError('body_parsed', honoMessage)
  return { body: limited(await request.arrayBuffer()), headers: request.raw.headers }
}

async function readStream(request: NodeRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array)
    bytes += piece.byteLength
    if (bytes > bytesMax) throw tooLarge()
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}

function limited(body: ArrayBuffer): ArrayBuffer {
  if (body.byteLength > bytesMax) throw tooLarge()
  return body
}

function tooLarge(): WebhookError {
  return new WebhookError('body_too_large', `The body has more than ${bytesMax} bytes.`)
}

const reason = 'The signature covers the original bytes, which are lost.'

const expressMessage =
  `Express has parsed the body. ${reason} Give this route express.raw({ type: ` +
  "'application/json' }), and register it before app.use(express.json())."

const fastifyMessage =
  `Fastify has parsed the body. ${reason} In the plugin that has this route, call ` +
  "app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => " +
  'done(null, body)).'

const honoMessage =
  `The body was already parsed. ${reason} Call receiveWebhook(c.req, secret) first, before ` +
  'c.req.raw.json() and the like, middleware included; older versions of Hono lose the bytes with ' +
  'c.req.json() too.'

const nodeMessage =
  `The body was already parsed. ${reason} Switch its parser off for this route (in ` +
  'Next.js: export const config = { api: { bodyParser: false } }), or have it keep the bytes as ' +
  'request.rawBody.'

const alreadyReadMessage =
  'The body was already read, and can be read only once. Call receiveWebhook first, or read ' +
  'the bytes yourself and pass them to verifyWebhook(bytes, headers, secret).'
