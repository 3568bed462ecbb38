// The health of the parts, as `/readyz` and the landing page show it.
import type { Context } from '../db/context.ts'
import { isDatabaseReachable } from '../db/health-store.ts'

export type PartHealth = 'up' | 'down' | 'stopping'

export type Health = {
  check(): Promise<{ ready: boolean; parts: Record<string, PartHealth> }>
  setReady(ready: boolean): void
}

// A database that takes longer than this to say anything is as good as gone for a caller.
const databaseTimeoutMs = 2_000

export function createHealth(context: Context): Health {
  let accepting = false
  return {
    setReady(ready) {
      accepting = ready
    },
    async check() {
      const reachable = await isDatabaseReachable(context.database.sql, databaseTimeoutMs)
      const parts: Record<string, PartHealth> = {
        api: accepting ? 'up' : 'stopping',
        database: reachable ? 'up' : 'down',
      }
      return { ready: accepting && reachable, parts }
    },
  }
}
