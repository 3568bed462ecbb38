// What goes over connections to receivers: answers in all their forms, and connections that are
// used again. Nobody's answer is taken for another's, and no attempt fails because a kept
// connection was closed before it was used.
import { once } from 'node:events'
import { type AddressInfo, createServer as createPlainServer, Socket } from 'node:net'
import { createSecureContext, createServer, type TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Answer, createAnswerReader } from '../../../src/kernel/webhooks/answer-reader.ts'
import { createConnections } from '../../../src/kernel/webhooks/connections.ts'
import { createEgress } from '../../../src/kernel/webhooks/egress.ts'
import { egressTo, makeCertificate } from '../../support/receiver.ts'

const certificate = makeCertificate('IP:127.0.0.1,IP:127.0.0.2')
const message = { headers: { 'x-attempt': '1' }, body: '{"a":"ä"}' }
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
// It only ends what hangs.
const patience = { timeout: 240_000 }

describe('an answer', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  it.each([
    ['of no length', `${head}Content-Length: 0\r\n\r\n`, 'end', 200],
    ['of some length', `${head}content-length:  2 \r\n\r\nok`, 'end', 200],
    ['without a reason', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', 'end', 200],
    ['that never has a body', 'HTTP/1.1 204 No Content\r\n\r\n', 'end', 204],
    ['that says so too', 'HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n', 'end', 204],
    ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, 'end', 200],
    [
      'in chunks that have remarks',
      `${head}transfer-encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\n\r\n`,
      'end',
      200,
    ],
    // Nobody unpacks it, however much it would be.
    [
      'that is packed',
      `${head}content-encoding: gzip\r\ncontent-length: 5\r\n\r\npacks`,
      'end',
      200,
    ],
    [
      'that keeps the connection',
      `${head}connection: Keep-Alive\r\ncontent-length: 0\r\n\r\n`,
      'end',
      200,
    ],
    [
      'after interim ones',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: a\r\n\r\n${ok}`,
      'end',
      200,
    ],
    ['that is not complete', `${head}content-length: 3\r\n\r\nok`, 'body', 200],
    [
      'whose last chunk is missing',
      `${head}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n`,
      'body',
      200,
    ],
    ['whose head is not complete', `${head}content-length: 3\r\n`, 'head', undefined],
    ['that is only an interim one', 'HTTP/1.1 102 Processing\r\n\r\n', 'head', undefined],
  ])('%s is read, in one piece and byte by byte', (_, text, state, statusCode) => {
    const expected = statusCode === undefined ? { state } : { state, statusCode }
    expect(createAnswerReader().read(Buffer.from(text))).toEqual(expected)
    const reader = createAnswerReader()
    const answers = [...Buffer.from(text)].map((byte) => reader.read(Buffer.of(byte)))
    expect(answers.at(-1)).toEqual(expected)
    expect(answers.filter((answer) => answer.state === 'end')).toHaveLength(state === 'end' ? 1 : 0)
  })

  it.each([
    ['more than it says', `${head}content-length: 2\r\n\r\nok, and`],
    ['two lengths', `${head}content-length: 0\r\ncontent-length: 2\r\n\r\n`],
    ['a length and chunks', `${head}content-length: 0\r\ntransfer-encoding: chunked\r\n\r\n`],
    ['a length that is none', `${head}content-length: +2\r\n\r\nok`],
    ['no length', `${head}\r\nok`],
    ['one length twice', `${head}content-length: 2, 2\r\n\r\nok`],
    ['a length under a name with a blank', `${head}content-length : 2\r\n\r\nok`],
    ['a length behind a bare line end', `${head}x: a\ncontent-length: 2\r\n\r\nok`],
    ['a length below zero', `${head}content-length: -2\r\n\r\nok`],
    ['a chunk with a sign', `${head}transfer-encoding: chunked\r\n\r\n+2\r\nok\r\n0\r\n\r\n`],
    ['a chunk as programs write hex', `${head}transfer-encoding: chunked\r\n\r\n0x2\r\nok\r\n`],
    ['a second answer', `${head}content-length: 0\r\n\r\n${ok}`],
    ['another coding', `${head}transfer-encoding: gzip, chunked\r\n\r\n`],
    ['headers in several lines', `${head}content-length:\r\n 2\r\n\r\nok`],
    ['a chunk without a length', `${head}transfer-encoding: chunked\r\n\r\n\r\nok`],
    ['a chunk that is longer', `${head}transfer-encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n`],
    ['a chunk line without an end', `${head}transfer-encoding: chunked\r\n\r\n${'1'.repeat(200)}`],
    ['trailers', `${head}transfer-encoding: chunked\r\n\r\n0\r\na: b\r\n\r\n`],
    ['an old version', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['a wish to close', `${head}connection: close\r\ncontent-length: 0\r\n\r\n`],
    ['a body beyond measure', `${head}content-length: 99999\r\n\r\n${'a'.repeat(17_000)}`],
  ])('with %s counts, and its connection is not used again', (_, text) => {
    expect(createAnswerReader().read(Buffer.from(text))).toEqual({ state: 'lost', statusCode: 200 })
  })

  it.each([
    ['a length', 'content-length: 2'],
    ['chunks', 'transfer-encoding: chunked'],
  ])('that never has a body, but %s, may have one after all', (_, header) => {
    const text = `HTTP/1.1 204 No Content\r\n${header}\r\n\r\n`
    expect(createAnswerReader().read(Buffer.from(text))).toEqual({ state: 'lost', statusCode: 204 })
  })

  it.each([
    ['another language', 'SSH-2.0-OpenSSH_9.6'],
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a status that there is not', 'HTTP/1.1 099 Low\r\n\r\n'],
    ['a change of language', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a head beyond measure', `${head}a: ${'b'.repeat(17_000)}`],
    ['interim answers beyond measure', 'HTTP/1.1 103 Hints\r\n\r\n'.repeat(1000)],
  ])('in %s is none', (_, text) => {
    expect(createAnswerReader().read(Buffer.from(text))).toEqual({ state: 'garbage' })
  })

  it.each([
    ['head is none', `${head}x: `, 'a'.repeat(300), { state: 'garbage' }],
    [
      'interim ones is none',
      'HTTP/1.1 102 Wait\r\n\r\n',
      'HTTP/1.1 103 Hints\r\n\r\n'.repeat(20),
      { state: 'garbage' },
    ],
    [
      'body counts, and its connection is not used again',
      `${head}content-length: 300\r\n\r\n`,
      'a'.repeat(300),
      { state: 'lost', statusCode: 200 },
    ],
    [
      'chunks counts, and its connection is not used again',
      `${head}transfer-encoding: chunked\r\n\r\n`,
      '3\r\nabc\r\n'.repeat(40),
      { state: 'lost', statusCode: 200 },
    ],
  ])('with more than 200 pieces of %s', (_, first, rest, expected) => {
    const reader = createAnswerReader()
    reader.read(Buffer.from(first))
    const answers = [...Buffer.from(rest)].map((byte) => reader.read(Buffer.of(byte)))
    const isOpen = ({ state }: Answer) => state === 'head' || state === 'body'
    expect(answers.findIndex((answer) => !isOpen(answer))).toBe(199)
    expect(answers[199]).toEqual(expected)
  })

  it('in large pieces is read wherever they are cut', () => {
    const chunks = `5\r\nhello\r\nff;a=b\r\n${'\r\n'.repeat(127)}\n\r\n0\r\n\r\n`
    const early = `HTTP/1.1 103 Hints\r\nlink: a\r\n\r\n`
    const text = `${early}${head}transfer-encoding: chunked\r\n\r\n${chunks}`
    for (let cut = 1; cut < text.length; cut += 1) {
      const reader = createAnswerReader()
      const before = reader.read(Buffer.from(text.slice(0, cut)))
      expect(before.state).toBe(cut < text.length - chunks.length ? 'head' : 'body')
      expect(reader.read(Buffer.from(text.slice(cut)))).toEqual({ state: 'end', statusCode: 200 })
    }
  })
})

// A receiver that does with each request what it is told: on which connection of it that came, and
// as which on that.
async function receiving(answer: (socket: TLSSocket, connection: number, request: number) => void) {
  const requests: string[] = []
  let connections = 0
  let closed = 0
  const sockets = new Set<Socket>()
  const server = createServer(certificate, (socket) => {
    connections += 1
    const connection = connections
    let request = 0
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closed += 1
    })
    socket.on('data', (chunk) => {
      requests.push(chunk.toString())
      request += 1
      answer(socket, connection, request)
    })
  })
  server.on('connection', (socket) => sockets.add(socket))
  server.on('tlsClientError', () => undefined)
  server.listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const egress = createEgress(egressTo(certificate))
  onTestFinished(() => egress.close())
  return {
    port,
    requests,
    connections: () => connections,
    closed: () => closed,
    post: (timeoutMs = 60_000, body = message.body) =>
      egress.post(`https://127.0.0.1:${port}/`, { ...message, body }, timeoutMs),
  }
}

const delivered = { statusCode: 200, error: null }
// Of the loop, in which sockets say what they have.
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a kept connection', () => {
  it('is used again', async () => {
    const receiver = await receiving((socket) => socket.write(ok))
    for (let count = 0; count < 20; count += 1) expect(await receiver.post()).toEqual(delivered)
    expect(receiver.connections()).toBe(1)
    expect(receiver.requests).toHaveLength(20)
  })

  it('that is closed without a byte of an answer fails no attempt: the same goes over a new one', async () => {
    const receiver = await receiving((socket, _, request) => {
      if (request === 1) socket.write(ok)
      else socket.destroy()
    })
    for (let count = 0; count < 10; count += 1) expect(await receiver.post()).toEqual(delivered)
    expect(receiver.connections()).toBe(10)
    expect(new Set(receiver.requests).size).toBe(1)
  })

  it('that is reset at any moment fails no attempt', async () => {
    const receiver = await receiving((socket) => {
      socket.write(ok, () => (socket as TLSSocket & { _parent: Socket })._parent.resetAndDestroy())
    })
    for (let count = 0; count < 50; count += 1) expect(await receiver.post()).toEqual(delivered)
    expect(receiver.requests).toHaveLength(50)
  })

  it('is replaced once for an attempt, and no more often', async () => {
    const receiver = await receiving((socket, connection) => {
      if (receiver.requests.length === 1) socket.write(ok)
      else socket.destroy()
      expect(connection).toBeLessThan(3)
    })
    await receiver.post()
    expect(await receiver.post()).toEqual({ statusCode: null, error: 'connection' })
    expect(receiver.requests).toHaveLength(3)
  })

  it('is replaced within the same deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    let first: TLSSocket | undefined
    const receiver = await receiving((socket) => {
      first ??= socket
      if (receiver.requests.length === 1) socket.write(ok)
    })
    const arrived = async (requests: number) => {
      while (receiver.requests.length < requests) await turn()
    }
    await receiver.post()
    // It is kept by then.
    await turn()
    let outcome: unknown
    const sent = receiver.post(1000).then((value) => {
      outcome = value
    })
    await arrived(2)
    vi.advanceTimersByTime(600)
    first?.destroy()
    await arrived(3)
    vi.advanceTimersByTime(399)
    await turn()
    expect(outcome).toBeUndefined()
    vi.advanceTimersByTime(1)
    await turn()
    expect(outcome).toEqual({ statusCode: null, error: 'timeout' })
    await sent
  })

  it('is not replaced when an answer had begun', async () => {
    const receiver = await receiving((socket, _, request) => {
      if (request === 1) socket.write(ok)
      else socket.end('HTTP/1.1 2')
    })
    await receiver.post()
    expect(await receiver.post()).toEqual({ statusCode: null, error: 'connection' })
    expect(receiver.requests).toHaveLength(2)
  })

  it('on which something came that nobody asked for is given up', async () => {
    let last: TLSSocket | undefined
    const receiver = await receiving((socket) => {
      last = socket
      socket.write(ok)
    })
    expect(await receiver.post()).toEqual(delivered)
    last?.write('HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n')
    await vi.waitUntil(() => receiver.closed() === 1, patience)
    expect(await receiver.post()).toEqual(delivered)
    expect(receiver.connections()).toBe(2)
  })

  it('whose answer came before all was sent is given up', async () => {
    const receiver = await receiving((socket, connection) => {
      if (connection === 1) socket.pause()
      socket.write(ok)
    })
    // More than any network on this machine holds.
    expect(await receiver.post(60_000, 'x'.repeat(50_000_000))).toEqual(delivered)
    expect(await receiver.post()).toEqual(delivered)
    expect(receiver.connections()).toBe(2)
  })

  // With the half minute for which it may be used, the minute that one is ever kept.
  it('that nobody has used for half a minute is closed', async () => {
    const timing = vi.spyOn(Socket.prototype, 'setTimeout')
    onTestFinished(() => timing.mockRestore())
    const receiver = await receiving((socket) => socket.write(ok))
    expect(await receiver.post()).toEqual(delivered)
    const timed = timing.mock.contexts as Socket[]
    const own = timed.filter((socket) => socket.remotePort === receiver.port)
    expect(own).toHaveLength(1)
    expect(own[0]?.timeout).toBe(30_000)
    // As it does after that time.
    own[0]?.emit('timeout')
    await vi.waitUntil(() => receiver.closed() === 1, patience)
    expect(await receiver.post()).toEqual(delivered)
    expect(receiver.connections()).toBe(2)
  })

  it('makes room for others when there are too many', async () => {
    const receiver = await receiving(() => undefined)
    const context = createSecureContext({ ca: certificate.cert })
    const connections = createConnections(() => context, 2)
    onTestFinished(() => connections.close())
    const at = '127.0.0.1'
    const target = { port: receiver.port, path: '/', host: at, hostname: at, address: at }
    const opened = [1, 2, 3].map(() => {
      const connection = connections.open(target)
      connection.send('x', { onData: () => undefined, onClose: () => undefined })
      return connection
    })
    await vi.waitUntil(() => receiver.requests.length === 3, patience)
    for (const connection of opened) connection.release()
    await vi.waitUntil(() => receiver.closed() === 1, patience)
    expect(connections.take([target])).toBe(opened[2])
    expect(connections.take([target])).toBe(opened[1])
    expect(connections.take([target])).toBeUndefined()
  })
})

