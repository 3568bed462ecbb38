// Runs one claimed job and records the outcome: deleted after success, due later after a failure,
// dead if no attempt is left or the payload is not understood. Without an attempt, it is released
// if the process is ending, and due later if its cause is not there yet.
import { unreachable } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { errorFields, errorText } from './error-text.ts'
import {
  CauseMissing,
  causeDelaySeconds,
  causeWaitSeconds,
  type Job,
  type JobRun,
  PoisonError,
  type PreparedRun,
  retryAt,
} from './job.ts'
import {
  type ClaimedJob,
  deleteJob,
  updateJobLease,
  updateJobToDead,
  updateJobToReleased,
  updateJobToRetry,
  updateJobToWaiting,
} from './job-store.ts'
import { holdLease, type Lease } from './lease.ts'
import { recordOutcome, type Task } from './task.ts'

type Outcome =
  | { status: 'completed' }
  | { status: 'retry'; runAt: Date; error: string }
  | { status: 'waiting'; runAt: Date }
  | { status: 'dead'; error: string }
  | { status: 'released' }
  // Another worker holds the job now, so this worker records nothing.
  | { status: 'lost' }

export function startJob<C extends Context>(
  context: C,
  job: Job<C, never>,
  claim: ClaimedJob,
  heartbeatMsMax: number,
): Task {
  const { sql } = context.database
  const lease = holdLease(context, {
    leaseSeconds: job.leaseSeconds,
    leaseUntil: claim.leaseUntil,
    heartbeatMsMax,
    renew: (until) => updateJobLease(sql, claim, until),
  })
  return {
    lease,
    release: () => updateJobToReleased(sql, claim),
    done: runAndRecord(context, job, claim, lease),
  }
}

async function runAndRecord<C extends Context>(
  context: C,
  job: Job<C, never>,
  claim: ClaimedJob,
  lease: Lease,
): Promise<void> {
  const outcome = await run(context, job, claim, lease)
  const fields = { job: claim.id, kind: claim.kind, attempt: claim.attempts }
  // Renewals continue while the outcome is written, because the database may be away for a while.
  await recordOutcome(context.log, { ...fields, status: outcome.status }, () =>
    write(context, claim, outcome),
  )
  lease.stopRenewing()
}

async function run<C extends Context>(
  context: C,
  job: Job<C, never>,
  claim: ClaimedJob,
  lease: Lease,
): Promise<Outcome> {
  const fields = { job: claim.id, kind: claim.kind, attempt: claim.attempts }
  if (claim.attempts > job.attemptsMax) {
    context.log.error(fields, 'a job is dead: its worker was lost during the last attempt')
    return { status: 'dead', error: 'the worker was lost during the last attempt' }
  }
  try {
    const prepared: PreparedRun<C> = job.prepare(jobRun(claim))
    await prepared(context, lease.signal)
    return { status: 'completed' }
  } catch (error) {
    if (lease.ended() === 'lost') return { status: 'lost' }
    if (lease.ended() === 'stopping') return { status: 'released' }
    const now = context.clock.now()
    if (error instanceof CauseMissing) {
      const waiting = waitForCause(job, claim, now)
      context.log.debug({ ...fields, ...errorFields(error), ...waiting }, 'a job has no cause')
      if (waiting) return waiting
    }
    const runAt = error instanceof PoisonError ? null : retryAt(job, claim.attempts, now)
    const text = errorText(error)
    if (runAt) {
      context.log.warn(
        { ...fields, ...errorFields(error), runAt },
        'a job failed and will be retried',
      )
      return { status: 'retry', runAt, error: text }
    }
    context.log.error({ ...fields, ...errorFields(error) }, 'a job is dead')
    return { status: 'dead', error: text }
  }
}

// Undefined if that is a failure, like any other.
function waitForCause(
  { endsWithoutCause }: Pick<Job<Context, never>, 'endsWithoutCause'>,
  { createdAt }: ClaimedJob,
  now: Date,
): Outcome | undefined {
  if (now < addSeconds(createdAt, causeWaitSeconds)) {
    return { status: 'waiting', runAt: addSeconds(now, causeDelaySeconds) }
  }
  return endsWithoutCause ? { status: 'completed' } : undefined
}

async function write(context: Context, claim: ClaimedJob, outcome: Outcome): Promise<boolean> {
  const { sql } = context.database
  switch (outcome.status) {
    case 'completed':
      return deleteJob(sql, claim)
    case 'retry':
      return updateJobToRetry(sql, claim, outcome.runAt, outcome.error)
    case 'waiting':
      return updateJobToWaiting(sql, claim, outcome.runAt)
    case 'dead':
      return updateJobToDead(sql, claim, context.clock.now(), outcome.error)
    case 'released':
      return updateJobToReleased(sql, claim)
    case 'lost':
      return false
    default:
      return unreachable(outcome)
  }
}

function jobRun(claim: ClaimedJob): JobRun<unknown> {
  const { id, attempts, businessId, environment, payload } = claim
  const tenant = businessId && environment ? { businessId, environment } : null
  return { id, attempt: attempts, tenant, payload }
}
