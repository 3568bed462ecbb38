// Makes the connections of the pool. `pg` connects to one host; an address may name several. New
// connections go to the current host. When a connection cannot be made, the next host becomes the
// current one; when one is lost, the first host does.
import { Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseAddress } from './database-address.ts'
import { ConnectionError } from './database-errors.ts'

export type Clients = {
  readonly poolConfig: pg.PoolConfig
  // Try this often before giving up, so that each host is tried once.
  readonly attemptsMax: number
  // Closes all connections, and refuses new ones.
  destroy(): void
  allEnded(): Promise<void>
}

type ClientOptions = {
  readonly address: DatabaseAddress
  readonly connectMs: number
  // Zero is no limit.
  readonly silenceMs: number
}

const keepAliveMs = 60_000

export function createClients({ address, connectMs, silenceMs }: ClientOptions): Clients {
  const { endpoints } = address
  const connectionTimeoutMillis = connectMs / endpoints.length
  const open = new Set<pg.Client>()
  let isDestroyed = false
  let current = 0
  const passOver = (index: number) => {
    if (current === index) current = (current + 1) % endpoints.length
  }

  class EndpointClient extends pg.Client {
    readonly index = current

    constructor(config: pg.ClientConfig) {
      super({ ...config, ...endpoints[current], connectionTimeoutMillis })
      open.add(this)
      this.once('end', () => open.delete(this))
      // A running statement gets this error as well. Without a listener it would end the process.
      this.on('error', () => {
        current = 0
      })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error | null) => void): void
    override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      super.connect((error: Error | null) => {
        if (error) {
          passOver(this.index)
          // After some errors, such as a missing password, `pg` leaves the socket open.
          this.connection.stream.destroy()
        }
        callback?.(error)
      })
      if (isDestroyed) this.connection.stream.destroy()
      return undefined
    }
  }

  return {
    poolConfig: {
      Client: EndpointClient as unknown as new () => pg.ClientBase,
      user: address.user,
      password: address.password,
      database: address.database,
      sslnegotiation: address.sslNegotiation,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      stream: () => createSocket(silenceMs),
      async onConnect(client) {
        try {
          await assertWantedKind(client, address.targetSessionAttributes)
        } catch (error) {
          passOver((client as EndpointClient).index)
          throw error
        }
      },
    },
    attemptsMax: endpoints.length,
    destroy() {
      isDestroyed = true
      for (const client of open) client.connection.stream.destroy()
    },
    async allEnded() {
      await Promise.all(
        [...open].map((client) => new Promise((end) => client.once('end', () => end(null)))),
      )
    },
  }
}

// Closes a connection on which nothing arrives any more, for example because the server's machine
// is gone. A healthy server answers well before the limit, if only to say that a statement timed
// out, and the pool closes idle connections earlier.
function createSocket(silenceMs: number): Socket {
  const socket = new Socket()
  if (silenceMs === 0) return socket
  return socket.setTimeout(silenceMs, () =>
    socket.destroy(new Error('the database has not answered for too long')),
  )
}

async function assertWantedKind(client: pg.ClientBase, wanted: string): Promise<void> {
  if (wanted === 'any') return
  const { rows } = await client.query<[boolean, string]>({
    text: `select pg_is_in_recovery(), current_setting('transaction_read_only')`,
    rowMode: 'array',
  })
  const [isStandby, isReadOnly] = rows[0] ?? []
  const isWanted: Readonly<Record<string, boolean>> = {
    primary: isStandby === false,
    standby: isStandby === true,
    'read-write': isReadOnly === 'off',
    'read-only': isReadOnly === 'on',
  }
  if (isWanted[wanted]) return
  const problem = wanted in isWanted ? `the server is not ${wanted}` : 'no such kind of server'
  throw new ConnectionError(`${problem} (target_session_attrs=${wanted})`)
}
