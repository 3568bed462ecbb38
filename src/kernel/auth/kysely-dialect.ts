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
import type { Sql, Tx } from '../db/database.ts'
import { type HeldTransaction, holdTransaction } from '../db/held-transaction.ts'

export function kyselyDialect(sql: Sql): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(sql),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

// A single statement runs on whichever connection is free; only a transaction holds one.
type Connection = DatabaseConnection & { held: HeldTransaction | undefined }

function createDriver(sql: Sql): Driver {
  return {
    async init() {},
    async acquireConnection() {
      const connection: Connection = {
        held: undefined,
        executeQuery: <R>(query: CompiledQuery) => execute<R>(connection.held?.tx ?? sql, query),
        streamQuery() {
          throw new Error('streaming is not supported by this dialect')
        },
      }
      return connection
    },
    async beginTransaction(connection) {
      assert(isConnection(connection) && !connection.held, 'no transaction is open')
      connection.held = await holdTransaction(sql)
    },
    commitTransaction: (connection) => heldOf(connection).commit(),
    rollbackTransaction: (connection) => heldOf(connection).rollback(),
    async releaseConnection(connection) {
      assert(isConnection(connection), 'the connection comes from this driver')
      // Kysely ends what it began, unless it could not: then this does.
      await connection.held?.rollback()
      connection.held = undefined
    },
    // The pool belongs to the application, which closes it.
    async destroy() {},
  }
}

async function execute<R>(sql: Sql | Tx, query: CompiledQuery): Promise<QueryResult<R>> {
  const parameters = query.parameters as postgres.ParameterOrJSON<bigint>[]
  const result = await sql.unsafe(query.sql, parameters)
  return { rows: [...result] as R[], numAffectedRows: BigInt(result.count) }
}

function heldOf(connection: DatabaseConnection): HeldTransaction {
  assert(isConnection(connection), 'the connection comes from this driver')
  return assertDefined(connection.held, 'a transaction is open')
}

function isConnection(connection: DatabaseConnection): connection is Connection {
  return 'held' in connection
}
