// Sending to hostile receivers and names. Only allowed addresses are reached, and no attempt takes
// longer than its deadline.
import { once } from 'node:events'
import { createServer as createPlainServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEgress } from '../../../src/kernel/webhooks/egress.ts'
import { manualClock } from '../../support/clock.ts'
import { useNameServer } from '../../support/name-server.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from '../../support/receiver.ts'

const certificate = makeCertificate()
const stranger = makeCertificate('DNS:other.example.com,IP:127.0.0.9')
const names = useNameServer({})
const clock = manualClock()
const egress = createEgress({ ...egressTo(certificate), resolver: names.resolver, clock })
const message = { headers: { 'x-a': '1' }, body: '{"a":1}' }
const post = (url: string, timeoutMs = 60_000) => egress.post(url, message, timeoutMs)
// Far below the default of any layer, far above what a busy machine needs to notice.
const shortMs = 300
const patienceMs = 30_000
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer((_, response) => response.writeHead(200).end('ok'))
  names.names['hooks.example.com'] = ['127.0.0.1']
})
afterAll(async () => {
  egress.close()
  await receiver.close()
})

// A receiver that does with the bare connection what it likes.
async function rogue(onConnection: (socket: TLSSocket) => void): Promise<string> {
  const server = createTlsServer(certificate, (socket) => {
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  return `https://127.0.0.1:${await listening(server)}/`
}

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now()
  const value = await work
  return { value, ms: performance.now() - start }
}

describe('a name', () => {
  it('is what the certificate must have, and what the receiver is asked for', async () => {
    const url = `https://HOOKS.example.com.:${receiver.port}/hook?x=1`
    expect(await post(url)).toEqual({ statusCode: 200, error: null })
    expect(receiver.received).toMatchObject([
      { path: '/hook?x=1', headers: { host: `hooks.example.com:${receiver.port}`, 'x-a': '1' } },
    ])
  })

  it('that the certificate does not have is refused, and nothing is sent', async () => {
    names.names['elsewhere.example.com'] = ['127.0.0.1']
    const url = `https://elsewhere.example.com:${receiver.port}/`
    expect(await post(url)).toEqual({ statusCode: null, error: 'tls' })
    expect(receiver.received).toEqual([])
  })

  // covers: must resolve to a public address (not localhost
  it('is looked up for every attempt: one that moved inside is refused', async () => {
    const url = `https://hooks.example.com:${receiver.port}/`
    expect(await post(url)).toMatchObject({ statusCode: 200 })
    clock.advance(1000)
    for (const addresses of [['127.0.0.2'], ['127.0.0.1', '10.0.0.1'], ['127.0.0.1', '::1']]) {
      names.names['hooks.example.com'] = addresses
      expect(await post(url)).toEqual({ statusCode: null, error: 'address' })
    }
    names.names['hooks.example.com'] = 'failing'
    expect(await post(url)).toEqual({ statusCode: null, error: 'name' })
    delete names.names['hooks.example.com']
    expect(await post(url)).toEqual({ statusCode: null, error: 'name' })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a receiver', () => {
  // covers: must not answer with a redirect (a redirect counts as a failure)
  it('that redirects is not followed', async () => {
    receiver.answer((_, response) => {
      response.writeHead(307, { location: `https://127.0.0.1:${receiver.port}/inside` }).end()
    })
    expect(await post(receiver.url)).toEqual({ statusCode: 307, error: 'redirect' })
    expect(receiver.received).toHaveLength(1)
  })

  it('whose certificate no one vouches for is sent nothing', async () => {
    const strict = createEgress({ allowed: egressTo(certificate).allowed })
    onTestFinished(() => strict.close())
    expect(await strict.post(receiver.url, message, 60_000)).toEqual({
      statusCode: null,
      error: 'tls',
    })
    const other = await startReceiver(stranger)
    onTestFinished(() => other.close())
    const both = createEgress({ ...egressTo(stranger) })
    onTestFinished(() => both.close())
    expect(await both.post(other.url, message, 60_000)).toMatchObject({ error: 'tls' })
    expect([...receiver.received, ...other.received]).toEqual([])
  })

  it('whose certificate has expired is sent nothing', async () => {
    const expired = makeCertificate('IP:127.0.0.1', -1)
    const other = await startReceiver(expired)
    onTestFinished(() => other.close())
    const own = createEgress(egressTo(expired))
    onTestFinished(() => own.close())
    expect(await own.post(other.url, message, 60_000)).toEqual({ statusCode: null, error: 'tls' })
    expect(other.received).toEqual([])
  })

  // covers: A non-2xx status, timeout
  it('that speaks no TLS has failed', async () => {
    const port = await listening(createPlainServer((_, response) => response.end('ok')))
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ error: 'tls' })
  })

  // covers: The service waits 8 seconds for a response
  it.each<[string, (socket: TLSSocket) => void]>([
    ['says nothing', () => undefined],
    ['drips its status line', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n'.repeat(200))],
    [
      'never ends its headers',
      (socket) => drip(socket, `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(99)}`),
    ],
    ['sends hints for ever', (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 20)],
  ])('that %s is given up at the deadline', async (_, act) => {
    const url = await rogue(act)
    const { value, ms } = await timed(post(url, shortMs))
    expect(value).toEqual({ statusCode: null, error: 'timeout' })
    expect(ms).toBeLessThan(shortMs + patienceMs)
  })

  it('that does not even shake hands is given up at the deadline', async () => {
    const port = await listening(createServer(() => undefined))
    const { value, ms } = await timed(post(`https://127.0.0.1:${port}/`, shortMs))
    expect(value).toEqual({ statusCode: null, error: 'timeout' })
    expect(ms).toBeLessThan(shortMs + patienceMs)
  })

  it('that drips its part of the handshake is given up at the deadline', async () => {
    const hello = `\x16\x03\x03\x3f\x00\x02\x00\x3e\xfc${'\x00'.repeat(9999)}`
    const dripping = createServer((socket) => {
      socket.on('error', () => undefined)
      drip(socket, hello)
    })
    const url = `https://127.0.0.1:${await listening(dripping)}/`
    expect(await post(url, shortMs)).toEqual({ statusCode: null, error: 'timeout' })
  })

  it('whose body never ends has answered, and is cut off', async () => {
    const { promise: cut, resolve } = Promise.withResolvers<number>()
    const url = await rogue((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const sent = repeat(socket, `400\r\n${'a'.repeat(1024)}\r\n`)
      socket.once('close', () => resolve(sent()))
    })
    const { value, ms } = await timed(post(url, 60_000))
    expect(value).toEqual({ statusCode: 200, error: null })
    expect(ms).toBeLessThan(patienceMs)
    expect(await cut).toBeGreaterThan(0)
  })

  it('whose body drips has answered, and is cut off at the deadline', async () => {
    // Time passes as the test says, however long the machine needs to shake hands.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const cut = Promise.withResolvers<void>()
    const pieces = Promise.withResolvers<void>()
    let isCut = false
    const url = await rogue((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n')
      drip(socket, 'a'.repeat(9999), pieces.resolve)
      socket.once('close', () => {
        isCut = true
        cut.resolve()
      })
    })
    expect(await post(url, shortMs)).toEqual({ statusCode: 200, error: null })
    vi.advanceTimersByTime(shortMs - 1)
    await pieces.promise
    expect(isCut).toBe(false)
    vi.advanceTimersByTime(1)
    await cut.promise
  })

  it.each<[string, string]>([
    ['sends headers without measure', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`],
    ['speaks another language', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['answers with a status that there is not', 'HTTP/1.1 099 Ok\r\ncontent-length: 0\r\n\r\n'],
    ['answers with no status at all', 'HTTP/1.1 000 Ok\r\ncontent-length: 0\r\n\r\n'],
    [
      'wants to speak another',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
  ])('that %s has failed', async (_, text) => {
    const url = await rogue((socket) => socket.once('data', () => socket.write(text)))
    expect(await post(url)).toEqual({ statusCode: null, error: 'protocol' })
  })

  // covers: A non-2xx status, timeout
  it('that closes at once has failed', async () => {
    const url = await rogue((socket) => socket.once('data', () => socket.destroy()))
    expect(await post(url)).toEqual({ statusCode: null, error: 'connection' })
  })

  it('that closed a kept connection is asked on a new one', async () => {
    let closed = 0
    const url = await rogue((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        socket.once('data', () => {
          closed += 1
          socket.destroy()
        })
      })
    })
    // Whether a connection is kept in time for the next is up to the machine.
    for (let count = 0; count < 100 && closed < 2; count += 1) {
      expect(await post(url)).toMatchObject({ statusCode: 200 })
    }
    expect(closed).toBe(2)
  })
})

it('closing ends idle connections, and lets an attempt that is under way have its answer', async () => {
  const own = createEgress(egressTo(certificate))
  const closed: Promise<void>[] = []
  const asked = Promise.withResolvers<TLSSocket>()
  let requests = 0
  const url = await rogue((socket) => {
    closed.push(new Promise((resolve) => socket.once('close', () => resolve())))
    socket.on('data', () => {
      requests += 1
      if (requests > 1) asked.resolve(socket)
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  })
  expect(await own.post(url, message, patienceMs)).toMatchObject({ statusCode: 200 })
  const underWay = own.post(url, message, 60_000)
  const socket = await asked.promise
  own.close()
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  expect(await underWay).toEqual({ statusCode: 200, error: null })
  await Promise.all(closed)
})

it('a connection in steady use is made anew after half a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const own = createEgress(egressTo(certificate))
  onTestFinished(() => own.close())
  // A connection is kept a moment after the answer, so those that follow at once may make another.
  const made = async (posts: number) => {
    const before = receiver.connections()
    for (let count = 0; count < posts; count += 1) {
      expect(await own.post(receiver.url, message, 60_000)).toMatchObject({ statusCode: 200 })
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    }
    return receiver.connections() - before
  }
  await made(1)
  expect(await made(20)).toBeLessThan(20)
  vi.advanceTimersByTime(30_000)
  expect(await made(20)).toBeGreaterThan(0)
})

it.each(['a\r\nx-b: 2', 'a\nx-b: 2', 'ä'])('a header with %j is not sent', async (value) => {
  const sent = egress.post(receiver.url, { headers: { 'x-a': value }, body: '' }, 5000)
  await expect(sent).rejects.toThrow('the header x-a has an invalid character')
  expect(receiver.received).toEqual([])
})

it('certificates are checked, whatever the environment of the process says', async () => {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const strict = createEgress({ allowed: egressTo(certificate).allowed })
  onTestFinished(() => strict.close())
  expect(await strict.post(receiver.url, message, 60_000)).toMatchObject({ error: 'tls' })
  expect(receiver.received).toEqual([])
})

it('a name server that says nothing holds no one longer than the deadline', async () => {
  const silent = useSilentNames()
  const { value, ms } = await timed(silent.post('https://hooks.example.com/', message, shortMs))
  expect(value).toEqual({ statusCode: null, error: 'timeout' })
  expect(ms).toBeLessThan(shortMs + patienceMs)
})

function useSilentNames() {
  const mute = createEgress({ resolver: names.resolver })
  names.names['hooks.example.com'] = 'silent'
  onTestFinished(() => mute.close())
  return mute
}

function drip(socket: Socket, text: string, onSome: () => void = () => undefined): void {
  let at = 0
  const timer = setInterval(() => {
    if (at < text.length) socket.write(text.charAt(at), 'latin1')
    at += 1
    if (at === 10) onSome()
  }, 20)
  socket.once('close', () => clearInterval(timer))
}

// Writes again and again; tells how often it wrote.
function repeat(socket: TLSSocket, text: string, everyMs = 1): () => number {
  let count = 0
  const timer = setInterval(() => {
    count += 1
    socket.write(text)
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
  return () => count
}
