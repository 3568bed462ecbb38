// The dependencies of nearly all code, built once in `main.ts` (and by tests) and passed down.
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
  // Crash tests can kill the process here. Otherwise it does nothing.
  readonly failpoint: Failpoint
  // Called for every event just before it is committed, so that it is sent sooner.
  readonly onPublished?: () => void
  // Called for every row of the audit log.
  readonly onAct?: () => void
  // Set while sample data is made in the past (start/sample): jobs wait until then, no mail is sent
  // and no webhook is delivered.
  readonly sample?: { readonly jobsFrom: Date }
  // Set by imports: events are recorded, and not delivered.
  readonly keepsEventsBack?: boolean
  // Set by tests: an operation that writes must record an audit row.
  readonly verifiesCalls?: boolean
}
