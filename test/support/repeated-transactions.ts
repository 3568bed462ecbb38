import { expect } from 'vitest'
import type { Database } from '../../src/kernel/db/database.ts'

// Every transaction is rolled back at its end, as a deadlock does, and run again.
export function withRepeatedTransactions(database: Database): Database {
  return {
    ...database,
    async transaction(work) {
      const rolledBack = new Error('deadlock')
      const first = database.transaction(async (tx) => {
        await work(tx)
        throw rolledBack
      })
      await expect(first).rejects.toBe(rolledBack)
      return database.transaction(work)
    },
  }
}
