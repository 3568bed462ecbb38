// A transaction has a connection to itself from `begin` to `commit`. The connection returns to the
// pool only when the server has confirmed the end of the transaction. Otherwise it is closed, and
// the server rolls back.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient } from 'pg'
import { assert } from '../basics/assert.ts'
import { ConnectionError, isStalePlan, sqlState, translateError } from './database-errors.ts'
import type { Pool } from './database-pool.ts'
import { createTag, type Query, type Rows, type RunQuery, type SqlTag } from './statement.ts'

export type TransactionSql = SqlTag & {
  // If this part fails, only this part is undone.
  savepoint<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
}

export type RunOn = (client: PoolClient, query: Query) => Promise<Rows<unknown[]>>

const openTransaction = new AsyncLocalStorage<true>()

export function assertNotNested(): void {
  assert(!openTransaction.getStore(), 'a transaction was opened inside a transaction')
}

// For transactions that better-auth begins.
export function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  assertNotNested()
  return openTransaction.run(true, work)
}

export function assertNoTransaction(what: string): void {
  assert(!openTransaction.getStore(), `${what} inside an open transaction`)
}

export async function runTransaction<T>(
  pool: Pool,
  run: RunOn,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  const tellLoss = (error: Error) => lost.reject(translateError(error))
  client.on('error', tellLoss)
  const scope = createScope((query) => run(client, query))
  let isUsable = false
  try {
    await send(client, 'begin')
    try {
      // Fail as soon as the connection is lost, even while the work waits for something else.
      const result = await Promise.race([
        openTransaction.run(true, () => scope.complete(work)),
        lost.promise,
      ])
      if ((await send(client, 'commit')) !== 'COMMIT') {
        throw new Error('the transaction was rolled back, since a statement of it had failed')
      }
      isUsable = true
      return result
    } catch (error) {
      // Still open if the connection was lost.
      scope.close()
      // If this fails as well, the connection is closed below, and the server rolls back.
      isUsable = await send(client, 'rollback').then(
        () => !isStalePlan(error),
        () => false,
      )
      throw error
    }
  } finally {
    client.off('error', tellLoss)
    client.release(!isUsable)
  }
}

async function send(client: PoolClient, text: string): Promise<string> {
  try {
    return (await client.query(text)).command
  } catch (error) {
    throw translateError(error)
  }
}

type Scope = {
  complete<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
  close(): void
}

// A transaction, or a savepoint in one. It fails when one of its statements failed, even if the
// work caught that error: the server discards all of it. It is closed before its end is sent to the
// server, since a part of the work may still be running: a statement of that part would otherwise
// run after the end, outside of the transaction.
function createScope(run: RunQuery, nextName = countNames()): Scope {
  let isOpen = true
  let failure: { error: unknown } | undefined
  const runWhileOpen: RunQuery = async (query) => {
    if (!isOpen) throw new ConnectionError('the transaction has ended')
    return run(query)
  }
  const runHere: RunQuery = async (query) => {
    try {
      return await runWhileOpen(query)
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  const command = (text: string) => runHere({ text, values: [], isRepeated: false, origin: '' })
  const savepoint = async <T>(work: (tx: TransactionSql) => Promise<T>): Promise<T> => {
    const name = nextName()
    await command(`savepoint ${name}`)
    try {
      return await createScope(runWhileOpen, nextName).complete(work)
    } catch (error) {
      await command(`rollback to savepoint ${name}`)
      throw error
    }
  }
  const tx: TransactionSql = Object.assign(createTag(runHere), { savepoint })
  return {
    async complete(work) {
      try {
        const result = await work(tx)
        if (!failure) return result
      } catch (error) {
        // 25P02: refused because an earlier statement failed. That error says more.
        if (!failure || sqlState(error) !== '25P02') throw error
      } finally {
        isOpen = false
      }
      throw failure.error
    },
    close() {
      isOpen = false
    },
  }
}

function countNames(): () => string {
  let count = 0
  return () => {
    count += 1
    return `part_${count}`
  }
}
