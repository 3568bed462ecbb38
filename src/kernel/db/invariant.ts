// A statement about all data, of all tenants, that must hold at every moment: one query that lists
// what breaks it. `cli verify` runs them in production, the tests after every step, so a query
// must be one statement (one snapshot) and must not lock.
import type { Sql } from './database.ts'

export type Violation = Readonly<Record<string, unknown>>

export type Invariant = {
  readonly id: string
  readonly title: string
  violations(sql: Sql): Promise<readonly Violation[]>
}

// Enough to see the pattern of a fault; a broken ledger must not flood whoever looks at it.
export const violationsMax = 100
