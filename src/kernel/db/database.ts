// The connection pool and the transaction. Three rules live here:
// a transaction that lost a race (serialisation failure, deadlock) is run again, at most three
// times; nothing may wait on the network while a transaction is open, which `assertNoTransaction`
// guards in every network client; and the server ends what hangs, or, when it says nothing any
// more, we do, so that neither a lock nor a connection is held for ever.
import { AsyncLocalStorage } from 'node:async_hooks'
import postgres from 'postgres'
import { assert } from '../basics/assert.ts'
import { socketMaker } from './database-socket.ts'
import { undefinedValue, valueTypes } from './database-values.ts'
import { createLease } from './transaction-lease.ts'

export type Sql = postgres.Sql<{ bigint: bigint }>
export type Tx = postgres.TransactionSql<{ bigint: bigint }>
export type ReservedSql = postgres.ReservedSql<{ bigint: bigint }>

export type Database = {
  readonly sql: Sql
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  poolSize: number
  applicationName?: string
  // For commands that may read everything there is, and take as long as that takes.
  withoutTimeLimits?: boolean
  // How long a server may say nothing, and how long it takes to get to one; only tests wait for
  // less than the defaults.
  silenceMs?: number
  connectMs?: number
  onNotice?: (message: string) => void
}

const attemptsMax = 3
const retriable = new Set(['40001', '40P01'])
const openTransaction = new AsyncLocalStorage<true>()

// Many times what the slowest statement of ours takes, and about as long as a caller waits for an
// answer: what has not come by then is a plan gone wrong or a server in trouble.
const statementTimeoutMs = 30_000
// Shorter than that, so that who waits for a lock is told from what is slow by itself.
const lockTimeoutMs = 15_000
// A server that has said nothing for longer than any statement may take is gone.
const silenceMaxMs = 40_000
// Before that, so that only a connection on which an answer is awaited is found silent.
const idleCloseSeconds = 30
const connectMaxMs = 10_000
// Between two statements of a transaction there is only our own work. A transaction that is idle
// for this long has lost its process, and its locks keep others waiting.
const idleInTransactionTimeoutMs = 30_000

export function connect(options: DatabaseOptions): Database {
  const { url, path } = splitSocket(options.url)
  const { silenceMs = silenceMaxMs, connectMs = connectMaxMs } = options
  const limits = options.withoutTimeLimits
    ? { socket: socketMaker(0, connectMs) }
    : { socket: socketMaker(silenceMs, connectMs), idle_timeout: idleCloseSeconds }
  const sql = postgres(url, {
    max: options.poolSize,
    // The driver takes an own `path` only when there is one.
    ...(path && { path }),
    connect_timeout: connectMs / 1000,
    // Whoever asks after a failure is answered at once, and not after an ever longer pause.
    backoff: () => 0.01,
    ...limits,
    transform: {
      undefined: undefinedValue,
      column: { from: postgres.toCamel, to: postgres.fromCamel },
    },
    types: valueTypes,
    connection: {
      statement_timeout: options.withoutTimeLimits ? 0 : statementTimeoutMs,
      lock_timeout: options.withoutTimeLimits ? 0 : lockTimeoutMs,
      application_name: options.applicationName ?? 'tillbook',
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
      TimeZone: 'UTC',
      // How values are written is up to the server's settings otherwise, and neither the driver nor
      // we read more than these.
      DateStyle: 'ISO',
      bytea_output: 'hex',
    },
    onnotice: (notice) => options.onNotice?.(String(notice.message)),
  }) as unknown as Sql

  return {
    sql,
    async transaction(work) {
      assert(!openTransaction.getStore(), 'a transaction was opened inside a transaction')
      for (let attempt = 1; ; attempt += 1) {
        const lease = createLease()
        try {
          // postgres.js unwraps promises in arrays; the cast only undoes its type for that.
          return (await sql.begin((tx) =>
            openTransaction.run(true, () => lease.run(() => work(lease.guard(tx)))),
          )) as Awaited<ReturnType<typeof work>>
        } catch (error) {
          if (attempt === attemptsMax || !retriable.has(sqlState(error) ?? '')) throw error
        } finally {
          lease.end()
        }
      }
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

// An address may name a directory with the server's Unix socket as libpq does, `?host=/directory`,
// which the driver does not understand: it would send `host` to the server as a setting.
export function splitSocket(address: string): { url: string; path: string | undefined } {
  // The driver also takes several hosts, which are no URL; those are left alone.
  if (!/[?&]host=/.test(address)) return { url: address, path: undefined }
  const url = new URL(address)
  const host = url.searchParams.get('host') ?? ''
  url.searchParams.delete('host')
  if (host.startsWith('/')) {
    return { url: url.href, path: `${host}/.s.PGSQL.${url.port || 5432}` }
  }
  if (host !== '') url.hostname = host
  return { url: url.href, path: undefined }
}

// For transactions that others begin, as better-auth's adapter does.
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  assert(!openTransaction.getStore(), 'a transaction was opened inside a transaction')
  return openTransaction.run(true, work)
}

// For operations that are to be parts of one transaction though each opens its own: what one of
// them did is undone when it fails, and all of it when the whole does.
export function databaseInside(tx: Tx): Database {
  return {
    sql: tx as unknown as Sql,
    transaction: async (work) => (await tx.savepoint(work)) as Awaited<ReturnType<typeof work>>,
    close: async () => assert(false, 'a transaction is not closed, but ended'),
  }
}

// A connection for work that a callback cannot hold. The driver passes on the bare error of the
// network here, which could be anybody's; this one is the database's.
export async function reserve(sql: Sql): Promise<ReservedSql> {
  try {
    return await sql.reserve()
  } catch (error) {
    const failure = new Error('no connection to the database', { cause: error })
    throw Object.assign(failure, { code: 'CONNECTION_CLOSED' })
  }
}

export function assertNoTransaction(what: string): void {
  assert(!openTransaction.getStore(), `${what} inside an open transaction`)
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined
}

// The driver's own codes, which nobody else uses.
const driverErrors = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
])
const networkErrors = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
// Class 08: the connection is broken; class 53: the server is out of connections, memory or disk;
// 57P01 to 57P05: it is shutting down, crashed or starting, or the database is gone; 25P03: it has
// ended a transaction that was idle for too long.
const unavailableStates = /^(08|53)|^57P|^25P03$/

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  const code = String(error.code)
  if (error instanceof postgres.PostgresError) return unavailableStates.test(code)
  // Files and other servers fail with the same codes; only the driver notes the query that failed.
  return driverErrors.has(code) || (networkErrors.has(code) && 'query' in error)
}

// The statement, or its wait for a lock, was ended by the limits above. Nothing of it was kept.
export function isDatabaseTooSlow(error: unknown): boolean {
  return sqlState(error) === '57014' || sqlState(error) === '55P03'
}
