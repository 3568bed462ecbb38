// Keeps the tails short, so that a balance is the sum of a few rows. Correctness does not depend on
// it: a tail that is never folded makes balances slow, not wrong.
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import { listTenantsWithLongTails, updateCheckpoints } from './checkpoint-store.ts'

// Summing this many rows costs less than a fold, so shorter tails are left.
const tailLengthMin = 100
const tenantsPerRunMax = 500
// A fold locks the checkpoints that it changes. A few thousand rows take some tens of milliseconds,
// which a debit can wait.
const linesPerFoldMax = 5000
// A tenant that posts faster than it is folded must not keep the others waiting.
const foldsPerTenantMax = 20

// Returns how many lines were folded. Each fold is independent, so this can stop after any of them.
export async function foldLedgers(
  context: Pick<Context, 'database'>,
  signal?: AbortSignal,
): Promise<number> {
  const tenants = await listTenantsWithLongTails(
    context.database.sql,
    tailLengthMin,
    tenantsPerRunMax,
  )
  let foldedLines = 0
  for (const tenant of tenants) foldedLines += await foldLedger(context, tenant, signal)
  return foldedLines
}

export async function foldLedger(
  context: Pick<Context, 'database'>,
  tenant: Tenant,
  signal?: AbortSignal,
): Promise<number> {
  let foldedLines = 0
  for (let fold = 1; fold <= foldsPerTenantMax && !signal?.aborted; fold += 1) {
    const lines = await context.database.transaction((tx) =>
      updateCheckpoints(tx, tenant, linesPerFoldMax),
    )
    foldedLines += lines
    if (lines < linesPerFoldMax) break
  }
  return foldedLines
}
