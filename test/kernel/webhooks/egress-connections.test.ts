// Connections to receivers: all forms of responses, and reused connections. No response is mistaken
// for another's, and no attempt fails because a kept connection was closed before it was used.
import { once } from 'node:events'
import { type AddressInfo, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEgress, type EgressOptions } from '../../../src/kernel/webhooks/egress.ts'
import { egressTo, makeCertificate } from '../../support/receiver.ts'

const certificate = makeCertificate('IP:127.0.0.1,IP:127.0.0.2')
const message = { headers: { 'x-attempt': '1' }, body: '{"a":"ä"}' }
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
// It only ends what hangs.
const patience = { timeout: 240_000 }

// A receiver that answers as it is told. It says on which of its connections a request came, and as
// which request on that connection.
async function receiving(
  answer: (socket: TLSSocket, connection: number, request: number) => void,
  options: EgressOptions = {},
) {
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
  const egress = createEgress({ ...egressTo(certificate), ...options })
  onTestFinished(() => egress.close())
  return {
    port,
    requests,
    connections: () => connections,
    closed: () => closed,
    async post(timeoutMs = 60_000) {
      const outcome = await egress.post(`https://127.0.0.1:${port}/`, message, timeoutMs)
      // The connection can be reused when the rest of the answer was read.
      await turn()
      await turn()
      return outcome
    },
  }
}

const delivered = { statusCode: 200, error: null }
// Of the event loop, in which sockets read.
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('an answer', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n`
  const answered = (text: string) => receiving((socket) => socket.write(text))

  it.each([
    ['with no body', ok],
    ['with a length', `${head}Content-Length:  2 \r\n\r\nok`],
    ['without a reason phrase', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n'],
    ['in chunks', `${chunked}2\r\nok\r\n0\r\n\r\n`],
    ['in chunks with extensions', `${chunked}2;a=b\r\nok\r\n0\r\n\r\n`],
    ['with trailers', `${chunked}0\r\na: b\r\n\r\n`],
    // It is not unpacked, so it cannot grow.
    ['that is compressed', `${head}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nbytes`],
    ['that keeps the connection', `${head}connection: Keep-Alive\r\ncontent-length: 0\r\n\r\n`],
    ['after early hints', `HTTP/1.1 103 Hints\r\nlink: a\r\n\r\n${ok}`],
  ])('%s counts, and its connection is reused', async (_, text) => {
    const receiver = await answered(text)
    for (const _ of [1, 2]) expect(await receiver.post()).toEqual(delivered)
    expect(receiver.connections()).toBe(1)
  })

  it.each([
    ['longer than it says', `${head}content-length: 2\r\n\r\nok, and`],
    ['followed by another', `${ok}${ok}`],
    ['of an old version', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['that closes the connection', `${head}connection: close\r\ncontent-length: 0\r\n\r\n`],
    [
      'with a body of more than 16 KiB',
      `${head}content-length: 17000\r\n\r\n${'a'.repeat(17_000)}`,
    ],
    ['with chunks of more than 16 KiB', `${chunked}4268\r\n${'a'.repeat(17_000)}\r\n0\r\n\r\n`],
    ['with a chunk that is longer than it says', `${chunked}2\r\nokay\r\n0\r\n\r\n`],
    ['with a chunk without a length', `${chunked}\r\nok`],
    ['with a chunk length with a sign', `${chunked}+2\r\nok\r\n0\r\n\r\n`],
    ['with a chunk length like 0x2', `${chunked}0x2\r\nok\r\n0\r\n\r\n`],
  ])('%s counts, and its connection is closed', async (_, text) => {
    const receiver = await answered(text)
    expect(await receiver.post()).toEqual(delivered)
    await vi.waitUntil(() => receiver.closed() === 1, patience)
    expect(await receiver.post()).toEqual(delivered)
    expect(receiver.connections()).toBe(2)
  })

  it.each([
    ['in another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['with a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['with a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['with a status below 100', 'HTTP/1.1 099 Low\r\n\r\n'],
    ['with a head of more than 16 KiB', `${head}a: ${'b'.repeat(17_000)}`],
    ['with two lengths', `${head}content-length: 0\r\ncontent-length: 2\r\n\r\n`],
    ['with a length and chunks', `${head}content-length: 0\r\ntransfer-encoding: chunked\r\n\r\n`],
    ['with a length below zero', `${head}content-length: -2\r\n\r\nok`],
    ['with a length with a sign', `${head}content-length: +2\r\n\r\nok`],
    ['with a length twice', `${head}content-length: 2, 2\r\n\r\nok`],
    ['with a header name with a blank', `${head}content-length : 2\r\n\r\nok`],
    // undici takes it for an answer that no one asked for.
    ['after 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${ok}`],
  ])('%s is no answer, and its connection is closed', async (_, text) => {
    const receiver = await answered(text)
    expect(await receiver.post()).toEqual({ statusCode: null, error: 'protocol' })
    await vi.waitUntil(() => receiver.closed() === 1, patience)
  })
})

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
    await sent
    expect(outcome).toEqual({ statusCode: null, error: 'timeout' })
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

  it('on which something came that no one asked for is given up', async () => {
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

  // With the half minute for which it may be reused, that makes the minute that it is kept at most.
  it('that is idle for too long is closed', async () => {
    const receiver = await receiving((socket) => socket.write(ok), {
      keepAlive: { ms: 1000, max: 10 },
    })
    expect(await receiver.post()).toEqual(delivered)
    await vi.waitUntil(() => receiver.closed() === 1, patience)
  })
})

it('nothing is sent to an address that was not vetted', async () => {
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
