// The connection pool and the transaction. Two rules live here:
// a transaction that lost a race (serialisation failure, deadlock) is run again, at most three
// times; and nothing may wait on the network while a transaction is open, which
// `assertNoTransaction` guards in every network client.
import { AsyncLocalStorage } from 'node:async_hooks'
import postgres from 'postgres'
import { assert } from '../basics/assert.ts'

export type Sql = postgres.Sql<{ bigint: bigint }>
export type Tx = postgres.TransactionSql<{ bigint: bigint }>

export type Database = {
  readonly sql: Sql
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  poolSize: number
  applicationName?: string
  onNotice?: (message: string) => void
}

const attemptsMax = 3
const retriable = new Set(['40001', '40P01'])
const openTransaction = new AsyncLocalStorage<true>()

// Longer than any statement of ours takes; it ends what hangs, so that a lock is not held for ever.
const idleInTransactionTimeoutMs = 30_000

export function connect(options: DatabaseOptions): Database {
  const { url, path } = splitSocket(options.url)
  const sql = postgres(url, {
    max: options.poolSize,
    // The driver takes an own `path` only when there is one.
    ...(path && { path }),
    connect_timeout: 10,
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: {
      bigint: { to: 20, from: [20], parse: BigInt, serialize: String },
      // A day has no time zone: it stays the text that the database sent.
      date: { to: 1082, from: [1082], parse: String, serialize: String },
    },
    connection: {
      application_name: options.applicationName ?? 'tillbook',
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
      TimeZone: 'UTC',
    },
    onnotice: (notice) => options.onNotice?.(String(notice.message)),
  }) as unknown as Sql

  return {
    sql,
    async transaction(work) {
      assert(!openTransaction.getStore(), 'a transaction was opened inside a transaction')
      for (let attempt = 1; ; attempt += 1) {
        try {
          // postgres.js unwraps promises in arrays; the cast only undoes its type for that.
          return (await sql.begin((tx) => openTransaction.run(true, () => work(tx)))) as Awaited<
            ReturnType<typeof work>
          >
        } catch (error) {
          if (attempt === attemptsMax || !retriable.has(sqlState(error) ?? '')) throw error
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
  const directory = url.searchParams.get('host')
  url.searchParams.delete('host')
  return { url: url.href, path: `${directory}/.s.PGSQL.${url.port || 5432}` }
}

export function assertNoTransaction(what: string): void {
  assert(!openTransaction.getStore(), `${what} inside an open transaction`)
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined
}

const connectionErrors = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
])
// 57P01 to 57P03: the server is shutting down, crashed or starting; 53300: no connection is left.
const unavailableStates = new Set(['57P01', '57P02', '57P03', '53300', '08006', '08001'])

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return connectionErrors.has(code) || unavailableStates.has(code)
}
