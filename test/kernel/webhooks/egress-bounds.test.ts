// What receivers can make us hold. An attempt gives its place to the next one as soon as its status
// is known, so whatever lasts longer than that has a bound of its own.
import { once } from 'node:events'
import { type AddressInfo, Socket } from 'node:net'
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createEgress } from '../../../src/kernel/webhooks/egress.ts'
import { egressTo, makeCertificate } from '../../support/receiver.ts'

const certificate = makeCertificate()
const message = { headers: {}, body: '{}' }
const delivered = { statusCode: 200, error: null }
const patience = { timeout: 240_000 }

async function receiving(answer: (socket: TLSSocket) => void, settings: TlsOptions = certificate) {
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer(settings, (socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.on('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const egress = createEgress(egressTo(certificate))
  onTestFinished(() => {
    egress.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    open: () => open.size,
    connections: () => connections,
    post: () => egress.post(`https://127.0.0.1:${port}/`, message, 60_000),
  }
}

it('bodies that do not come hold few connections, and those that come keep theirs', async () => {
  let last: TLSSocket | undefined
  const receiver = await receiving((socket) => {
    last = socket
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n')
  })
  for (let count = 0; count < 160; count += 1) expect(await receiver.post()).toEqual(delivered)
  expect(receiver.connections()).toBe(160)
  await vi.waitUntil(() => receiver.open() === 128, patience)
  // The newest still waits for its body; it is used again as soon as that is there.
  last?.write('x')
  await vi.waitUntil(async () => {
    const before = receiver.connections()
    await receiver.post()
    last?.write('x')
    return receiver.connections() === before
  }, patience)
})

it('nothing is left of a connection that is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const receiver = await receiving((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
  })
  expect(await receiver.post()).toEqual(delivered)
  while (receiver.open() > 0) await new Promise((resolve) => setImmediate(resolve))
  await vi.waitUntil(() => vi.getTimerCount() === 0, patience)
})

// Each handshake takes as long as many answers do.
it('a receiver that wants to shake hands again and again is not asked any more', {
  tags: ['long'],
}, async () => {
  const settings = { ...certificate, maxVersion: 'TLSv1.2' as const }
  let handshakes = 0
  const receiver = await receiving((socket) => {
    const again = () => {
      socket.renegotiate({}, (error) => {
        if (error) return
        handshakes += 1
        // In peace it would answer.
        if (handshakes < 100) again()
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      })
    }
    again()
  }, settings)
  expect(await receiver.post()).toEqual({ statusCode: null, error: 'tls' })
  expect(handshakes).toBe(0)
})

// By which a later handshake would be shorter; a receiver may send as many as it likes.
it('a receiver that gives tickets without measure is given up', async () => {
  const asked = Promise.withResolvers<void>()
  const receiver = await receiving(() => asked.resolve())
  const dialling = vi.spyOn(Socket.prototype, 'connect')
  onTestFinished(() => dialling.mockRestore())
  const sent = receiver.post()
  await asked.promise
  const [socket] = dialling.mock.contexts as Socket[]
  for (let count = 0; count < 100; count += 1) socket?.emit('session', Buffer.alloc(1))
  expect(socket?.destroyed).toBe(true)
  expect(await sent).toEqual({ statusCode: null, error: 'connection' })
})

// Each in a record of its own, since the next is written when the last one has gone.
function sendByBytes(socket: TLSSocket, text: string): void {
  const [first, ...rest] = text
  if (first === undefined || socket.destroyed) return
  socket.write(first, () => sendByBytes(socket, rest.join('')))
}

it('a head in pieces without measure is no answer', async () => {
  const head = `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1000)}\r\ncontent-length: 0\r\n\r\n`
  const receiver = await receiving((socket) => sendByBytes(socket, head))
  expect(await receiver.post()).toEqual({ statusCode: null, error: 'protocol' })
  await vi.waitUntil(() => receiver.open() === 0, patience)
})

it('a body in pieces without measure has its status, and its connection is closed', async () => {
  const receiver = await receiving((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', () => {
      sendByBytes(socket, 'a'.repeat(1000))
    })
  })
  expect(await receiver.post()).toEqual(delivered)
  await vi.waitUntil(() => receiver.open() === 0, patience)
  expect(await receiver.post()).toEqual(delivered)
  expect(receiver.connections()).toBe(2)
})
