// A job is work that is queued in the transaction that wants it and done soon after, by whichever
// process has room. It runs at least once: a worker can die after the effect and before the
// outcome is recorded, so `run` must find out what is already done and do the rest.
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

// `run` stops when `signal` aborts: the process is ending or the lease was lost, and another
// worker takes the job over.
type JobSettings<C extends Context, Payload> = {
  readonly kind: string
  // Payloads are checked when queued and again when run (a newer version may have queued them).
  // What is stored is the input, so the schema must not transform.
  readonly schema?: z.ZodType<Payload>
  readonly attemptsMax: number
  // The wait after the first failure, the second, and so on; the last one repeats.
  readonly retryDelaysSeconds: readonly number[]
  // How long a dead worker goes unnoticed. A live one renews, so `run` may take longer.
  readonly leaseSeconds: number
  // How many run at once in a process, beside what the slots of all others hold. For work that may
  // come in floods and is no hurry: it keeps nothing else waiting then.
  readonly ownSlots?: number
  readonly run: (context: C, job: JobRun<Payload>, signal: AbortSignal) => Promise<void>
}

// The payload's type stands only where a payload is handed in. That makes every job assignable
// to `Job<C, never>`, which is what a worker holds: it runs jobs, it never queues them.
export type Job<C extends Context, Payload> = {
  readonly kind: string
  readonly attemptsMax: number
  readonly retryDelaysSeconds: readonly number[]
  readonly leaseSeconds: number
  readonly ownSlots?: number | undefined
  readonly assertPayload: (payload: Payload) => void
  // Throws `PoisonError` when the stored payload is not one that this job understands.
  readonly prepare: (job: JobRun<unknown>) => PreparedRun<C>
}

export type PreparedRun<C extends Context> = (context: C, signal: AbortSignal) => Promise<void>

// No later attempt can succeed, so none is made.
export class PoisonError extends Error {
  override readonly name = 'PoisonError'
}

const acceptAll = (payload: unknown) => ({ payload, problem: null })

export function defineJob<C extends Context, Payload>(
  settings: JobSettings<C, Payload>,
): Job<C, Payload> {
  const { kind, schema, attemptsMax, retryDelaysSeconds, leaseSeconds, ownSlots, run } = settings
  assert(Number.isInteger(attemptsMax) && attemptsMax >= 1, `${kind}: attemptsMax is below 1`)
  assert(attemptsMax === 1 || retryDelaysSeconds.length > 0, `${kind}: no retry delays`)
  assert(leaseSeconds >= leaseSecondsMin, `${kind}: the lease is shorter than a renewal may take`)
  assert(ownSlots === undefined || ownSlots >= 1, `${kind}: no slot of its own`)
  const read = schema ? readWith(schema) : acceptAll
  return {
    kind,
    attemptsMax,
    retryDelaysSeconds,
    leaseSeconds,
    ownSlots,
    assertPayload(payload) {
      const { problem } = read(payload)
      assert(problem === null, `the payload of ${kind} does not fit its schema: ${problem}`)
    },
    prepare(job) {
      const { payload, problem } = read(job.payload)
      if (problem !== null) throw new PoisonError(`the payload does not fit: ${problem}`)
      // Without a schema the payload's type is what the definition says it is.
      return (context, signal) => run(context, { ...job, payload: payload as Payload }, signal)
    },
  }
}

// Leases are compared by the clocks of several machines; below this, a small difference between
// them would take a job from a healthy worker.
const leaseSecondsMin = 5

// Claims happen within one shard, so this bounds how many workers can claim at the same instant
// without skipping each other's rows. Raising it later is safe: workers look for due shards in the
// rows and not in this range.
const shardCount = 16

// The end of a UUIDv7 is random, its beginning is the time; jobs without a tenant share shard 0.
export function shardOf(tenant: Tenant | null): number {
  return tenant ? Number.parseInt(tenant.businessId.slice(-4), 16) % shardCount : 0
}

// When to try again after `attempts` attempts; null when that was the last.
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
    // Paths and rules only: the values themselves may be private.
    const problem = parsed.error.issues
      .map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.code}`)
      .join(', ')
    return { payload: null, problem }
  }
}
