// Requests that reach no route: bytes that are not HTTP, or incomplete. Every response has the
// error body and a request id; if no response is possible, the connection is closed.
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { manualClock } from '../support/clock.ts'
import { exchange } from '../support/raw-http.ts'
import { type CallResult, useWorld } from '../support/world.ts'

// The clock stands still, so a key that was read once stays known.
const world = useWorld({ clock: manualClock() })
const path = '/merchant/api/v1/reference'
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`

function expectErrorBody({ headers, body }: CallResult, code: string): void {
  expect(body).toMatchObject({ code, request_id: headers.get('x-request-id') })
  expect(Object.keys(body).sort()).toEqual(['code', 'error', 'request_id'])
  expect(body.request_id).toMatch(/^req_/)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
}

describe('400', () => {
  // covers: Every response carries an `X-Request-Id` header
  it.each([
    ['a request line that is none', 'hello\r\n\r\n'],
    ['an unknown method', head(`BREW ${path} HTTP/1.1`, 'Host: a')],
    ['a version that does not exist', head(`GET ${path} HTTP/9.9`, 'Host: a')],
    ['TLS on the plain port', Buffer.from('16030100a5010000a1030301', 'hex')],
    ['a path without its slash', head('GET merchant/api/v1/reference HTTP/1.1', 'Host: a')],
    ['a path outside ASCII', Buffer.from(head('GET /merchant/\u00e9 HTTP/1.1', 'Host: a'))],
    ['a header without a colon', head(`GET ${path} HTTP/1.1`, 'Host: a', 'nonsense')],
    ['a header name with a blank', head(`GET ${path} HTTP/1.1`, 'Host: a', 'X A: b')],
    ['a header value with U+0000', head(`GET ${path} HTTP/1.1`, 'Host: a', 'X-A: b\0c')],
    ['a folded header', head(`GET ${path} HTTP/1.1`, 'Host: a', 'X-A: b', ' c')],
    ['a Content-Length that is no number', post('Content-Length: ten')],
    ['a negative Content-Length', post('Content-Length: -1')],
    ['two Content-Lengths', post('Content-Length: 2', 'Content-Length: 3')],
    ['both ways to say the length', post('Content-Length: 2', 'Transfer-Encoding: chunked')],
    ['a transfer coding that is not chunked', post('Transfer-Encoding: gzip')],
    ['a chunk of a nonsense size', `${post('Transfer-Encoding: chunked')}zz\r\n`],
    ['a URL of 100,000 characters', head(`GET /${'a'.repeat(100_000)} HTTP/1.1`, 'Host: a')],
    ['headers of 100,000 characters', head(`GET ${path} HTTP/1.1`, `X: ${'a'.repeat(100_000)}`)],
  ])('is the answer to %s, and the connection is closed', async (_, bytes) => {
    const { answers, leftOver } = await exchange(world().baseUrl, bytes, { answers: 2 })
    expect(answers).toHaveLength(1)
    expect(leftOver).toBe('')
    const [answer] = answers
    if (!answer) throw new Error('no answer')
    expect(answer.status).toBe(400)
    expectErrorBody(answer, 'invalid_request')
    expect(answer.body.error.formErrors).toHaveLength(1)
  })

  it('is the answer to HTTP/1.1 without Host', async () => {
    const { answers } = await exchange(world().baseUrl, head(`GET ${path} HTTP/1.1`, 'X-A: b'))
    const [answer] = answers
    if (!answer) throw new Error('no answer')
    expect(answer.status).toBe(400)
    expectErrorBody(answer, 'invalid_request')
  })

  it('is the answer to a request that ends half way through its head', async () => {
    const half = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-A`
    const { answers } = await exchange(world().baseUrl, half, { end: true })
    expect(answers.map(({ status }) => status)).toEqual([400])
  })
})

describe('404', () => {
  it.each([
    ['a broken escape', '/merchant/api/v1/%zz'],
    ['a long path', `/merchant/api/v1/${'a'.repeat(8000)}`],
    ['a path with a fragment', '/merchant/api/v1/#reference'],
  ])('is the answer to %s', async (_, target) => {
    const bytes = Buffer.from(head(`GET ${target} HTTP/1.1`, 'Host: a', 'Connection: close'))
    const { answers } = await exchange(world().baseUrl, bytes)
    expect(answers).toHaveLength(1)
    const [answer] = answers
    if (!answer) throw new Error('no answer')
    expect(answer.status).toBe(404)
    expectErrorBody(answer, 'not_found')
  })
})

