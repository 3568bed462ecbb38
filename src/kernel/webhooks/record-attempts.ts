// Records results in batches: while one transaction is under way, the next results are collected. A
// result that can't be recorded is lost: its delivery is sent again when its lease has expired,
// with the same number.
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { errorFields } from '../jobs/error-text.ts'
import { recordOutcome } from '../jobs/task.ts'
import {
  deleteFromQueue,
  insertAttempts,
  type Result,
  updateFailuresInRow,
  updateInQueue,
  updateStopped,
} from './attempt-store.ts'
import type { Claimed } from './claim-store.ts'
import type { WebhookProfile } from './profile.ts'

// Returns whether it was recorded.
export type Recorder = (result: Result) => Promise<boolean>

type ProfileOf = (service: string) => WebhookProfile

const batchMax = 200

export function createRecorder(context: Context, profileOf: ProfileOf): Recorder {
  const waiting: { result: Result; done: (isRecorded: boolean) => void }[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    try {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, batchMax)
        const results = batch.map(({ result }) => result)
        const recorded = await recordBatch(context, profileOf, results)
        for (const { result, done } of batch) done(recorded.has(result))
      }
    } finally {
      isWriting = false
    }
  }

  return (result) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiting.push({ result, done: resolve })
    if (!isWriting) void writeAll()
    return promise
  }
}

// A batch contains results of many tenants. If the database refuses one of them, the results are
// recorded one by one.
async function recordBatch(
  context: Context,
  profileOf: ProfileOf,
  results: readonly Result[],
): Promise<ReadonlySet<Result>> {
  const [first, ...others] = results
  const fields = {
    deliveries: results.length,
    ...(others.length === 0 && { deliveryId: first?.claimed.deliveryId }),
  }
  let recorded = new Set<Result>()
  let refusal: unknown
  await recordOutcome(context.log, fields, async () => {
    try {
      recorded = new Set(await recordResults(context, profileOf, results))
      return recorded.size === results.length
    } catch (error) {
      if (others.length === 0 || isDatabaseUnavailable(error)) throw error
      refusal = error
      return true
    }
  })
  if (refusal === undefined) return recorded
  context.log.warn({ ...fields, ...errorFields(refusal) }, 'recording one by one')
  for (const result of results) {
    for (const one of await recordBatch(context, profileOf, [result])) recorded.add(one)
  }
  return recorded
}

// Returns those whose claims held.
export async function recordResults(
  context: Context,
  profileOf: ProfileOf,
  results: readonly Result[],
): Promise<Result[]> {
  const recorded = await context.database.transaction(async (tx) => {
    const held = await updateQueue(tx, results)
    await insertAttempts(tx, held)
    await updateStopped(tx, held)
    await countFailures(tx, context, profileOf, held)
    context.failpoint('webhook.recording')
    return held
  })
  context.failpoint('webhook.recorded')
  return recorded
}

async function updateQueue(tx: Tx, results: readonly Result[]): Promise<Result[]> {
  const claims = [
    ...(await deleteFromQueue(
      tx,
      results.filter(({ queue }) => queue === null),
    )),
    ...(await updateInQueue(
      tx,
      results.filter(({ queue }) => queue !== null),
    )),
  ]
  // By claim and delivery: two claims of one delivery can be in the same batch.
  const held = new Set(claims.map(({ claimId, deliveryId }) => `${claimId} ${deliveryId}`))
  return results.filter(({ claimed }) => held.has(`${claimed.claimId} ${claimed.deliveryId}`))
}

// Switches endpoints off after too many failures in a row. In the order of their ids, so that two
// workers don't deadlock.
async function countFailures(
  tx: Tx,
  context: Context,
  profileOf: ProfileOf,
  results: readonly Result[],
): Promise<void> {
  const now = context.clock.now()
  for (const { claimed, ...count } of failuresByEndpoint(results, profileOf)) {
    if (!(await updateFailuresInRow(tx, claimed, { ...count, now }))) continue
    const { endpointId: id, service, url } = claimed
    context.log.warn({ endpointId: id }, 'a webhook endpoint was switched off')
    await profileOf(service).onSwitchedOff?.(tx, context, claimed, { id, url })
  }
}

type Failures = { claimed: Claimed; hasSuccess: boolean; failures: number; max: number }

function failuresByEndpoint(results: readonly Result[], profileOf: ProfileOf): Failures[] {
  const counts = new Map<string, Failures>()
  for (const { claimed, attempt } of results) {
    const max = profileOf(claimed.service).failuresInRowMax
    if (attempt === null || max === null) continue
    const { endpointId } = claimed
    const before = counts.get(endpointId) ?? { claimed, hasSuccess: false, failures: 0, max }
    counts.set(
      endpointId,
      attempt.error === null
        ? { ...before, hasSuccess: true, failures: 0 }
        : { ...before, failures: before.failures + 1 },
    )
  }
  return [...counts.values()].toSorted((one, other) =>
    one.claimed.endpointId < other.claimed.endpointId ? -1 : 1,
  )
}
