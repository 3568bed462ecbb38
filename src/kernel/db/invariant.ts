// A statement about all data, of all tenants, that must hold at every moment, and how to list what
// breaks it. `cli verify` runs them in production and tests after what they did, while others
// write: so each is one statement (one snapshot) that takes no lock, or, where one statement cannot
// do it (the hashes of the audit log), says why it may read in several.
import type { Sql } from './database.ts'

export type Violation = Readonly<Record<string, unknown>>

export type Invariant = {
  readonly id: string
  readonly title: string
  violations(sql: Sql, now: Date): Promise<readonly Violation[]>
}

// Enough to see the pattern of a fault; a broken ledger must not flood whoever looks at it.
export const violationsMax = 100