it('nothing is sent to whoever is not at the address that was vetted', async () => {
  const receiver = await receiving((socket) => socket.write(ok))
  // As something between us and the network could do.
  const connect = Socket.prototype.connect
  const diverted = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    const [options, ...rest] = given
    return Reflect.apply(connect, this, [{ ...(options as object), host: '127.0.0.2' }, ...rest])
  })
  onTestFinished(() => diverted.mockRestore())
  expect(await receiver.post()).toEqual({ statusCode: null, error: 'address' })
  diverted.mockRestore()
  expect(await receiver.post()).toEqual(delivered)
  expect(receiver.requests).toHaveLength(1)
})

it('who does not take up where they were is met anew the next time', async () => {
  const resumed: boolean[] = []
  const secure = createServer(certificate, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => {
      resumed.push(socket.isSessionReused())
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
    })
  })
  let isSilent = false
  const sockets = new Set<Socket>()
  const server = createPlainServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    if (!isSilent) secure.emit('connection', socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const egress = createEgress(egressTo(certificate))
  onTestFinished(() => {
    egress.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const post = (timeoutMs = 60_000) => egress.post(`https://127.0.0.1:${port}/`, message, timeoutMs)
  for (const _ of [1, 2]) expect(await post()).toEqual(delivered)
  expect(resumed).toEqual([false, true])
  isSilent = true
  expect(await post(200)).toEqual({ statusCode: null, error: 'timeout' })
  isSilent = false
  // One may begin before the connection that was given up is quite closed.
  for (let count = 0; count < 20 && resumed.at(-1); count += 1) {
    expect(await post()).toEqual(delivered)
  }
  expect(resumed.at(-1)).toBe(false)
})
