// Connects to the database. Three rules live here and in `transaction.ts`: a transaction that fails
// with a serialisation failure or a deadlock is run up to three times; no network call may happen
// while a transaction is open; and every wait has a limit, so that nothing holds a lock or a
// connection for ever.
import { channel } from 'node:diagnostics_channel'
import type { QueryArrayResult } from 'pg'
import { assert } from '../basics/assert.ts'
import { type DatabaseAddress, parseAddress } from './database-address.ts'
import { isStalePlan, PostgresError, sqlState, translateError } from './database-errors.ts'
import { openPool, type Pool } from './database-pool.ts'
import { createTag, type Query, type Rows, type SqlTag } from './statement.ts'
import { assertNotNested, type RunOn, runTransaction, type TransactionSql } from './transaction.ts'

export type Sql = SqlTag & {
  readonly address: DatabaseAddress
  readonly pool: Pool
  // A transaction without the retries.
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  // A connection for work that a callback cannot hold.
  reserve(): Promise<ReservedSql>
}
export type Tx = TransactionSql
export type ReservedSql = SqlTag & { release(): void }

export type Database = {
  readonly sql: Sql
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  poolSize: number
  applicationName?: string
  // For commands that may read the whole database and take long.
  withoutTimeLimits?: boolean
  // The limits for a silent server and for connecting. Only tests change them.
  silenceMs?: number
  connectMs?: number
}

// Publishes every statement to those that subscribe to it. Tests explain what they have recorded.
const sentStatements = channel('tillbook:statement')

const attemptsMax = 3
const retriable = new Set(['40001', '40P01'])
const isRetriable = (error: unknown) => retriable.has(sqlState(error) ?? '') || isStalePlan(error)

// Many times the duration of our slowest statement, and about as long as callers wait.
const statementTimeoutMs = 30_000
// Shorter than that, so that a wait for a lock can be told from a slow statement.
const lockTimeoutMs = 15_000
// Longer than any statement may take: the server is gone.
const silenceMaxMs = 40_000
// Shorter than that, so that idle connections are not taken for silent ones.
const idleCloseMs = 30_000
const connectMaxMs = 10_000
// Between two statements of a transaction there is only our own code. A transaction that is idle
// for this long has lost its process, and its locks block others.
const idleInTransactionTimeoutMs = 30_000
// Each connection keeps a plan for every named statement. We have some hundreds; more than this
// would come from a text that changes with each call.
const namedStatementsMax = 2000

export function connect(options: DatabaseOptions): Database {
  const { silenceMs = silenceMaxMs, connectMs = connectMaxMs, withoutTimeLimits } = options
  const address = parseAddress(options.url)
  const pool = openPool({
    address,
    size: options.poolSize,
    connectMs,
    silenceMs: withoutTimeLimits ? 0 : silenceMs,
    idleMs: withoutTimeLimits ? 0 : idleCloseMs,
    settings: {
      application_name: options.applicationName ?? 'tillbook',
      statement_timeout: withoutTimeLimits ? 0 : statementTimeoutMs,
      lock_timeout: withoutTimeLimits ? 0 : lockTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
      // better-auth writes table names without the schema.
      search_path: 'public,kernel',
      // database-values.ts reads these formats only.
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      bytea_output: 'hex',
    },
  })
  const run = createRunner()
  const runAlone = async (query: Query): Promise<Rows<unknown[]>> => {
    const client = await pool.connect()
    try {
      const rows = await run(client, query)
      client.release()
      return rows
    } catch (error) {
      const isUsable = error instanceof PostgresError && !error.isFatal && !isStalePlan(error)
      client.release(!isUsable)
      if (isStalePlan(error)) return runAlone(query)
      throw error
    }
  }
  const begin = <T>(work: (tx: Tx) => Promise<T>) => runTransaction(pool, run, work)
  return {
    sql: Object.assign(createTag(runAlone), {
      address,
      pool,
      begin,
      async reserve() {
        const client = await pool.connect()
        let isReleased = false
        const tag = createTag(async (query) => {
          assert(!isReleased, 'a reserved connection is not used after its release')
          return run(client, query)
        })
        const release = () => {
          isReleased = true
          client.release()
        }
        return Object.assign(tag, { release })
      },
    }),
    async transaction(work) {
      assertNotNested()
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await begin(work)
        } catch (error) {
          if (attempt === attemptsMax || !isRetriable(error)) throw error
        }
      }
    },
    close: () => pool.end(),
  }
}

// Runs operations that open transactions inside an existing one. Each becomes a savepoint.
export function databaseInside(tx: Tx): Database {
  return {
    sql: tx as unknown as Sql,
    transaction: (work) => tx.savepoint(work),
    close: async () => assert(false, 'a transaction is not closed, but ended'),
  }
}

// Sends statements to a connection, and names those that the server should keep a plan for.
function createRunner(): RunOn {
  const names = new Map<string, string>()
  const columns = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size === namedStatementsMax) return known
    const name = `statement_${names.size + 1}`
    names.set(text, name)
    return name
  }
  const columnOf = (name: string): string => {
    const known = columns.get(name)
    if (known !== undefined) return known
    const camel = name.replace(/(?<=.)_(.)/g, (_, letter: string) => letter.toUpperCase())
    columns.set(name, camel)
    return camel
  }
  return async (client, query) => {
    const { text, values, isRepeated, origin } = query
    if (sentStatements.hasSubscribers) sentStatements.publish(query)
    const name = isRepeated ? nameOf(text) : undefined
    try {
      const result = await client.query<unknown[]>({ name, text, values, rowMode: 'array' })
      return readRows(result, columnOf)
    } catch (error) {
      throw translateError(error, origin)
    }
  }
}

function readRows(
  // A list for a text of several statements; its rows are not used.
  result: QueryArrayResult<unknown[]> | readonly unknown[],
  columnOf: (name: string) => string,
): Rows<unknown[]> {
  if (!('rows' in result)) return withCount([], 0)
  const names = result.fields.map(({ name }) => columnOf(name))
  const rows = result.rows.map((values) => {
    const row: Record<string, unknown> = {}
    names.forEach((name, index) => {
      row[name] = values[index]
    })
    return row
  })
  return withCount(rows, result.rowCount ?? 0)
}

// Not enumerable, so that rows compare equal to a plain array.
function withCount(rows: unknown[], count: number): Rows<unknown[]> {
  return Object.defineProperty(rows, 'count', { value: count }) as Rows<unknown[]>
}
