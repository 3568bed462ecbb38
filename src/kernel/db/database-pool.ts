// The pool of `pg`. It gives a connection to one statement or transaction at a time. We add:
// - If a connection cannot be made, every host of the address is tried before the caller is told.
// - A connection that is released inside a transaction is closed and not used again.
// - Closing the pool waits, up to a limit, for everyone who has or waits for a connection.
import pg, { type PoolClient } from 'pg'
import type { DatabaseAddress } from './database-address.ts'
import { createClients } from './database-client.ts'
import { ConnectionError, translateError } from './database-errors.ts'
import { valueTypes } from './database-values.ts'

export type Pool = {
  connect(): Promise<PoolClient>
  end(): Promise<void>
}

type PoolOptions = {
  readonly address: DatabaseAddress
  readonly size: number
  readonly connectMs: number
  readonly silenceMs: number
  readonly idleMs: number
  readonly settings: Readonly<Record<string, string | number>>
}

const closeMaxMs = 5000
// The server's memory for a connection only grows.
const lifetimeSeconds = 45 * 60

export function openPool({ size, idleMs, settings, ...options }: PoolOptions): Pool {
  const clients = createClients(options)
  const pool = new pg.Pool({
    ...clients.poolConfig,
    max: size,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: lifetimeSeconds,
    options: writeSettings({ ...settings, ...options.address.settings }),
    types: valueTypes as pg.CustomTypesConfig,
    // Send statements of a transaction at once when the caller does not await each of them.
    pipeline: true,
  })
  // An idle connection was lost. The pool has removed it already.
  pool.on('error', () => undefined)
  const allReleased = Promise.withResolvers<void>()
  let inUse = 0
  let isClosing = false
  let isLate = false

  const giveBack = () => {
    inUse -= 1
    if (isClosing && inUse === 0) allReleased.resolve()
  }
  const acquire = async (): Promise<PoolClient> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await pool.connect()
      } catch (error) {
        if (attempt >= clients.attemptsMax || isLate) throw translateError(error)
      }
    }
  }

  async function finishAll(): Promise<void> {
    if (inUse > 0) await allReleased.promise
    await pool.end()
    await clients.allEnded()
  }

  return {
    async connect() {
      if (isClosing) throw new ConnectionError('the database is closed', 'CONNECTION_ENDED')
      inUse += 1
      try {
        const client = await acquire()
        const release = client.release
        client.release = (isBroken) => {
          release(isBroken || client.getTransactionStatus() !== 'I')
          giveBack()
        }
        return client
      } catch (error) {
        giveBack()
        throw error
      }
    },
    // A connection that is never given back must not keep the process from ending, so closing
    // stops waiting after a while.
    async end() {
      if (isClosing) return
      isClosing = true
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        isLate = true
        clients.destroy()
        late.resolve()
      }, closeMaxMs)
      await Promise.race([finishAll(), late.promise])
      clearTimeout(timer)
    },
  }
}

// The settings of a session, in the format of the server's command line.
function writeSettings({
  options,
  ...settings
}: Readonly<Record<string, string | number>>): string {
  const written = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${String(value).replace(/[\\\s]/g, '\\$&')}`,
  )
  return [...written, ...(options === undefined ? [] : [options])].join(' ')
}
