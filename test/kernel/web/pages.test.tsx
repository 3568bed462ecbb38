// The server around pages: the request that a page gets, its response, and the error page. None of
// it needs a database.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/kernel/basics/clock.ts'
import { Fault } from '../../../src/kernel/basics/fault.ts'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { createApp } from '../../../src/kernel/http/app.ts'
import { createMetrics } from '../../../src/kernel/http/metrics.ts'
import { loadAssets } from '../../../src/kernel/web/assets.ts'
import { createErrorPage } from '../../../src/kernel/web/error-page.tsx'
import { mountPages } from '../../../src/kernel/web/mount-pages.ts'
import {
  type Page,
  type PageAnswer,
  type PageRequest,
  redirectTo,
} from '../../../src/kernel/web/page.ts'
import type { Site } from '../../../src/kernel/web/site.ts'
import { generousLimits } from '../../support/page-limits.ts'

const site: Site = {
  publicUrl: 'https://pay.example',
  assets: loadAssets(),
  nav: [{ href: '/here', text: 'Here' }],
  action: { href: '/sign-in', text: 'Sign in' },
  signedInAction: { href: '/mine', text: 'My pages' },
  footer: 'The end.',
}

let seen: PageRequest | undefined
const page = (method: Page['method'], path: string, handle: Page['handle']): Page => ({
  method,
  path,
  async handle(request) {
    seen = request
    return handle(request)
  },
})
const fails = (error: unknown) => () => Promise.reject(error)

async function* breaking(): AsyncGenerator<string> {
  yield await Promise.reject(new Error('a secret detail'))
}

const pages: Page[] = [
  page('GET', '/here', async () => ({ status: 200, title: 'Here', body: <p>{'<b> & "'}</p> })),
  page('POST', '/here', async () => redirectTo('/here', ['a=1; Path=/', 'b=2; Path=/'])),
  { ...page('POST', '/callback', async () => ({ status: 200 })), fromAnywhere: true },
  page('GET', '/text', async () => ({ status: 200, body: 'plain' })),
  page('GET', '/cookie', async () => ({
    status: 200,
    body: 'x'.repeat(1000),
    headers: { 'set-cookie': ['a=1'] },
  })),
  page('GET', '/file', async () => ({
    status: 200,
    headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment' },
    pieces: breaking(),
  })),
  page('GET', '/slow', ({ signal }) => {
    const { promise, resolve } = Promise.withResolvers<PageAnswer>()
    signal.addEventListener('abort', () => resolve({ status: 200 }))
    return promise
  }),
  page('GET', '/broken', fails(new Error('a secret detail'))),
  page('GET', '/unavailable', fails(new Fault('unavailable', 'No.', { retryAfterSeconds: 5 }))),
  page('GET', '/forbidden', fails(new Fault('permission_denied', 'This came from elsewhere.'))),
]

let app: FastifyInstance
let port: number

beforeAll(async () => {
  const log = createLog('silent')
  app = createApp(
    { log, clock: systemClock },
    createMetrics(),
    createErrorPage(site, ['/api/v1'], ['/alone']),
  )
  const limits = generousLimits()
  await mountPages(app, pages, { site, addressOf: () => '203.0.113.7', log, limits })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  port = Number.parseInt(new URL(address).port, 10)
})
afterAll(() => app.close())

type Answer = { status: number; headers: IncomingHttpHeaders; text: string; bytes: number }

// Node's own client, because fetch hides compressed bytes and rewrites paths.
function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const content = Buffer.concat(chunks)
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: content.toString(),
          bytes: content.length,
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const fromOurs = { origin: site.publicUrl }
const form = { 'content-type': 'application/x-www-form-urlencoded', ...fromOurs }