describe('413', () => {
  // covers: 413 payload_too_large: body too large
  it('is the answer to a Content-Length above the limit, before the body has come', async () => {
    const { text } = await world().key({ service: 'books' })
    const bytes = post(`Authorization: Bearer ${text}`, 'Content-Length: 262145')
    const { answers } = await exchange(world().baseUrl, bytes)
    expect(answers.map(({ status }) => status)).toEqual([413])
  })

  // covers: 413 payload_too_large: body too large
  it('is the answer to a body in chunks that grows above the limit', async () => {
    const { text } = await world().key({ service: 'books' })
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    const bytes = post(`Authorization: Bearer ${text}`, 'Transfer-Encoding: chunked')
    const { answers } = await exchange(world().baseUrl, bytes + chunk.repeat(5))
    expect(answers.map(({ status }) => status)).toEqual([413])
  })
})

describe('a connection', () => {
  it('answers requests that were sent without waiting, in their order', async () => {
    const get = (target: string) => head(`GET ${target} HTTP/1.1`, 'Host: a')
    const bytes = get(path) + get('/nothing') + get('/merchant/api/v1/account') + get(path)
    const { answers } = await exchange(world().baseUrl, bytes, { answers: 4 })
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 200])
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(4)
  })

  it('takes a request that comes in single bytes', async () => {
    const { hostname, port } = new URL(world().baseUrl)
    const socket = connect(Number(port), hostname).setNoDelay()
    const bytes = head(`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close')
    for (const byte of bytes) socket.write(byte)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    await once(socket, 'close')
    expect(received).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  it('serves HTTP/1.0 without keeping the connection', async () => {
    const { answers } = await exchange(world().baseUrl, head(`GET ${path} HTTP/1.0`), {
      answers: 2,
    })
    expect(answers.map(({ status }) => status)).toEqual([200])
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })

  it('asks for the body of a caller who waits for that', async () => {
    const { text } = await world().key({ service: 'books' })
    const body = '{"name":"A"}'
    const bytes = post(
      `Authorization: Bearer ${text}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    )
    const { answers } = await exchange(world().baseUrl, bytes + body)
    expect(answers.map(({ status }) => status)).toEqual([201])
  })

  it('takes no notice of an expectation that it does not know', async () => {
    const bytes = post('Content-Length: 2', 'Expect: the-unexpected')
    const { answers } = await exchange(world().baseUrl, `${bytes}{}`)
    const [answer] = answers
    if (!answer) throw new Error('no answer')
    expect(answer.status).toBe(401)
    expectErrorBody(answer, 'authentication_failed')
  })

  it('takes an absolute address, and nothing from its host', async () => {
    const bytes = head(`GET http://evil.example${path} HTTP/1.1`, 'Host: evil.example')
    const { answers } = await exchange(world().baseUrl, bytes)
    expect(answers.map(({ status }) => status)).toEqual([200])
    expect(answers[0]?.text).not.toContain('evil')
  })

  it('is given up when the caller leaves in the middle of a body, and no one is blamed', async () => {
    const { text, id } = await world().key({ service: 'books' })
    // Known already, so the server goes straight from the head to the body.
    await world().call('GET', '/books/api/v1/accounts', { key: text })
    const { hostname, port } = new URL(world().baseUrl)
    const socket = connect(Number(port), hostname)
    const length = ['Content-Type: application/json', 'Content-Length: 1000']
    socket.write(post(`Authorization: Bearer ${text}`, ...length, 'Expect: 100-continue'))
    // From here on the body is awaited.
    await once(socket, 'data')
    socket.write('{"na')
    socket.resetAndDestroy()
    const ended = () =>
      world()
        .logLines.map((line) => JSON.parse(line))
        .find((line) => line.keyId === id && line.method === 'POST')
    await vi.waitUntil(ended, { timeout: 240_000 })
    expect(ended()).toMatchObject({ level: 'info', status: 400 })
  })

  it('does not become a tunnel or another protocol', async () => {
    const tunnel = head('CONNECT a:443 HTTP/1.1', 'Host: a')
    const { answers, leftOver } = await exchange(world().baseUrl, tunnel, { answers: 2 })
    expect(answers).toHaveLength(1)
    expect(leftOver).toBe('')
    const [answer] = answers
    if (!answer) throw new Error('no answer')
    expect(answer.status).toBe(404)
    expectErrorBody(answer, 'not_found')
    const upgrade = head(`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: Upgrade', 'Upgrade: h2c')
    const upgraded = await exchange(world().baseUrl, upgrade)
    expect(upgraded.answers.map(({ status }) => status)).toEqual([200])
  })
})

it('has called none of it its own fault', () => {
  const errors = world().logLines.filter((line) => line.includes('"level":"error"'))
  expect(errors).toEqual([])
})

function post(...lines: string[]): string {
  return head('POST /books/api/v1/contacts HTTP/1.1', 'Host: a', ...lines)
}
