// The database fails in two ways: the server refuses a statement (`PostgresError`, which has a
// SQLSTATE), or there is no connection (`ConnectionError`).
import pg from 'pg'

export class PostgresError extends Error {
  override readonly name = 'PostgresError'
  readonly code: string
  readonly schema_name: string | undefined
  readonly table_name: string | undefined
  readonly constraint_name: string | undefined
  // The server closes the connection after this error.
  readonly isFatal: boolean
  // The function of the server that failed.
  readonly routine: string | undefined

  // `detail` is left out on purpose: it contains data of the row.
  constructor(error: pg.DatabaseError, code: string) {
    super(error.message)
    this.code = code
    this.schema_name = error.schema
    this.table_name = error.table
    this.constraint_name = error.constraint
    this.isFatal = error.severity === 'FATAL' || error.severity === 'PANIC'
    this.routine = error.routine
  }
}

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code: string

  constructor(message: string, code = 'CONNECTION_CLOSED', options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

// Turns any error of `pg` into one of the two. `origin` is the stack of the code that made the
// statement; the stack of `pg` begins at the network.
export function translateError(error: unknown, origin?: string): Error {
  const translated = translate(error)
  if (origin) translated.stack = `${translated.name}: ${translated.message}\n${origin}`
  return translated
}

function translate(error: unknown): Error {
  if (error instanceof PostgresError || error instanceof ConnectionError) return error
  if (error instanceof pg.DatabaseError && error.code) return new PostgresError(error, error.code)
  const { message, code } = error as Error & { code?: string }
  return new ConnectionError(message || String(error), code ?? codeOf(message), { cause: error })
}

const codeOf = (message: string) =>
  message === 'timeout expired' ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED'

// A migration has made a prepared statement of the connection invalid. The statement did nothing,
// and works on another connection.
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof PostgresError &&
    error.code === '0A000' &&
    error.routine === 'RevalidateCachedQuery'
  )
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof PostgresError ? error.code : undefined
}

// Class 08: the connection is broken; class 53: the server is out of connections, memory or disk;
// 57P01 to 57P05: it is shutting down, crashed or starting, or the database is gone; 25P03: it has
// ended a transaction that was idle for too long.
const unavailableStates = /^(08|53)|^57P|^25P03$/

export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof ConnectionError || unavailableStates.test(sqlState(error) ?? '')
}

// A time limit ended the statement or its wait for a lock. Nothing of it was saved.
export function isDatabaseTooSlow(error: unknown): boolean {
  return sqlState(error) === '57014' || sqlState(error) === '55P03'
}
