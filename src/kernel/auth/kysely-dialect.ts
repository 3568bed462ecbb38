// better-auth speaks Kysely; this lets Kysely speak through our own connection pool, so that there
// is one pool, one set of types and one place that knows the database's address.
// Rows arrive with camelCase names already, because the pool renames columns; whoever uses this
// dialect needs Kysely's CamelCasePlugin for the other direction.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type postgres from 'postgres'
import { assert, assertDefined } from '../basics/assert.ts'
import { type ReservedSql, reserve, type Sql } from '../db/database.ts'
import { endsConnection } from '../db/transaction-lease.ts'

export function kyselyDialect(sql: Sql): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(sql),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

// A single statement runs on whichever connection is free; only a transaction holds one.
type Connection = DatabaseConnection & {
  reserved: ReservedSql | undefined
  // Nothing may be sent through a reserved connection that was lost, and the driver has taken it
  // back already (see transaction-lease.ts).
  lost: boolean
}

function createDriver(sql: Sql): Driver {
  return {
    async init() {},
    async acquireConnection() {
      const connection: Connection = {
        reserved: undefined,
        lost: false,
        executeQuery: <R>(query: CompiledQuery) => {
          const run = () => execute<R>(connection.reserved ?? sql, query)
          return connection.reserved ? noteLoss(connection, run) : run()
        },
        streamQuery() {
          throw new Error('streaming is not supported by this dialect')
        },
      }
      return connection
    },
    async beginTransaction(connection) {
      assert(isConnection(connection) && !connection.reserved, 'no transaction is open')
      const reserved = await reserve(sql)
      connection.reserved = reserved
      await noteLoss(connection, () => reserved`begin`)
    },
    async commitTransaction(connection) {
      assert(isConnection(connection), 'the connection comes from this driver')
      await noteLoss(connection, () => reservedOf(connection)`commit`)
    },
    async rollbackTransaction(connection) {
      assert(isConnection(connection), 'the connection comes from this driver')
      if (connection.lost) return
      await noteLoss(connection, () => reservedOf(connection)`rollback`)
    },
    async releaseConnection(connection) {
      assert(isConnection(connection), 'the connection comes from this driver')
      if (!connection.lost) connection.reserved?.release()
      connection.reserved = undefined
    },
    // The pool belongs to the application, which closes it.
    async destroy() {},
  }
}

async function noteLoss<T>(connection: Connection, run: () => PromiseLike<T>): Promise<T> {
  assert(!connection.lost, 'the connection of the transaction was lost')
  try {
    return await run()
  } catch (error) {
    connection.lost ||= endsConnection(error)
    throw error
  }
}

async function execute<R>(sql: Sql | ReservedSql, query: CompiledQuery): Promise<QueryResult<R>> {
  const parameters = query.parameters as postgres.ParameterOrJSON<bigint>[]
  const result = await sql.unsafe(query.sql, parameters)
  return { rows: [...result] as R[], numAffectedRows: BigInt(result.count) }
}

function reservedOf(connection: DatabaseConnection): ReservedSql {
  assert(isConnection(connection), 'the connection comes from this driver')
  return assertDefined(connection.reserved, 'a transaction is open')
}

function isConnection(connection: DatabaseConnection): connection is Connection {
  return 'reserved' in connection
}
