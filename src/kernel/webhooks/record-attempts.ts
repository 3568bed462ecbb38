// Records outcomes in batches: while one transaction is under way the next ones gather. Each one is
// recorded only while its claim holds; what cannot be recorded is sent again when its lease has run
// out, under the same number.
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { errorFields } from '../jobs/error-text.ts'
import { recordOutcome } from '../jobs/task.ts'
import {
  type HeldClaim,
  insertFurtherAttempts,
  insertLastAttempts,
  type Recorded,
  updateDeliveries,
  updateFailuresInRow,
} from './attempt-store.ts'
import type { WebhookProfile } from './profile.ts'

// Whether it was recorded.
export type Recorder = { record(outcome: Recorded): Promise<boolean> }

const batchMax = 200
// Recording few at a time costs more than to wait for others.
const gatherMs = 10

export function createRecorder(
  context: Context,
  profileOf: (service: string) => WebhookProfile,
): Recorder {
  const waiting: { outcome: Recorded; done: (isRecorded: boolean) => void }[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    try {
      while (waiting.length > 0) {
        if (waiting.length < batchMax) await pause(gatherMs)
        const batch = waiting.splice(0, batchMax)
        const outcomes = batch.map(({ outcome }) => outcome)
        const held = new Set(await recordAll(context, profileOf, outcomes))
        for (const { outcome, done } of batch) done(held.has(outcome))
      }
    } finally {
      isWriting = false
    }
  }

  return {
    record(outcome) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiting.push({ outcome, done: resolve })
      if (!isWriting) void writeAll()
      return promise
    },
  }
}

// The outcomes of many tenants are recorded together. What the database refuses of one of them is
// no reason to lose the others, which would be sent again. Answers those that were recorded.
async function recordAll(
  context: Context,
  profileOf: (service: string) => WebhookProfile,
  outcomes: readonly Recorded[],
): Promise<Recorded[]> {
  let held: Recorded[] = []
  let refusal: unknown
  const [first] = outcomes
  const named = outcomes.length === 1 && { deliveryId: first?.claimed.deliveryId }
  const fields = { deliveries: outcomes.length, ...named }
  await recordOutcome(context.log, fields, async () => {
    try {
      held = await recordOutcomes(context, profileOf, outcomes)
    } catch (error) {
      if (outcomes.length === 1 || isDatabaseUnavailable(error)) throw error
      refusal = error
      return true
    }
    return held.length === outcomes.length
  })
  if (refusal === undefined) return held
  context.log.warn({ ...fields, ...errorFields(refusal) }, 'recording singly')
  for (const outcome of outcomes) held.push(...(await recordAll(context, profileOf, [outcome])))
  return held
}

// Answers those whose claims held.
export async function recordOutcomes(
  context: Context,
  profileOf: (service: string) => WebhookProfile,
  outcomes: readonly Recorded[],
): Promise<Recorded[]> {
  const { database } = context
  const isPlain = outcomes.every((outcome) => hasPlainlyArrived(outcome, profileOf))
  const arrived = isPlain ? await insertLastAttempts(database.sql, outcomes) : []
  const others = arrived.length === outcomes.length ? [] : without(outcomes, arrived)
  const lost = new Set(others)
  if (others.length > 0) {
    const held = await database.transaction((tx) => write(tx, context, profileOf, others))
    for (const outcome of held) lost.delete(outcome)
  }
  context.failpoint('webhook.recorded')
  return lost.size === 0 ? [...outcomes] : outcomes.filter((outcome) => !lost.has(outcome))
}

// Nothing follows from it, so one statement says it all.
function hasPlainlyArrived(
  { claimed, attempt }: Recorded,
  profileOf: (service: string) => WebhookProfile,
): boolean {
  const isCounted = profileOf(claimed.addressee.service).failuresInRowMax !== null
  return attempt?.error === null && claimed.stoppedAs === null && !isCounted
}

async function write(
  tx: Tx,
  context: Context,
  profileOf: (service: string) => WebhookProfile,
  outcomes: readonly Recorded[],
): Promise<Recorded[]> {
  const ended = await insertLastAttempts(tx, outcomes)
  // A row that was changed while the statement waited for it is there for the next one only.
  const late = without(outcomes, ended).filter(({ scheduledAt }) => scheduledAt === null)
  if (late.length > 0) ended.push(...(await insertLastAttempts(tx, late)))
  const planned = await insertFurtherAttempts(tx, without(outcomes, ended))
  const lost = new Set(without(outcomes, [...ended, ...planned]))
  const held = outcomes.filter((outcome) => !lost.has(outcome))
  await updateDeliveries(tx, held)
  for (const tally of talliesOf(held, profileOf)) {
    const isOff = await updateFailuresInRow(tx, tally.claimed, {
      ...tally,
      now: context.clock.now(),
    })
    if (isOff) {
      const { endpointId: id, addressee } = tally.claimed
      const { service, url } = addressee
      context.log.warn({ endpointId: id }, 'a webhook endpoint was switched off')
      await profileOf(service).onSwitchedOff?.(tx, context, tally.claimed, { id, url })
    }
  }
  context.failpoint('webhook.recording')
  return held
}

function without(outcomes: readonly Recorded[], claims: readonly HeldClaim[]): Recorded[] {
  const keys = new Set(claims.map(keyOf))
  return outcomes.filter(({ claimed }) => !keys.has(keyOf(claimed)))
}

function keyOf({ claimId, deliveryId }: HeldClaim): string {
  return `${claimId} ${deliveryId}`
}

type Tally = { claimed: Recorded['claimed']; isBroken: boolean; failures: number; max: number }

// By endpoint, of those that can be switched off.
function talliesOf(
  outcomes: readonly Recorded[],
  profileOf: (service: string) => WebhookProfile,
): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const { claimed, attempt } of outcomes) {
    const max = profileOf(claimed.addressee.service).failuresInRowMax
    if (attempt === null || max === null) continue
    const tally = tallies.get(claimed.endpointId) ?? { claimed, isBroken: false, failures: 0, max }
    tallies.set(
      claimed.endpointId,
      attempt.error === null
        ? { ...tally, isBroken: true, failures: 0 }
        : { ...tally, failures: tally.failures + 1 },
    )
  }
  return [...tallies.values()].toSorted((one, other) =>
    one.claimed.endpointId < other.claimed.endpointId ? -1 : 1,
  )
}
