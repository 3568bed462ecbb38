// The database behind TLS: a server that accepts the TLS request like PostgreSQL, with a
// self-signed certificate, and passes everything on to the real one.
import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../../src/kernel/db/database.ts'
import { isDatabaseUnavailable } from '../../../src/kernel/db/database-errors.ts'
import { atPort, dial, isRunning, serverUrl } from '../../support/database.ts'
import { startPostgresWithTls } from '../../support/postgres-server.ts'
import { eventually } from '../../support/processes.ts'
import { makeCertificate } from '../../support/receiver.ts'

const certificate = makeCertificate()

type Server = {
  readonly url: string
  connections(): number
  // What becomes of the connections that are there.
  each<Result>(act: (client: TLSSocket) => Result): Result[]
}

async function tlsServer(
  onRequest: (client: Socket, go: () => TLSSocket) => void,
): Promise<Server> {
  const clients: TLSSocket[] = []
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    client.on('error', () => undefined)
    client.once('data', () => {
      onRequest(client, () => {
        client.write('S')
        const { key, cert } = certificate
        const secure = new TLSSocket(client, { isServer: true, key, cert })
        secure.on('error', () => undefined)
        clients.push(secure)
        return secure
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  const url = atPort(serverUrl(), (server.address() as AddressInfo).port)
  url.searchParams.set('sslmode', 'require')
  return { url: url.href, connections: () => connections, each: (act) => clients.map(act) }
}

function realServer(): Promise<Server> {
  return tlsServer((_, go) => {
    const client = go()
    const server = dial(serverUrl())
    server.on('error', () => undefined)
    client.pipe(server)
    server.pipe(client)
    client.once('close', () => server.destroy())
    server.once('close', () => client.destroy())
  })
}

function connected({ url }: Server, silenceMs = 40_000, poolSize = 1) {
  const database = connect({ url, poolSize, silenceMs })
  onTestFinished(() => database.close())
  return database
}

test('statements go through TLS', async () => {
  const server = await realServer()
  const { sql } = connected(server)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  server.each((client) => expect(client.getProtocol()).toMatch(/^TLSv1/))
  expect(server.connections()).toBe(1)
})

test.each([
  ['closed', (client: TLSSocket) => client.end()],
  ['cut', (client: TLSSocket) => client.destroy()],
])(
  'a connection that is %s during a statement is told of, and the next one works',
  async (_, end) => {
    const server = await realServer()
    const database = connected(server)
    const lost = database.transaction(async (tx) => {
      await tx`select 1`
      setImmediate(() => server.each(end))
      await tx`select pg_sleep(30)`
    })
    await expect(lost).rejects.toSatisfy(isDatabaseUnavailable)
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(server.connections()).toBe(2)
  },
)

// The one below that for TLS.
const reset = (client: TLSSocket) =>
  (client as TLSSocket & { _parent: Socket })._parent.resetAndDestroy()

test.each<[string, (client: TLSSocket) => unknown]>([
  ['closed', (client) => client.end()],
  ['cut', (client) => client.destroy()],
  ['reset', reset],
])('a query right after all connections are %s gets an answer', async (how, end) => {
  const server = await realServer()
  const { sql } = connected(server, 40_000, 3)
  const ask = async (number: number): Promise<unknown> => {
    try {
      return await sql`select ${number}::integer as number`
    } catch (error) {
      expect(error).toSatisfy(isDatabaseUnavailable)
      return ask(number)
    }
  }
  const numbers = [1, 2, 3]
  await Promise.all(numbers.map(() => sql`select pg_sleep(0.1)`))
  const asked = numbers.map((number) =>
    sql.unsafe(`select pg_sleep(30) as tls_${how}_${number}`).catch(() => ask(number)),
  )
  for (const number of numbers) await eventually(() => isRunning(`tls_${how}_${number}`))
  server.each(end)
  expect(await Promise.all(asked)).toEqual(numbers.map((number) => [{ number }]))
})

// What is written to a connection that is closing is an error that no one listens for, which ends
// the process, and this run.
test('a silent server is given up, and a statement that comes meanwhile gets the next connection', {
  tags: ['long'],
}, async () => {
  const server = await realServer()
  const { sql } = connected(server, 6000)
  await sql`select 1`
  const { promise: late, resolve } = Promise.withResolvers<unknown>()
  const { destroy } = Socket.prototype
  const destroying = vi.spyOn(Socket.prototype, 'destroy')
  onTestFinished(() => destroying.mockRestore())
  destroying.mockImplementation(function (this: Socket, error?: Error) {
    destroying.mockRestore()
    process.nextTick(() => resolve(sql`select 3 as three`))
    return destroy.call(this, error)
  })
  server.each((client) => client.pause())
  await expect(sql`select 2`).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await late).toEqual([{ three: 3 }])
  expect(await sql`select 4 as four`).toEqual([{ four: 4 }])
})

// The limit for closing, five seconds, is not reached in this test: what ends the wait is what
// happened.
function withoutLimitForClosing(): void {
  const { setTimeout: start } = globalThis
  const timing = vi.spyOn(globalThis, 'setTimeout')
  timing.mockImplementation(((act: () => void, ms?: number, ...given: []) =>
    start(act, ms === 5000 ? 3_600_000 : ms, ...given)) as typeof setTimeout)
  onTestFinished(() => timing.mockRestore())
}

test('closing waits for the connections, and for nothing else', {
  timeout: 240_000,
  tags: ['long'],
}, async () => {
  const server = await realServer()
  const database = connect({ url: server.url, poolSize: 3 })
  await Promise.all([1, 2, 3].map(() => database.sql`select pg_sleep(0.1)`))
  const ended = server.each((client) => once(client, 'close'))
  expect(ended).toHaveLength(3)
  withoutLimitForClosing()
  await database.close()
  await Promise.all(ended)
})

test('closing waits for a statement that is under way', {
  timeout: 240_000,
  tags: ['long'],
}, async () => {
  const server = await realServer()
  const database = connect({ url: server.url, poolSize: 1 })
  const asked = database.sql`select 1 as one, pg_sleep(0.3)::text`.execute()
  withoutLimitForClosing()
  await database.close()
  expect(await asked).toMatchObject([{ one: 1 }])
})

test('closing waits for nothing else at a PostgreSQL of the system either', {
  tags: ['long'],
  timeout: 480_000,
}, async () => {
  const database = connect({ url: await startPostgresWithTls(), poolSize: 2 })
  const [row] = await database.sql`
    select ssl
    from pg_stat_ssl
    where pid = pg_backend_pid()`
  expect(row).toEqual({ ssl: true })
  await Promise.all([1, 2].map(() => database.sql`select pg_sleep(0.1)`))
  withoutLimitForClosing()
  await database.close()
})

test('of several servers the next is found, and if none is available, the caller gets an error', async () => {
  const closing = await tlsServer((client) => client.end('S'))
  const real = await realServer()
  const both = (one: Server, other: Server) =>
    connected({ ...one, url: one.url.replace(/(:\d+)(?=\/)/, `$1,${new URL(other.url).host}`) })
  expect(await both(closing, real).sql`select 1 as one`).toEqual([{ one: 1 }])
  expect([closing.connections(), real.connections()]).toEqual([1, 1])
  const refusing = await tlsServer((client) => client.end())
  await expect(both(closing, refusing).sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
  expect([closing.connections(), refusing.connections()]).toEqual([2, 1])
})

// With ever longer pauses this would take minutes.
test('repeated failed handshakes give the caller an error at once', {
  tags: ['long'],
  timeout: 60_000,
}, async () => {
  const server = await tlsServer((client) => client.resetAndDestroy())
  const { sql } = connected(server)
  for (let count = 1; count <= 12; count += 1) {
    await expect(sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
    expect(server.connections()).toBe(count)
  }
})

function endOn(client: TLSSocket, event: string): void {
  client.once(event, () => client.end())
}

test.each<[string, Parameters<typeof tlsServer>[0]]>([
  ['instead of an answer', (client) => client.end()],
  ['instead of a certificate', (client) => client.end('S')],
  ['when TLS is agreed', (_, go) => endOn(go(), 'secure')],
  ['when it is greeted', (_, go) => endOn(go(), 'data')],
])('a server that closes %s is asked once, and told of', async (_, onRequest) => {
  const server = await tlsServer(onRequest)
  const { sql } = connected(server)
  await expect(sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
  expect(server.connections()).toBe(1)
  await expect(sql`select 1`).rejects.toSatisfy(isDatabaseUnavailable)
  expect(server.connections()).toBe(2)
})
