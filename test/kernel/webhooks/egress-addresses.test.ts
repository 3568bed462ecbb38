// Names with several addresses. If one can't be reached or fails the handshake, the next is dialled
// within the same deadline; but nothing more is dialled once something may have been sent.
import { once } from 'node:events'
import { createServer as createPlainServer, type Server, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEgress } from '../../../src/kernel/webhooks/egress.ts'
import { parseAllowed } from '../../../src/kernel/webhooks/egress-address.ts'
import { manualClock } from '../../support/clock.ts'
import { useNameServer } from '../../support/name-server.ts'
import { makeCertificate, type Receiver, startReceiver } from '../../support/receiver.ts'

const name = 'hooks.example.com'
const certificate = makeCertificate()
const stranger = makeCertificate('DNS:other.example.com')
const names = useNameServer({})
const clock = manualClock()
const message = { headers: {}, body: '{}' }
const delivered = { statusCode: 200, error: null }
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
// No one listens at the others of this machine, unless a test has them do so.
const alive = '127.0.0.1'
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer((_, response) => response.writeHead(200).end('ok'))
  // What was found before is not known any more.
  clock.advance(1000)
})
afterAll(() => receiver.close())

function useEgress() {
  const allowed = parseAllowed('127.0.0.0/8,::1')
  if (!allowed) throw new Error('no range')
  const { resolver } = names
  const egress = createEgress({ allowed, extraCa: certificate.cert, resolver, clock })
  onTestFinished(() => egress.close())
  return (timeoutMs = 20_000, host = name) =>
    egress.post(`https://${host}:${receiver.port}/`, message, timeoutMs)
}

// Tells every address that is dialled, in turn. Nothing comes back from the silent ones, and what
// is for the diverted ones arrives elsewhere.
function watchDials({ silent = [] as string[], diverted = {} as Record<string, string> } = {}) {
  const dialled: string[] = []
  const connect = Socket.prototype.connect
  const watching = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    const [options, ...rest] = given as [{ host: string }]
    dialled.push(options.host)
    if (silent.includes(options.host)) return this
    const host = diverted[options.host] ?? options.host
    return Reflect.apply(connect, this, [{ ...options, host }, ...rest])
  })
  onTestFinished(() => watching.mockRestore())
  return dialled
}

// Beside the receiver, at another address.
async function listenAt(address: string, server: Server): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  server.listen(receiver.port, address)
  await once(server, 'listening')
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return close
}

// A connection is kept a moment after its answer.
const tick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

const tlsServer = (onRequest: (socket: TLSSocket, request: number) => void) =>
  createServer(certificate, (socket) => {
    let requests = 0
    socket.on('error', () => undefined)
    socket.on('data', () => {
      requests += 1
      onRequest(socket, requests)
    })
  })

describe('where no one can be reached at the first address', () => {
  it('the next one is sent to, and nothing is dialled while that connection is kept', async () => {
    names.names[name] = ['127.0.0.2', alive]
    const post = useEgress()
    const dialled = watchDials()
    for (let count = 0; count < 5; count += 1) {
      expect(await post()).toEqual(delivered)
      await tick()
    }
    expect(dialled).toEqual(['127.0.0.2', alive])
    expect(receiver.received).toHaveLength(5)
  })

  it('four are dialled at most, of both kinds in turn', async () => {
    const four = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
    names.names[name] = [...four, alive, '::1']
    const dialled = watchDials()
    expect(await useEgress()()).toEqual({ statusCode: null, error: 'connection' })
    expect(dialled).toEqual(['127.0.0.2', '::1', '127.0.0.3', '127.0.0.4'])
  })

  it('the next one is checked like the first: nothing is sent to a wrong server', async () => {
    names.names[name] = ['127.0.0.2', '127.0.0.3']
    watchDials({ diverted: { '127.0.0.3': alive } })
    expect(await useEgress()()).toEqual({ statusCode: null, error: 'address' })
    expect(receiver.received).toEqual([])
  })

  it('the next one must have the name in its certificate too', async () => {
    names.names[name] = ['127.0.0.2', '127.0.0.3']
    await listenAt('127.0.0.3', createServer(stranger))
    expect(await useEgress()()).toEqual({ statusCode: null, error: 'tls' })
  })
})

describe('where no one shakes hands at the first address', () => {
  const untilAsked = (act: (socket: Socket) => void) =>
    createPlainServer((socket) => socket.once('data', () => act(socket)))
  it.each<[string, Server]>([
    ['closes at once', createPlainServer((socket) => socket.destroy())],
    ['closes when it is greeted', untilAsked((socket) => socket.end())],
    ['resets the connection', untilAsked((socket) => socket.resetAndDestroy())],
    ['closes in between', untilAsked((socket) => socket.end(Buffer.of(0x16, 3, 3, 0, 80)))],
  ])('because it %s, the next one is sent to, once', async (_, server) => {
    names.names[name] = ['127.0.0.2', alive]
    await listenAt('127.0.0.2', server)
    const dialled = watchDials()
    expect(await useEgress()()).toEqual(delivered)
    expect(dialled).toEqual(['127.0.0.2', alive])
    expect(receiver.received).toHaveLength(1)
  })

  it('and no one at the others either, the attempt has failed', async () => {
    names.names[name] = ['127.0.0.2', '127.0.0.3']
    for (const address of names.names[name]) {
      await listenAt(
        address,
        untilAsked((socket) => socket.destroy()),
      )
    }
    expect(await useEgress()()).toEqual({ statusCode: null, error: 'connection' })
  })
})

