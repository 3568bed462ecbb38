// A job is work that a transaction queues and a process with a free slot does soon after. It runs
// at least once: a worker can die after the effect and before the outcome is recorded, so `run`
// must find out what is already done and do the rest.
import type { z } from 'zod'
import { assert } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'

export type JobRun<Payload> = {
  readonly id: string
  // 1 for the first attempt.
  readonly attempt: number
  // Null for a job of the whole installation.
  readonly tenant: Tenant | null
  readonly payload: Payload
}

// `run` must stop when `signal` aborts: the process is ending or the lease was lost, and another
// worker takes the job over.
type JobSettings<C extends Context, Payload> = {
  readonly kind: string
  // Payloads are checked when queued and again when run, because another version may have queued
  // them. The input is stored, so the schema must not transform it.
  readonly schema?: z.ZodType<Payload>
  readonly attemptsMax: number
  // The delay after the first failure, the second, and so on. The last one repeats.
  readonly retryDelaysSeconds: readonly number[]
  // How long it takes to notice a dead worker. A live one renews its lease, so `run` can take
  // longer.
  readonly leaseSeconds: number
  // How many run at once in a process, in addition to the slots of all others. For work that comes
  // in floods and is not urgent, so that it delays nothing else.
  readonly ownSlots?: number
  // Something else looks as well, or the cause can go: without its cause, the job ends quietly.
  readonly endsWithoutCause?: boolean
  readonly run: (context: C, job: JobRun<Payload>, signal: AbortSignal) => Promise<void>
}

// Payload appears only in parameters. So every job is assignable to `Job<C, never>`, which is what
// a worker holds: it runs jobs and never queues them.
export type Job<C extends Context, Payload> = {
  readonly kind: string
  readonly attemptsMax: number
  readonly retryDelaysSeconds: readonly number[]
  readonly leaseSeconds: number
  readonly ownSlots?: number | undefined
  readonly endsWithoutCause: boolean
  readonly assertPayload: (payload: Payload) => void
  // Throws `PoisonError` if this job does not understand the stored payload.
  readonly prepare: (job: JobRun<unknown>) => PreparedRun<C>
}

export type PreparedRun<C extends Context> = (context: C, signal: AbortSignal) => Promise<void>

// No attempt can succeed, so there are no retries.
export class PoisonError extends Error {
  override readonly name = 'PoisonError'
}

// What the job is about is not there yet. On a distributed database, a commit reaches one server
// before the other, so a job can be seen before the rest of its transaction. It waits, and that
// counts as no attempt.
export class CauseMissing extends Error {
  override readonly name = 'CauseMissing'
}

// The servers agree within a minute, also after the commit was interrupted, if they are up.
export const causeWaitSeconds = 15 * 60
export const causeDelaySeconds = 3

const acceptAll = (payload: unknown) => ({ payload, problem: null })

export function defineJob<C extends Context, Payload>(
  settings: JobSettings<C, Payload>,
): Job<C, Payload> {
  const { kind, schema, attemptsMax, retryDelaysSeconds, leaseSeconds, ownSlots, run } = settings
  const { endsWithoutCause = false } = settings
  assert(Number.isInteger(attemptsMax) && attemptsMax >= 1, `${kind}: attemptsMax is below 1`)
  assert(attemptsMax === 1 || retryDelaysSeconds.length > 0, `${kind}: no retry delays`)
  assert(leaseSeconds >= leaseSecondsMin, `${kind}: the lease is shorter than a renewal may take`)
  assert(ownSlots === undefined || ownSlots >= 1, `${kind}: ownSlots is below 1`)
  const read = schema ? readWith(schema) : acceptAll
  return {
    kind,
    attemptsMax,
    retryDelaysSeconds,
    leaseSeconds,
    ownSlots,
    endsWithoutCause,
    assertPayload(payload) {
      const { problem } = read(payload)
      assert(problem === null, `the payload of ${kind} does not fit its schema: ${problem}`)
    },
    prepare(job) {
      const { payload, problem } = read(job.payload)
      if (problem !== null) throw new PoisonError(`the payload does not fit: ${problem}`)
      // Without a schema, the definition decides the payload's type.
      return (context, signal) => run(context, { ...job, payload: payload as Payload }, signal)
    },
  }
}

// Leases are compared with the clocks of several machines. With a shorter lease, a small difference
// between clocks would take a job from a healthy worker.
const leaseSecondsMin = 5

// Claims happen within one shard, so this bounds how many workers can claim at the same time
// without skipping each other's rows. It can be raised later: workers look for due shards in the
// rows, not in this range.
const shardCount = 16

// A UUIDv7 starts with the time and ends with random digits. Jobs without a tenant share shard 0.
export function shardOf(tenant: Tenant | null): number {
  return tenant ? Number.parseInt(tenant.businessId.slice(-4), 16) % shardCount : 0
}

// When to retry after `attempts` attempts; null after the last one.
export function retryAt(
  job: Pick<Job<Context, never>, 'attemptsMax' | 'retryDelaysSeconds'>,
  attempts: number,
  now: Date,
): Date | null {
  if (attempts >= job.attemptsMax) return null
  const delays = job.retryDelaysSeconds
  return addSeconds(now, delays[Math.min(attempts, delays.length) - 1] ?? 0)
}

function readWith<Payload>(schema: z.ZodType<Payload>) {
  return (payload: unknown) => {
    const parsed = schema.safeParse(payload)
    if (parsed.success) return { payload: parsed.data, problem: null }
    // Paths and rules only, because the values may be private.
    const problem = parsed.error.issues
      .map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.code}`)
      .join(', ')
    return { payload: null, problem }
  }
}
