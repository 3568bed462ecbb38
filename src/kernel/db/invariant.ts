// A rule that the data of all tenants must satisfy at any time, and a query for its violations.
// `cli verify` runs the invariants in production, and tests run them after each step, while others
// write. So each is one statement (one snapshot) without locks. An invariant that needs several
// statements, such as the hashes of the audit log, says why that is safe.
import type { Sql } from './database.ts'

export type Violation = Readonly<Record<string, unknown>>

export type Invariant = {
  readonly id: string
  readonly title: string
  violations(sql: Sql, now: Date): Promise<readonly Violation[]>
}

// Enough to see a pattern. A broken ledger must not flood the output.
export const violationsMax = 100
