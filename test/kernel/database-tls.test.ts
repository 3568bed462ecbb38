// The database behind TLS: a server that answers the request for it as PostgreSQL does, with a
// certificate of its own making, and hands everything on to the real one.
import { once } from 'node:events'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { connect, isDatabaseUnavailable, splitSocket } from '../../src/kernel/db/database.ts'
import { isRunning, serverUrl } from '../support/database.ts'
import { eventually } from '../support/processes.ts'
import { makeCertificate } from '../support/receiver.ts'

const certificate = makeCertificate()

type Server = {
  readonly url: string
  connections(): number
  // What becomes of the connections that are there.
  each(act: (client: TLSSocket) => void): void
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
  const url = new URL(splitSocket(serverUrl()).url)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  url.searchParams.set('sslmode', 'require')
  return { url: url.href, connections: () => connections, each: (act) => clients.forEach(act) }
}

function realServer(): Promise<Server> {
  const { url, path } = splitSocket(serverUrl())
  const { hostname, port } = new URL(url)
  return tlsServer((_, go) => {
    const client = go()
    const server = path ? connectSocket(path) : connectSocket(Number.parseInt(port, 10), hostname)
    server.on('error', () => undefined)
    client.pipe(server)
    server.pipe(client)
    client.once('close', () => server.destroy())
    server.once('close', () => client.destroy())
  })
}

function connected({ url }: Server, silenceMs = 40_000) {
  const database = connect({ url, poolSize: 1, silenceMs })
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
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(server.connections()).toBe(2)
  },
)

test('a server that says nothing any more is given up', async () => {
  const server = await realServer()
  const { sql } = connected(server, 2000)
  await sql`select 1`
  server.each((client) => client.pause())
  await expect(sql`select 2`).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }])
})

test('a request to cancel a statement is answered by a connection that closes', async () => {
  const server = await realServer()
  const { sql } = connected(server)
  await sql`select 1`
  const slow = sql`select pg_sleep(30) as slow_through_tls`.execute()
  const lost = expect(slow).rejects.toMatchObject({ code: '57014' })
  await eventually(() => isRunning('slow_through_tls'))
  await slow.cancel()
  await lost
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
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
