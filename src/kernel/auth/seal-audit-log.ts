// Chains the rows that were committed since the last run, tenant by tenant, in the order of their
// ids. A transaction that commits late with an earlier id gets a later number: the chain has the
// order of sealing, the column `at` the time of the change.
//
// The lock on the chain's end makes a second sealer of the same tenant wait; it then reads what the
// first one left. The end is also written to the log, so that a rewritten database can be compared
// with logs stored elsewhere.
import { assert, assertDefined } from '../basics/assert.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { actHash, firstPreviousHash } from './audit-log.ts'
import {
  insertChain,
  listUnsealedActs,
  listUnsealedTenants,
  lockChain,
  type Seal,
  updateChain,
  updateSealed,
} from './audit-log-store.ts'

// Bounds one transaction, and so how long a chain's end stays locked.
const batchMax = 500
const tenantsMax = 100

export const sealAuditLogSchedule = defineSchedule({
  name: 'seal-audit-log',
  everySeconds: 10,
  run: async (context: Context, signal) => {
    await sealAuditLog(context, signal)
  },
})

// Seals committed rows and returns how many. Stops between two transactions when `signal` aborts.
export async function sealAuditLog(context: Context, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (;;) {
    const tenants = await listUnsealedTenants(context.database.sql, tenantsMax)
    for (const tenant of tenants) {
      let sealed: number
      do {
        if (signal?.aborted) return count
        sealed = await sealBatch(context, tenant)
        count += sealed
      } while (sealed === batchMax)
    }
    if (tenants.length < tenantsMax) return count
  }
}

async function sealBatch(context: Context, tenant: Tenant): Promise<number> {
  const result = await context.database.transaction((tx) => seal(tx, tenant))
  if (result.end) {
    const { sequence, hash } = result.end
    context.log.info(
      {
        businessId: tenant.businessId,
        environment: tenant.environment,
        sequence: String(sequence),
        hash: Buffer.from(hash).toString('hex'),
      },
      'sealed the audit log',
    )
  }
  return result.count
}

type SealedBatch = { count: number; end: { sequence: bigint; hash: Uint8Array } | null }

async function seal(tx: Tx, tenant: Tenant): Promise<SealedBatch> {
  await insertChain(tx, tenant, firstPreviousHash)
  const chain = assertDefined(await lockChain(tx, tenant), 'the end of the chain was just made')
  const acts = await listUnsealedActs(tx, tenant, batchMax)
  const seals: Seal[] = []
  let { sequence } = chain
  let hash = chain.hash
  for (const act of acts) {
    sequence += 1n
    hash = actHash(hash, act, sequence)
    seals.push({ id: act.id, sequence, hash })
  }
  if (seals.length === 0) return { count: 0, end: null }
  const updated = await updateSealed(tx, tenant, chain.hash, seals)
  assert(updated === seals.length, 'a row of the audit log was sealed by another sealer')
  await updateChain(tx, tenant, { sequence, hash })
  return { count: seals.length, end: { sequence, hash } }
}
