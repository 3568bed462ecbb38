// Limits on what receivers can make us hold or compute. An attempt frees its slot as soon as its
// status is known, so everything that lasts longer has its own limit.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
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
  const egress = createEgress({ ...egressTo(certificate), keepAlive: { ms: 30_000, max: 10 } })
  onTestFinished(() => {
    egress.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    open: () => open.size,
    connections: () => connections,
    // Nothing here waits for the deadline.
    post: () => egress.post(`https://127.0.0.1:${port}/`, message, 600_000),
  }
}

it('bodies that never come hold a bounded number of connections', async () => {
  let last: TLSSocket | undefined
  const receiver = await receiving((socket) => {
    last = socket
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n')
  })
  for (let count = 0; count < 20; count += 1) expect(await receiver.post()).toEqual(delivered)
  expect(receiver.connections()).toBe(20)
  await vi.waitUntil(() => receiver.open() === 10, patience)
  // The newest still waits for its body, and is reused as soon as that has arrived.
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

// Each handshake costs as much as many answers.
it('a receiver that starts another handshake has failed', async () => {
  const settings = { ...certificate, maxVersion: 'TLSv1.2' as const }
  let handshakes = 0
  const receiver = await receiving((socket) => {
    const again = () => {
      socket.renegotiate({}, (error) => {
        if (error) return
        handshakes += 1
        // If it were allowed, it would answer in the end.
        if (handshakes < 100) again()
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      })
    }
    again()
  }, settings)
  expect(await receiver.post()).toEqual({ statusCode: null, error: 'tls' })
  expect(handshakes).toBe(0)
})

// Each in its own record, since the next is written when the last one has gone.
function sendByBytes(socket: TLSSocket, text: string): void {
  const [first, ...rest] = text
  if (first === undefined || socket.destroyed) return
  socket.write(first, () => sendByBytes(socket, rest.join('')))
}

it('a head in too many pieces is no answer', async () => {
  const head = `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1000)}\r\ncontent-length: 0\r\n\r\n`
  const receiver = await receiving((socket) => sendByBytes(socket, head))
  expect(await receiver.post()).toEqual({ statusCode: null, error: 'protocol' })
  await vi.waitUntil(() => receiver.open() === 0, patience)
})

it('a body in too many pieces has its status, and its connection is closed', async () => {
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
