// A transaction for whoever begins and ends it in different places, as better-auth's adapter does.
// It is no reserved connection: the driver (postgres.js 3.4.9) forgets who waits for one of those
// when a connection is lost meanwhile, and would let them wait for ever.
import type { Sql, Tx } from './database.ts'
import { createLease } from './transaction-lease.ts'

export type HeldTransaction = {
  readonly tx: Tx
  commit(): Promise<void>
  // Also after a loss, when the server has done it already.
  rollback(): Promise<void>
}

export async function holdTransaction(sql: Sql): Promise<HeldTransaction> {
  const lease = createLease()
  const begun = Promise.withResolvers<Tx>()
  const kept = Promise.withResolvers<void>()
  const over = sql
    .begin((tx) =>
      lease.run(async () => {
        begun.resolve(lease.guard(tx))
        await kept.promise
      }),
    )
    .finally(() => lease.end())
  over.catch(begun.reject)
  return {
    tx: await begun.promise,
    async commit() {
      kept.resolve()
      await over
    },
    async rollback() {
      const undone = new Error('the transaction is rolled back')
      kept.reject(undone)
      await over.catch(() => undefined)
    },
  }
}