describe('a page', () => {
  test('that fails before the first piece of a file is no file', async () => {
    const { status, headers, text } = await call('GET', '/file', asBrowser)
    expect(status).toBe(500)
    expect(headers['content-disposition']).toBeUndefined()
    expect(text).toContain('Something went wrong')
  })

  test('is framed, titled, escaped and marked in the navigation', async () => {
    const { status, text, headers } = await call('GET', '/here')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toMatch(/^<!doctype html><html lang="en">/)
    expect(text).toContain('<title>Here · Tillbook</title>')
    expect(text).toContain('<p>&lt;b> &amp; &quot;</p>')
    expect(text).toContain('<a class="site-link" href="/here" aria-current="page">Here</a>')
  })

  test('may run only the script that carries the nonce of this very answer', async () => {
    const first = await call('GET', '/here')
    const second = await call('GET', '/here')
    const nonceOf = ({ headers }: Answer) =>
      /script-src 'nonce-([^']+)'/.exec(headers['content-security-policy'] as string)?.[1]
    expect(nonceOf(first)).not.toBe(nonceOf(second))
    for (const answer of [first, second]) {
      const scripts = answer.text.match(/<script[^>]*>/g) ?? []
      expect(scripts).toHaveLength(1)
      expect(scripts[0]).toContain(`nonce="${nonceOf(answer)}"`)
      expect(answer.text).not.toContain(' style="')
    }
  })

  test('knows its address from PUBLIC_URL, whatever the request claims', async () => {
    await call('GET', '/here?a=b', { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    expect(seen?.url.href).toBe('https://pay.example/here?a=b')
    expect(seen?.address).toBe('203.0.113.7')
    expect(seen?.form.size).toBe(0)
  })

  test('never takes a path for a host', async () => {
    const { status } = await call('GET', '//evil.example/here', asBrowser)
    expect(status).toBe(404)
  })

  test('gets the fields of a posted form', async () => {
    await call('POST', '/here', form, 'name=Caf%C3%A9+%26+bar&name=second')
    expect(seen?.form.getAll('name')).toEqual(['Café & bar', 'second'])
  })

  test('is told when the visitor has left, and only then', async () => {
    await call('POST', '/here', form, 'name=x')
    expect(seen?.signal.aborted).toBe(false)
    const before = seen
    const leaving = httpRequest({ host: '127.0.0.1', port, path: '/slow' })
    leaving.on('error', () => undefined).end()
    await expect.poll(() => seen === before).toBe(false)
    expect(seen?.signal.aborted).toBe(false)
    leaving.destroy()
    await expect.poll(() => seen?.signal.aborted).toBe(true)
  })

  test('sets each cookie in its own header', async () => {
    const { status, headers, text } = await call('POST', '/here', form, '')
    expect(status).toBe(303)
    expect(headers.location).toBe('/here')
    expect(headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; Path=/'])
    expect(text).toBe('')
  })

  test('answers HEAD as GET, without the body', async () => {
    const { status, headers, text } = await call('HEAD', '/here')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toBe('')
  })

  test('is compressed for a stranger, and never beside cookies', async () => {
    const gzip = { 'accept-encoding': 'gzip, br' }
    const stranger = await call('GET', '/here', gzip)
    const plain = await call('GET', '/here')
    const refused = await call('GET', '/here', { 'accept-encoding': 'br, gzip;q=0' })
    const person = await call('GET', '/here', { ...gzip, cookie: 'session=1' })
    const given = await call('GET', '/cookie', gzip)
    expect(stranger.headers['content-encoding']).toBe('gzip')
    expect(stranger.headers.vary).toBe('accept-encoding')
    expect(stranger.bytes).toBeLessThan(plain.bytes)
    for (const answer of [plain, refused, person, given]) {
      expect(answer.headers['content-encoding']).toBeUndefined()
    }
  })

  test('that answers with text sends it as it is', async () => {
    const { text, headers } = await call('GET', '/text')
    expect(text).toBe('plain')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

describe('a form from another site', () => {
  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['nowhere known', {}],
  ])('is refused before it is read, without the page’s doing: %s', async (_, headers) => {
    seen = undefined
    const unreadable = { ...headers, 'content-type': 'application/json' }
    expect((await call('POST', '/here', unreadable, '{')).status).toBe(403)
    expect(seen).toBeUndefined()
  })

  test('is taken by a page that says so', async () => {
    expect((await call('POST', '/callback', { origin: 'https://elsewhere.example' })).status).toBe(
      200,
    )
  })
})

describe('a form that cannot be read', () => {
  test('is refused when it is not a form', async () => {
    const json = { 'content-type': 'application/json' }
    const { status, text } = await call(
      'POST',
      '/here',
      { ...json, ...fromOurs, ...asBrowser },
      '{"a":1}',
    )
    expect(status).toBe(400)
    expect(text).toContain('application/x-www-form-urlencoded')
  })

  test('is refused when it is too large', async () => {
    const { status, text } = await call(
      'POST',
      '/here',
      { ...form, ...asBrowser },
      'x'.repeat(256 * 1024 + 1),
    )
    expect(status).toBe(413)
    expect(text).toContain('The body is too large.')
  })
})

describe('a failure', () => {
  test.each([
    ['/no-such-page', 404, 'Page not found'],
    ['/broken', 500, 'Something went wrong'],
    ['/unavailable', 503, 'Temporarily unavailable'],
    ['/forbidden', 403, 'This came from elsewhere.'],
  ])('of %s is a page for a person', async (path, status, words) => {
    const answer = await call('GET', path, asBrowser)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain(words)
    expect(answer.text).toContain(`<code>${answer.headers['x-request-id']}</code>`)
    expect(answer.text).not.toContain('a secret detail')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('tells when to try again', async () => {
    const { headers } = await call('GET', '/unavailable', asBrowser)
    expect(headers['retry-after']).toBe('5')
  })

  test.each([
    ['a program', '/no-such-page', { accept: 'application/json' }],
    ['a program that names nothing', '/no-such-page', {}],
    ['a browser under the path of an API', '/api/v1/nothing', asBrowser],
  ])('is the error body for %s', async (_, path, headers) => {
    const answer = await call('GET', path, headers)
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'not_found' })
  })

  test('under a path that only looks like that of an API is a page', async () => {
    const answer = await call('GET', '/api/v10', asBrowser)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

describe('a file', () => {
  const names = ['tabler.css', 'tillbook.css', 'public.js', 'favicon.svg'] as const

  test.each(names)('%s is kept for ever under a name made from its content', async (name) => {
    const url = site.assets.url(name)
    expect(url).toMatch(/^\/assets\/[a-z]+\.[\w-]{12}\.[a-z]+$/)
    const { status, headers } = await call('GET', url)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers.vary).toBe('accept-encoding')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-encoding']).toBeUndefined()
  })

  test('is sent in the best compression that the caller takes', async () => {
    const url = site.assets.url('tabler.css')
    const sizeOf = async (encoding: string) => {
      const answer = await call('GET', url, { 'accept-encoding': encoding })
      return { encoding: answer.headers['content-encoding'], bytes: answer.bytes }
    }
    const brotli = await sizeOf('gzip, deflate, br')
    const gzip = await sizeOf('gzip')
    const plain = await sizeOf('br;q=0, gzip;q=0.0')
    expect([brotli.encoding, gzip.encoding, plain.encoding]).toEqual(['br', 'gzip', undefined])
    expect(brotli.bytes).toBeLessThan(gzip.bytes)
    expect(gzip.bytes).toBeLessThan(plain.bytes / 5)
  })

  test.each([
    '/assets/tabler.css',
    '/assets/tabler.000000000000.css',
    '/assets/..%2fpackage.json',
    '/assets/',
  ])('%s does not exist', async (path) => {
    expect((await call('GET', path)).status).toBe(404)
  })
})

test('a mistake under a bare path is told without the frame of the site', async () => {
  const headers = { accept: 'text/html' }
  const bare = await call('GET', '/alone/nothing', headers)
  expect(bare.status).toBe(404)
  expect(bare.text).toContain('Page not found')
  for (const framed of ['Sign in', 'The end.', 'front page']) {
    expect(bare.text).not.toContain(framed)
    expect((await call('GET', '/alonely', headers)).text).toContain(framed)
  }
})
