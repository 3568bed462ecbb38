// Checks all invariants after a test.
import { expect } from 'vitest'
import { invariants } from '../../src/app/invariants.ts'
import { sealAuditLog } from '../../src/kernel/auth/seal-audit-log.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { isCluster } from './cluster.ts'
import type { TestDatabase } from './database.ts'

export async function expectInvariants(database: TestDatabase): Promise<void> {
  await seal(database)
  for (const { id, title, violations } of await checkInvariants(database, systemClock.now())) {
    expect(violations, `${id}: ${title}`).toEqual([])
  }
}

export async function brokenInvariants(database: TestDatabase): Promise<string[]> {
  await seal(database)
  const checked = await checkInvariants(database, systemClock.now())
  return checked.filter(({ violations }) => violations.length > 0).map(({ id }) => id)
}

// All of them are sent at once over one connection, and planned once for it: most of the time would
// go into planning, and into waiting for each answer before the next question.
export async function checkInvariants({ observer }: TestDatabase, now: Date) {
  // Citus needs the values to find the server, and a generic plan has none.
  if (!isCluster()) await observer`set plan_cache_mode = force_generic_plan`
  return Promise.all(
    invariants.map(async ({ id, title, violations }) => ({
      id,
      title,
      violations: await violations(observer, now),
    })),
  )
}

// The worker does it every few seconds; a test's clock may stand far in the past.
async function seal(database: Database): Promise<void> {
  const ids = systemIds(systemClock)
  const log = createLog('silent')
  await sealAuditLog({ database, clock: systemClock, ids, log, failpoint: createFailpoint() })
}
