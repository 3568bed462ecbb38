import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../src/kernel/basics/log.ts'
import { readPostmaster, serverProcesses } from '../../src/kernel/db/embedded-processes.ts'
import { stopOnSignals } from '../../src/start/lifecycle.ts'
import {
  dataDirectory,
  eventually,
  preparedDataDirectory,
  type Service,
  startService,
} from '../support/processes.ts'

test('a request in flight at SIGTERM is answered, and what it wrote is kept', {
  tags: ['long'],
}, async () => {
  const dataDir = dataDirectory()
  const env = { DATA_DIR: dataDir, SHUTDOWN_GRACE_SECONDS: '3600' }
  const service = await startService({ env })
  await service.until('Try it:')
  const key = /acct_live_\S+/.exec(service.stdout())?.[0] ?? ''
  const body = JSON.stringify({ name: 'Late customer', is_customer: true })
  const client = await openConnection(service)
  const closed = new Promise((settle) => client.socket.once('close', () => settle('closed')))
  client.socket.write(
    'POST /books/api/v1/contacts HTTP/1.1\r\nHost: localhost\r\n' +
      `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await acceptedBefore(service)
  service.kill('SIGTERM')
  // Health checks see the shutdown, and everyone else is served as before.
  await service.probed(503)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  client.socket.write(body.slice(5))
  await eventually(() => client.received().includes('\r\n\r\n'))
  expect(client.received()).toMatch(/^HTTP\/1\.1 201 /)
  // The client keeps its connection, which the server would keep for another 72 seconds.
  expect(await Promise.race([closed, delay(60_000, 'late')])).toBe('closed')
  expect(await service.ended).toBe(0)

  const next = await startService({ env: { DATA_DIR: dataDir } })
  await next.ready()
  const headers = { authorization: `Bearer ${key}` }
  const contacts = await fetch(`${next.url}/books/api/v1/contacts`, { headers })
  expect(await contacts.text()).toContain('Late customer')
})

test('idle and silent connections do not hold up the end', { tags: ['long'] }, async () => {
  const service = await preparedService({ SHUTDOWN_GRACE_SECONDS: '3600' })
  const silent = await openConnection(service)
  const idle = await openConnection(service)
  idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await eventually(() => idle.received().includes('alive'))
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  await eventually(() => silent.socket.closed && idle.socket.closed)
})

test('a request that does not finish is cut when the grace period is over', {
  tags: ['long'],
}, async () => {
  const service = await preparedService({ SHUTDOWN_GRACE_SECONDS: '1' })
  const client = await openConnection(service)
  client.socket.write(
    `POST /sign-in HTTP/1.1\r\nHost: localhost\r\nOrigin: ${service.url}\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na',
  )
  await acceptedBefore(service)
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(service.stdout()).toContain('closing requests in flight')
})

test('readiness turns 503 first, and a second signal ends at once', {
  tags: ['long'],
}, async () => {
  const dataDir = await preparedDataDirectory()
  const env = { DATA_DIR: dataDir, DEMO: 'off', SHUTDOWN_DELAY_SECONDS: '600' }
  const service = await startService({ env })
  await service.ready()
  const postmaster = readPostmaster(join(dataDir, 'postgres'))
  service.kill('SIGTERM')
  await service.probed(503)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)

  expect(await insist(service, 'SIGTERM')).toBe(128 + 15)
  expect(service.stdout()).toContain('second signal')
  // The database, told to stop, ends by itself and cleanly.
  await eventually(() => serverProcesses(join(dataDir, 'postgres')).length === 0)
  expect(postmaster?.pid).toBeGreaterThan(0)
  expect(readPostmaster(join(dataDir, 'postgres'))).toBeUndefined()
})

// In this process, with a clock in hand: how fast two real signals arrive cannot be promised.
test('the same Ctrl-C arriving twice, as under npm, counts once; a later one forces', async () => {
  const { stop, exit, abandoned } = stopInThisProcess()

  process.emit('SIGINT')
  process.emit('SIGINT')
  vi.advanceTimersByTime(499)
  process.emit('SIGINT')
  expect(await stop.requested).toBe(0)
  expect(exit).not.toHaveBeenCalled()

  vi.advanceTimersByTime(1)
  process.emit('SIGINT')
  expect(exit).toHaveBeenCalledWith(130)
  expect(abandoned).toEqual(['database'])
})

test('a signal forces the end also when it began with a failure', async () => {
  const { stop, exit, abandoned } = stopInThisProcess()
  stop.fail(new Error('the database ended'))
  expect(await stop.requested).toBe(1)
  vi.advanceTimersByTime(500)
  process.emit('SIGTERM')
  expect(exit).toHaveBeenCalledWith(143)
  expect(abandoned).toEqual(['database'])
})

test('a signal during the start ends it cleanly', { tags: ['long'] }, async () => {
  const dataDir = await preparedDataDirectory()
  const serverDir = join(dataDir, 'postgres')
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off' } })
  await eventually(() => serverProcesses(serverDir).length > 0)
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(serverProcesses(serverDir)).toEqual([])
})

function stopInThisProcess() {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException']
  const before = new Map(signals.map((name) => [name, process.listeners(name as 'SIGINT')]))
  vi.useFakeTimers()
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  onTestFinished(() => {
    vi.useRealTimers()
    exit.mockRestore()
    for (const [name, known] of before) {
      for (const listener of process.listeners(name as 'SIGINT')) {
        if (!known.includes(listener)) process.off(name, listener)
      }
    }
  })
  const abandoned: string[] = []
  const resource = { close: () => undefined, abandon: () => void abandoned.push('database') }
  return { stop: stopOnSignals(createLog('silent'), [resource]), exit, abandoned }
}

async function preparedService(env: Record<string, string>): Promise<Service> {
  const dataDir = await preparedDataDirectory()
  const service = await startService({ env: { DATA_DIR: dataDir, DEMO: 'off', ...env } })
  await service.ready()
  return service
}

async function openConnection(service: Service): Promise<{ socket: Socket; received(): string }> {
  const { hostname, port } = new URL(service.url)
  const socket = connectSocket(Number.parseInt(port, 10), hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('utf8')
  })
  // A cut connection is what some tests are about.
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await new Promise((settle) => socket.once('connect', settle))
  return { socket, received: () => text }
}

// Connections are taken in order, so when this is answered an earlier one was taken as well; and
// its first bytes, sent before ours, have been read.
async function acceptedBefore(service: Service): Promise<void> {
  await fetch(`${service.url}/healthz`)
}

// A signal right after the first one counts as the same; so it is repeated until it is heeded.
async function insist(service: Service, signal: NodeJS.Signals): Promise<number | string> {
  for (;;) {
    service.kill(signal)
    const status = await Promise.race([service.ended, delay(200, undefined)])
    if (status !== undefined) return status
  }
}

test('a signal to npm ends the service that npm started, and its database', {
  tags: ['long'],
}, async () => {
  const dataDir = await preparedDataDirectory()
  const service = await startService({ npmScript: 'serve', env: { DATA_DIR: dataDir } })
  await service.ready()
  service.kill('SIGTERM')
  // Ends only when npm and the service have both closed their output.
  await service.ended
  expect(serverProcesses(join(dataDir, 'postgres'))).toEqual([])
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
})
