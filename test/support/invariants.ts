// Everything that must hold, after whatever a test did.
import { expect } from 'vitest'
import { invariants } from '../../src/invariants.ts'
import { sealAuditLog } from '../../src/kernel/auth/seal-audit-log.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import type { Database } from '../../src/kernel/db/database.ts'

export async function expectInvariants(database: Database): Promise<void> {
  await seal(database)
  for (const { id, title, violations } of invariants) {
    expect(await violations(database.sql, systemClock.now()), `${id}: ${title}`).toEqual([])
  }
}

export async function brokenInvariants(database: Database): Promise<string[]> {
  await seal(database)
  const found: string[] = []
  for (const { id, violations } of invariants) {
    if ((await violations(database.sql, systemClock.now())).length > 0) found.push(id)
  }
  return found
}

// The worker does it every few seconds; a test's clock may stand far in the past.
async function seal(database: Database): Promise<void> {
  const ids = systemIds(systemClock)
  const log = createLog('silent')
  await sealAuditLog({ database, clock: systemClock, ids, log, failpoint: createFailpoint() })
}
