// Bodies that arrive slowly: a steady one is waited for, a trickling one is not.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/kernel/basics/clock.ts'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { createApp } from '../../../src/kernel/http/app.ts'
import { createMetrics } from '../../../src/kernel/http/metrics.ts'

const limits = { deadlineSeconds: 1, arrivalSeconds: 1, arrivalBytesPerSecond: 100 }
const stepMs = 100
const bytes = 20_000

type Answer = { readonly head: string; readonly text: string }

async function sender(): Promise<Socket> {
  const log = createLog('silent')
  const app = createApp({ log, clock: systemClock }, createMetrics(), undefined, limits)
  onTestFinished(() => app.close())
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
  app.post('/', async ({ body }) => ({ length: (body as Buffer).length }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(
    `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: a/b\r\ncontent-length: ${bytes}\r\n\r\n`,
  )
  return socket
}

// Goes on until the answer is there or everything is sent.
async function send(socket: Socket, piece: number): Promise<Answer> {
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString()
  })
  let isOpen = true
  const closed = once(socket, 'close').then(() => {
    isOpen = false
  })
  for (let sent = 0; sent < bytes && answer === ''; sent += piece) {
    socket.write(Buffer.alloc(Math.min(piece, bytes - sent)))
    await wait(stepMs)
  }
  while (isOpen && !answer.includes('}')) await Promise.race([wait(stepMs), closed])
  const [head = '', text = ''] = answer.split('\r\n\r\n')
  return { head, text }
}

it('a body that comes on has more time than the service itself', async () => {
  // Some three seconds in all, seventy times as fast as it has to be.
  const { head, text } = await send(await sender(), 700)
  expect(head).toMatch(/^HTTP\/1\.1 200 /)
  expect(JSON.parse(text)).toEqual({ length: bytes })
})

it('a drip is answered and cut off', { tags: ['long'] }, async () => {
  const socket = await sender()
  const closed = once(socket, 'close')
  const { head, text } = await send(socket, 1)
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(head.toLowerCase()).toContain('connection: close')
  expect(JSON.parse(text)).toMatchObject({
    error: { formErrors: ['The request did not arrive in time.'] },
    code: 'invalid_request',
  })
  await closed
})

it('a body that never begins is answered and cut off', { tags: ['long'] }, async () => {
  const socket = await sender()
  const [data] = await once(socket, 'data')
  expect(String(data)).toMatch(/^HTTP\/1\.1 400 /)
})
