// A network between the service and the database that can go silent: data is accepted and nothing
// comes back, as when a machine vanishes or a firewall forgets a connection.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { connect, type DatabaseOptions } from '../../src/kernel/db/database.ts'
import { atPort, createDatabase, dial, type TestDatabase } from './database.ts'
import { freePort } from './processes.ts'

export type DatabaseProxy = {
  readonly database: TestDatabase
  // Also holds new connections.
  stall(): void
  resume(): void
  // Ends every connection, as the network or a failover does.
  cut(how: 'closed' | 'reset'): void
}

// The database as seen through the proxy. Limits are those of a service: only tests that wait for
// one shorten it, since a busy machine may be silent for seconds.
export async function databaseBehindProxy(
  options: Pick<DatabaseOptions, 'silenceMs' | 'connectMs'> & { poolSize?: number } = {},
): Promise<DatabaseProxy> {
  const direct = await createDatabase(1)
  const pairs = new Set<{ client: Socket; server: Socket }>()
  let stalled = false
  const apply = ({ client, server }: { client: Socket; server: Socket }) => {
    for (const socket of [client, server]) stalled ? socket.pause() : socket.resume()
  }
  const listener = createServer((client) => {
    const server = dial(direct.url)
    const pair = { client, server }
    pairs.add(pair)
    client.on('data', (chunk) => server.write(chunk))
    server.on('data', (chunk) => client.write(chunk))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
    apply(pair)
  })
  await new Promise<void>((settle) => listener.listen(0, '127.0.0.1', settle))
  const url = atPort(direct.url, (listener.address() as AddressInfo).port)
  const database = connect({ url: url.href, poolSize: 4, ...options })
  const switchTo = (value: boolean) => {
    stalled = value
    for (const pair of pairs) apply(pair)
  }
  return {
    stall: () => switchTo(true),
    resume: () => switchTo(false),
    cut(how) {
      for (const { client } of pairs) {
        how === 'reset' ? client.resetAndDestroy() : client.end()
      }
    },
    database: {
      ...database,
      url: direct.url,
      observer: direct.observer,
      async drop() {
        switchTo(false)
        await database.close()
        await direct.drop()
        for (const { client } of pairs) client.destroy()
        await new Promise((settle) => listener.close(settle))
      },
    },
  }
}

// The way to a database that ends and begins again at the same address, as that of a service does.
export async function restartableProxy(databaseUrl: string) {
  const sockets = new Set<Socket>()
  // A port that stays free while no one listens on it: the system assigns others.
  const port = await freePort()
  const listener = createServer((client) => {
    const server = dial(databaseUrl)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const start = async () => {
    await new Promise<void>((settle) => listener.listen(port, '127.0.0.1', settle))
  }
  const stop = async () => {
    const closed = new Promise((settle) => listener.close(settle))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await start()
  onTestFinished(stop)
  return { url: atPort(databaseUrl, port).href, start, stop }
}
