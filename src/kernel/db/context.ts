// What nearly everything needs; built once in `main.ts` (and by tests) and passed down.
import type { Clock } from '../basics/clock.ts'
import type { Failpoint } from '../basics/failpoint.ts'
import type { Ids } from '../basics/id.ts'
import type { Log } from '../basics/log.ts'
import type { Database } from './database.ts'

export type Context = {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly database: Database
  // Where a test of crashes may end the process; does nothing otherwise.
  readonly failpoint: Failpoint
  // Called for every event that is about to be committed, so that it is sent sooner.
  readonly onPublished?: () => void
  // Called for every row of the audit log.
  readonly onAct?: () => void
  // Set by tests: a writing operation that records no act fails.
  readonly verifiesCalls?: boolean
}
