// The environment of the ledger tests: a business, and short ways to move its money.
import { randomUUID } from 'node:crypto'
import type { Ids } from '../../../src/kernel/basics/id.ts'
import { systemIds } from '../../../src/kernel/basics/id.ts'
import type { Environment, Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Database, Tx } from '../../../src/kernel/db/database.ts'
import { ledgerInvariants } from '../../../src/kernel/ledger/invariants.ts'
import { post } from '../../../src/kernel/ledger/ledger.ts'
import { posting } from '../../../src/kernel/ledger/posting.ts'
import { manualClock } from '../../support/clock.ts'
import type { TestDatabase } from '../../support/database.ts'

export const available = { account: 'owner:available', currency: 'USD' }
export const clearing = { account: 'provider:clearing', currency: 'USD' }

export const clock = manualClock()
export const ids: Ids = systemIds(clock)

export async function newTenant(
  database: Database,
  environment: Environment = 'live',
): Promise<Tenant> {
  const businessId = randomUUID()
  await database.sql`
    insert into kernel.businesses (id, name, is_demo, created_at)
    values (${businessId}, 'Test', false, ${clock.now()})`
  return { businessId, environment }
}

export function credit(tx: Tx, tenant: Tenant, amountMinor: bigint): Promise<string> {
  const lines = [
    { ...clearing, amountMinor },
    { ...available, amountMinor: -amountMinor },
  ]
  return post(tx, { ids, clock }, tenant, posting({ kind: 'test.credit', lines }))
}

export function debit(tx: Tx, tenant: Tenant, amountMinor: bigint): Promise<string> {
  const lines = [
    { ...available, amountMinor },
    { ...clearing, amountMinor: -amountMinor },
  ]
  return post(tx, { ids, clock }, tenant, posting({ kind: 'test.debit', lines }))
}

export async function brokenInvariants(database: Database): Promise<Record<string, unknown>> {
  const broken: Record<string, unknown> = {}
  for (const invariant of ledgerInvariants) {
    const violations = await invariant.violations(database.sql, new Date())
    if (violations.length > 0) broken[invariant.id] = violations
  }
  return broken
}

// Runs SQL by hand with every trigger and foreign key off, as a damaged disk or a careless
// operator would.
export async function corrupt(database: TestDatabase, work: (tx: Tx) => Promise<unknown>) {
  await database.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await work(tx)
  })
}

// Waits for a fact, not for a time: that many sessions of this database wait for a lock.
export async function sessionsWaiting(database: Database, count: number): Promise<void> {
  for (;;) {
    const [row] = await database.sql<{ waiting: number }[]>`
      select count(*)::integer as waiting
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'`
    if (row && row.waiting >= count) return
  }
}

export function deferred(): { promise: Promise<void>; resolve(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, resolve }
}
