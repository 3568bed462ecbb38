// Recomputes every chain of the audit log. A changed row no longer matches its hash; a removed one
// leaves a gap; a moved one does not follow its predecessor; and rows cut off at the end are
// missing before the chain's recorded end. It can run while rows are being sealed: the end is read
// before the rows (they must reach it) and again after them (they must not go beyond it).
//
// An unsealed row can be changed unnoticed, so one that waits too long is reported too: the sealer
// has stopped.

import { addSeconds } from '../basics/clock.ts'
import type { Sql } from '../db/database.ts'
import type { Invariant } from '../db/invariant.ts'
import { actHash, firstPreviousHash } from './audit-log.ts'
import {
  type Chain,
  findChain,
  listChains,
  listSealedActs,
  listTenantsWithoutChain,
  listUnsealedBefore,
} from './audit-log-store.ts'

export const verifyAuditLog: Invariant = {
  id: 'audit-log',
  title: 'the audit log is sealed, and no row was changed, removed or moved since',
  violations: findViolations,
}

type Violation = {
  businessId: string
  environment: string
  sequence?: string
  id?: string
  problem: string
}

// Rows are read in batches and the report is bounded, so memory does not grow with the log.
const batchMax = 1000
const chainsMax = 100
const violationsMax = 100
// The sealer runs every ten seconds.
const unsealedSecondsMax = 60 * 60

async function findViolations(sql: Sql, now: Date): Promise<readonly Violation[]> {
  const found: Violation[] = []
  for (const tenant of await listTenantsWithoutChain(sql, violationsMax)) {
    found.push({ ...tenant, problem: 'the recorded end of the chain is missing' })
  }
  const sealedBefore = addSeconds(now, -unsealedSecondsMax)
  for (const { at, ...act } of await listUnsealedBefore(sql, sealedBefore, violationsMax)) {
    found.push({ ...act, problem: `the row of ${at.toISOString()} is still not sealed` })
  }
  let after: Chain | null = null
  for (;;) {
    const chains: Chain[] = await listChains(sql, after, chainsMax)
    for (const chain of chains) {
      await verifyChain(sql, chain, found)
      if (found.length >= violationsMax) return found.slice(0, violationsMax)
      after = chain
    }
    if (chains.length < chainsMax) return found
  }
}

async function verifyChain(sql: Sql, end: Chain, found: Violation[]): Promise<void> {
  const { businessId, environment } = end
  let sequence = 0n
  let hash: Uint8Array = firstPreviousHash
  function report(problem: string, row: { sequence: bigint; id?: string }): void {
    found.push({ businessId, environment, ...row, sequence: String(row.sequence), problem })
  }
  for (;;) {
    const acts = await listSealedActs(sql, end, sequence, batchMax)
    for (const act of acts) {
      if (act.sequence !== sequence + 1n) {
        report('rows before this one were removed', act)
      } else if (!equal(act.previousHash, hash)) {
        report('the row does not follow the one before it', act)
      }
      if (!equal(actHash(act.previousHash, act, act.sequence), act.hash)) {
        report('the row does not match its hash', act)
      }
      if (act.sequence === end.sequence && !equal(act.hash, end.hash)) {
        report('the row is not the one that the chain ended with', act)
      }
      if (found.length >= violationsMax) return
      // The stored hash counts as the predecessor, so that one change is not reported twice.
      sequence = act.sequence
      hash = act.hash
    }
    if (acts.length < batchMax) break
  }
  if (sequence < end.sequence) report('the last rows were removed', end)
  const laterEnd = await findChain(sql, end)
  if (!laterEnd || laterEnd.sequence < sequence) {
    report('the chain continues after its recorded end', { sequence })
  }
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0
}