describe('of an address that says nothing', () => {
  async function until(isSo: () => boolean) {
    for (let count = 0; !isSo(); count += 1) {
      if (count > 100_000) throw new Error('it is not so')
      await tick()
    }
  }

  // Time passes as the test says; what the machine has to do meanwhile has all the time it needs.
  function useDrivenTime() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
  }

  it('a quarter of the deadline is given to it, and then the next one is dialled', async () => {
    names.names[name] = ['127.0.0.2', alive]
    useDrivenTime()
    const dialled = watchDials({ silent: ['127.0.0.2'] })
    const sent = useEgress()(8000)
    await until(() => dialled.length === 1)
    vi.advanceTimersByTime(1999)
    for (let count = 0; count < 50; count += 1) await tick()
    expect(dialled).toEqual(['127.0.0.2'])
    vi.advanceTimersByTime(1)
    expect(await sent).toEqual(delivered)
    expect(dialled).toEqual(['127.0.0.2', alive])
  })

  it('so much is given to one that takes the connection and does not shake hands', async () => {
    names.names[name] = ['127.0.0.2', alive]
    const greeted = Promise.withResolvers<void>()
    const mute = createPlainServer((socket) => socket.once('data', () => greeted.resolve()))
    await listenAt('127.0.0.2', mute)
    useDrivenTime()
    const dialled = watchDials()
    const sent = useEgress()(8000)
    await greeted.promise
    vi.advanceTimersByTime(1999)
    for (let count = 0; count < 50; count += 1) await tick()
    expect(dialled).toEqual(['127.0.0.2'])
    vi.advanceTimersByTime(1)
    expect(await sent).toEqual(delivered)
    expect(dialled).toEqual(['127.0.0.2', alive])
    expect(receiver.received).toHaveLength(1)
  })

  it('the rest is given to the last one, and not a moment more', async () => {
    names.names[name] = ['127.0.0.2', '127.0.0.3']
    useDrivenTime()
    const dialled = watchDials({ silent: ['127.0.0.2', '127.0.0.3'] })
    let outcome: unknown
    const sent = useEgress()(8000).then((value) => {
      outcome = value
    })
    await until(() => dialled.length === 1)
    vi.advanceTimersByTime(2000)
    await until(() => dialled.length === 2)
    vi.advanceTimersByTime(5999)
    for (let count = 0; count < 50; count += 1) await tick()
    expect(outcome).toBeUndefined()
    vi.advanceTimersByTime(1)
    await sent
    expect(outcome).toEqual({ statusCode: null, error: 'timeout' })
    await until(() => vi.getTimerCount() === 0)
  })

  it('nothing is held against one that was reached and takes its time', async () => {
    const asked = Promise.withResolvers<TLSSocket>()
    names.names[name] = ['127.0.0.2', alive]
    await listenAt('127.0.0.2', tlsServer(asked.resolve))
    useDrivenTime()
    const dialled = watchDials()
    const sent = useEgress()(8000)
    const socket = await asked.promise
    vi.advanceTimersByTime(7999)
    socket.write(ok)
    expect(await sent).toEqual(delivered)
    expect(dialled).toEqual(['127.0.0.2'])
  })
})

describe('nothing is dialled any more', () => {
  it.each<[string, Server, string]>([
    ['that took the request and closed', tlsServer((socket) => socket.destroy()), 'connection'],
    ['whose certificate has another name', createServer(stranger), 'tls'],
    [
      'that refuses to speak our TLS',
      createServer({ ...certificate, maxVersion: 'TLSv1.2', ciphers: 'PSK' }),
      'tls',
    ],
    ['that speaks no TLS', createPlainServer((socket) => socket.write('220 mail\r\n')), 'tls'],
    ['that speaks no HTTP', tlsServer((socket) => socket.write('SSH-2.0-x')), 'protocol'],
  ])('after one %s', async (_, server, error) => {
    names.names[name] = ['127.0.0.2', alive]
    await listenAt('127.0.0.2', server)
    const dialled = watchDials()
    expect(await useEgress()()).toEqual({ statusCode: null, error })
    expect(dialled).toEqual(['127.0.0.2'])
    expect(receiver.received).toEqual([])
  })

  it('after a kept connection was closed, but where it led: it may have taken the request', async () => {
    names.names[name] = ['127.0.0.2', alive]
    const post = useEgress()
    const gone = tlsServer((socket, request) => {
      if (request === 1) socket.write(ok)
      else void close()
    })
    const close = await listenAt('127.0.0.2', gone)
    expect(await post()).toEqual(delivered)
    await tick()
    const dialled = watchDials()
    expect(await post()).toEqual({ statusCode: null, error: 'connection' })
    expect(dialled).toEqual(['127.0.0.2'])
    expect(receiver.received).toEqual([])
    // The next attempt finds its way.
    expect(await post()).toEqual(delivered)
  })
})

it('a connection that is kept to where a name was is not taken for where it is', async () => {
  names.names[name] = [alive]
  const post = useEgress()
  expect(await post()).toEqual(delivered)
  await tick()
  let requests = 0
  const elsewhere = tlsServer((socket) => {
    requests += 1
    socket.write(ok)
  })
  await listenAt('127.0.0.2', elsewhere)
  names.names[name] = ['127.0.0.2']
  clock.advance(1000)
  const dialled = watchDials()
  expect(await post()).toEqual(delivered)
  expect(dialled).toEqual(['127.0.0.2'])
  expect([receiver.received.length, requests]).toEqual([1, 1])
})
