// Long responses on a real server with real connections.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/kernel/basics/clock.ts'
import { notFound } from '../../../src/kernel/basics/fault.ts'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { createApp } from '../../../src/kernel/http/app.ts'
import { createMetrics } from '../../../src/kernel/http/metrics.ts'
import { sendStreamed } from '../../../src/kernel/http/send-streamed.ts'

const pieceBytes = 100_000
const piece = 'x'.repeat(pieceBytes)
// More than the buffers of both ends of a connection can hold.
const buffersBytesMax = 30_000_000

async function serve(pieces: () => AsyncGenerator<string>, stalledMs?: number) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const app = createApp({ log, clock: systemClock }, createMetrics())
  app.get('/long', (_request, reply) =>
    sendStreamed(
      reply,
      { status: 200, headers: { 'content-type': 'text/csv' }, pieces: pieces() },
      log,
      stalledMs,
    ),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/long`, port, lines }
}

async function open(url: string): Promise<IncomingMessage> {
  const [response] = await once(get(url, { agent: false }), 'response')
  return response
}

describe('a long answer', () => {
  it('arrives whole, with its status and headers', async () => {
    const { url } = await serve(async function* () {
      yield 'one,'
      yield 'two,'
      yield 'three'
    })
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(await response.text()).toBe('one,two,three')
  })

  it('is made no faster than the caller takes it', async () => {
    let madeBytes = 0
    const { url } = await serve(async function* () {
      for (let count = 0; count < 1000; count += 1) {
        madeBytes += pieceBytes
        yield piece
      }
    })
    let takenBytes = 0
    let aheadBytesMax = 0
    for await (const chunk of await open(url)) {
      takenBytes += chunk.length
      aheadBytesMax = Math.max(aheadBytesMax, madeBytes - takenBytes)
      // Gives the server every chance to run ahead.
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(takenBytes).toBe(1000 * pieceBytes)
    expect(aheadBytesMax).toBeLessThan(buffersBytesMax)
  })

  it('is made no further when the caller has gone', async () => {
    const ended = Promise.withResolvers<number>()
    const { url, lines } = await serve(async function* () {
      let made = 0
      try {
        for (;;) {
          made += 1
          yield piece
        }
      } finally {
        ended.resolve(made)
      }
    })
    const response = await open(url)
    await once(response, 'data')
    response.destroy()
    expect((await ended.promise) * pieceBytes).toBeLessThan(buffersBytesMax)
    // It is no fault of ours, and no one has to look at it.
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})

describe('beside a long answer', () => {
  it('other work has its turn after every piece', async () => {
    let turns = 0
    const { url } = await serve(async function* () {
      const before = turns
      for (let count = 0; count < 20; count += 1) {
        setImmediate(() => {
          turns += 1
        })
        yield 'x'
      }
      expect(turns - before).toBeGreaterThanOrEqual(19)
      yield 'done'
    })
    expect(await (await fetch(url)).text()).toMatch(/done$/)
  })
})

describe('a caller who takes nothing any more', () => {
  it('is cut off, and nothing is kept for them', async () => {
    const ended = Promise.withResolvers<void>()
    const { port, lines } = await serve(async function* () {
      try {
        for (;;) yield piece
      } finally {
        ended.resolve()
      }
    }, 100)
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write('GET /long HTTP/1.1\r\nHost: a\r\n\r\n')
    await ended.promise
    expect(lines.join('')).toContain('the caller stopped reading a streamed response')
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})

describe('a failure', () => {
  it('before the first piece is answered like any other', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it comes to that
    const { url } = await serve(async function* () {
      throw notFound('thing')
    })
    const response = await fetch(url)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: 'No such thing.', code: 'not_found' })
  })

  const failing = async function* () {
    yield piece
    yield piece
    throw new Error('the database went away')
  }

  it('on the way cuts the connection, and is told to the log', async () => {
    const { url, lines } = await serve(failing)
    const response = await fetch(url)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    const [line = '{}'] = lines.filter((text) => text.includes('"level":"error"'))
    expect(JSON.parse(line)).toMatchObject({
      requestId: response.headers.get('x-request-id'),
      msg: 'a streamed response was cut off',
    })
    expect(line).toContain('the database went away')
  })

  it('on the way resets a connection whose end would be the proper end of the answer', async () => {
    const { port } = await serve(failing)
    const socket = connect(port, '127.0.0.1')
    socket.resume()
    socket.write('GET /long HTTP/1.0\r\n\r\n')
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
  })
})
