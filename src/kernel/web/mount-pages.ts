// Adds pages to the server: converts Fastify's request into a PageRequest and a PageAnswer into
// bytes. Forms are accepted only from our own pages. Errors are handled like all others;
// `error-page.tsx` renders them for people.
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertSameOrigin } from '../auth/sign-in-origin.ts'
import { type Fault, invalid } from '../basics/fault.ts'
import { type Log, whileServing } from '../basics/log.ts'
import { pageHeaders } from '../http/security-headers.ts'
import { sendStreamed } from '../http/send-streamed.ts'
import { mountAssets } from './assets.ts'
import { renderDocument } from './document.tsx'
import { acceptsEncoding } from './encoding.ts'
import { type HostedLimits, limitHostedPage } from './hosted-limits.ts'
import { otherLoopback } from './loopback-host.ts'
import type { Page, PageAnswer, PageRequest } from './page.ts'
import { frameFor, type Site } from './site.ts'
import { readUpload, type Upload } from './upload.ts'
import { createUploadSlots } from './upload-slots.ts'

export type PagesOptions = {
  readonly site: Site
  readonly addressOf: (request: FastifyRequest) => string
  readonly log: Log
  readonly limits: HostedLimits
}

export async function mountPages(
  app: FastifyInstance,
  pages: readonly Page[],
  options: PagesOptions,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    )
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, refuseMediaType)
    const filePages = new Map(pages.map((page) => [page.path, page.takesFiles]))
    scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) => {
      const limits = filePages.get(request.routeOptions.url ?? '')
      if (!limits) throw wrongMediaType()
      return readUpload(request.raw, request.headers['content-type'] ?? '', limits)
    })
    const slots = createUploadSlots()
    mountAssets(scope, options.site.assets)
    for (const page of pages) {
      scope.route({
        // Fastify would add HEAD as a second route, and a start would take longer.
        method: page.method === 'GET' ? ['GET', 'HEAD'] : page.method,
        url: page.path,
        // Checked before the form is read, and for every page, so that no page can forget it.
        onRequest: async (request, reply) => {
          const visitor = { address: options.addressOf(request), object: objectOf(request) }
          await limitHostedPage(options.limits, page, visitor)
          if (page.method === 'GET') return leadToPublicUrl(request, reply, options.site)
          if (page.fromAnywhere) return
          assertSameOrigin(toHeaders(request.raw.headers), options.site.publicUrl)
          if (!page.takesFiles || !hasFiles(request)) return
          await page.takesFiles.admit(toPageRequest(request, reply, options))
          reply.raw.once('close', slots.take(visitor))
        },
        handler: async (request, reply) => {
          const pageRequest = toPageRequest(request, reply, options)
          const answer = await whileServing(request.id, () => page.handle(pageRequest))
          return send(request, reply, options, pageRequest, answer)
        },
      })
    }
  })
}

async function leadToPublicUrl(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Site,
): Promise<FastifyReply | undefined> {
  const elsewhere = otherLoopback(publicUrl, raw.headers.host, raw.url ?? '/')
  if (elsewhere === undefined) return undefined
  return reply.header('cache-control', 'no-store').redirect(elsewhere, 307)
}

export function createNonce(): string {
  return randomBytes(16).toString('base64')
}

function toPageRequest(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { site, addressOf }: PagesOptions,
): PageRequest {
  const { body } = request
  return {
    url: requestUrl(site.publicUrl, request.raw.url ?? '/'),
    headers: toHeaders(request.raw.headers),
    params: { ...(request.params as Record<string, string>) },
    form: formOf(body),
    ...(isUpload(body) && { upload: body }),
    address: addressOf(request),
    nonce: createNonce(),
    signal: signalOf(raw),
  }
}

// Fastify's own signal is that of the request, which closes as soon as its body is read.
function signalOf(raw: FastifyReply['raw']): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

// The first parameter of a hosted page names its object.
function objectOf({ params }: FastifyRequest): string {
  return Object.values(params as Record<string, string>)[0] ?? ''
}

// Appended, not resolved: `//evil.example/` must stay a path and not become a host.
function requestUrl(publicUrl: string, target: string): URL {
  return new URL(`${publicUrl}${target.startsWith('/') ? target : '/'}`)
}

function toHeaders(raw: FastifyRequest['raw']['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    for (const entry of [value ?? []].flat()) headers.append(name, entry)
  }
  return headers
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, log }: PagesOptions,
  { url, nonce }: PageRequest,
  answer: PageAnswer,
): Promise<FastifyReply> {
  const { status, pieces } = answer
  const headers = {
    ...pageHeaders(site.publicUrl, nonce),
    'content-type': typeof answer.body === 'string' ? textType : htmlType,
    ...withoutEmpty(answer.headers ?? {}),
  }
  // The headers are sent with the first piece, so an earlier error gets an error response.
  if (pieces && request.method !== 'HEAD') {
    return sendStreamed(reply, { status, headers, pieces }, log)
  }
  reply.code(status).headers(headers)
  const payload = render(frameFor(site, request.headers), url, nonce, answer)
  // Bytes are images, which are already compressed.
  if (payload === '' || typeof payload !== 'string' || !isCompressible(request, answer)) {
    return reply.send(payload)
  }
  const bytes = await promisify(gzip)(payload, { level: constants.Z_DEFAULT_COMPRESSION })
  return reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(bytes)
}

const htmlType = 'text/html; charset=utf-8'
const textType = 'text/plain; charset=utf-8'

function render(
  site: Site,
  url: URL,
  nonce: string,
  { body, title = '', isBare = false, script, stylePath, language }: PageAnswer,
): string | Uint8Array {
  if (body === undefined || typeof body === 'string') return body ?? ''
  if (body instanceof Uint8Array) return body
  const path = url.pathname
  const looks = { isBare, script, stylePath, language }
  return renderDocument({ site, title, path, nonce, ...looks, children: body })
}

// The compressed size reveals content. A page for a signed-in person may contain a secret beside
// text chosen by an attacker (the BREACH attack). Public pages contain no secrets.
function isCompressible(request: FastifyRequest, answer: PageAnswer): boolean {
  if (request.headers.cookie !== undefined || answer.headers?.['set-cookie'] !== undefined) {
    return false
  }
  return acceptsEncoding(request.headers['accept-encoding'], 'gzip')
}

// Node would write an invalid empty header for an empty list.
function withoutEmpty(headers: Record<string, string | string[]>) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value.length > 0))
}

async function refuseMediaType(_request: FastifyRequest, body: Buffer): Promise<undefined> {
  if (body.length === 0) return undefined
  throw wrongMediaType()
}

function wrongMediaType(): Fault {
  return invalid('Send forms as application/x-www-form-urlencoded.')
}

function formOf(body: unknown): URLSearchParams {
  if (body instanceof URLSearchParams) return body
  return isUpload(body) && body.kind === 'files' ? body.fields : new URLSearchParams()
}

// A form that may have files is also sent without, and is then like any other.
function hasFiles({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
}

// The parsers above return no other kind of object.
function isUpload(body: unknown): body is Upload {
  return typeof body === 'object' && body !== null && 'kind' in body
}
