import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { enqueueJob } from '../../../src/kernel/jobs/enqueue-job.ts'
import { defineJob, shardOf } from '../../../src/kernel/jobs/job.ts'
import { findQueueHealth, lockDueJobs } from '../../../src/kernel/jobs/job-store.ts'
import { createDatabase } from '../../support/database.ts'
import {
  contextOn,
  enqueue,
  jobStates,
  type TestContext,
  tenant,
  workerFor,
} from '../../support/jobs.ts'

const database = await createDatabase()
afterAll(() => database.drop())

let context: TestContext
beforeEach(async () => {
  await database.sql`delete from kernel.jobs`
  context = contextOn(database)
})

const settings = { attemptsMax: 3, retryDelaysSeconds: [10, 60], leaseSeconds: 30 }
const numbered = z.object({ number: z.number() })

function recordingJob(kind = 'record') {
  const runs: { number: number; attempt: number; at: string }[] = []
  const job = defineJob({
    ...settings,
    kind,
    schema: numbered,
    run: async (jobContext: TestContext, { payload, attempt }) => {
      runs.push({ number: payload.number, attempt, at: jobContext.clock.now().toISOString() })
    },
  })
  return { job, runs }
}

function failingJob(message = 'no luck') {
  const attempts: string[] = []
  const job = defineJob({
    ...settings,
    kind: 'fail',
    run: async (jobContext: TestContext) => {
      attempts.push(jobContext.clock.now().toISOString())
      throw new Error(message)
    },
  })
  return { job, attempts }
}

describe('queueing', () => {
  it('queues nothing when the transaction rolls back', async () => {
    const { job, runs } = recordingJob()
    const rolledBack = database.transaction(async (tx) => {
      await enqueueJob(tx, context, job, { tenant: null, payload: { number: 1 } })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await workerFor(context, { jobs: [job] }).drain()
    expect(runs).toEqual([])
    expect(await jobStates(context)).toEqual([])
  })

  it('keeps a job from the workers until its transaction commits', async () => {
    const { job, runs } = recordingJob()
    const worker = workerFor(context, { jobs: [job] })
    await database.transaction(async (tx) => {
      await enqueueJob(tx, context, job, { tenant: null, payload: { number: 1 } })
      await worker.drain()
      expect(runs).toEqual([])
    })
    await worker.drain()
    expect(runs).toMatchObject([{ number: 1, attempt: 1 }])
  })

  it('runs a job no earlier than asked', async () => {
    const { job, runs } = recordingJob()
    const worker = workerFor(context, { jobs: [job] })
    await enqueue(context, job, {
      payload: { number: 1 },
      runAt: new Date('2026-03-01T13:00:00.000Z'),
    })
    context.clock.set(new Date('2026-03-01T12:59:59.999Z'))
    await worker.drain()
    expect(runs).toEqual([])
    context.clock.set(new Date('2026-03-01T13:00:00.000Z'))
    await worker.drain()
    expect(runs).toHaveLength(1)
  })

  it('refuses a payload that does not fit the schema', async () => {
    const { job } = recordingJob()
    const payload = { number: 'one' } as unknown as { number: number }
    await expect(enqueue(context, job, { payload })).rejects.toThrow('does not fit its schema')
  })

  it('spreads tenants over shards and keeps a tenant in one', () => {
    const shards = new Set(Array.from({ length: 300 }, () => shardOf(tenant(context))))
    expect([...shards].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, n) => n))
    const one = tenant(context)
    expect(shardOf({ ...one, environment: 'test' })).toBe(shardOf(one))
    expect(shardOf(null)).toBe(0)
  })

  it('hands the tenant to the job', async () => {
    const owner = tenant(context)
    const seen: unknown[] = []
    const job = defineJob({
      ...settings,
      kind: 'whose',
      run: async (_context: TestContext, run) => {
        seen.push(run.tenant)
      },
    })
    await enqueue(context, job, { tenant: owner, payload: {} })
    await enqueue(context, job, { payload: {} })
    await workerFor(context, { jobs: [job], slots: 1 }).drain()
    expect(seen).toHaveLength(2)
    expect(seen).toContainEqual(owner)
    expect(seen).toContainEqual(null)
  })
})

describe('a unique key', () => {
  const request = { payload: { number: 1 }, uniqueKey: 'the intent' }

  it('queues the same intent once, until it is done', async () => {
    const { job, runs } = recordingJob()
    const worker = workerFor(context, { jobs: [job] })
    expect(await enqueue(context, job, request)).toBe(true)
    expect(await enqueue(context, job, request)).toBe(false)
    await worker.drain()
    expect(runs).toHaveLength(1)
    expect(await enqueue(context, job, request)).toBe(true)
    await worker.drain()
    expect(runs).toHaveLength(2)
  })

  it('is the same for two transactions at once', async () => {
    const { job } = recordingJob()
    const inserted = await Promise.all(
      Array.from({ length: 8 }, () => enqueue(context, job, { ...request, tenant: null })),
    )
    expect(inserted.filter(Boolean)).toHaveLength(1)
    expect(await jobStates(context)).toHaveLength(1)
  })

  it('belongs to one tenant, one environment and one kind', async () => {
    const one = tenant(context)
    const lastDigits = one.businessId.slice(-4)
    const neighbour = { ...one, businessId: `${context.ids.uuid().slice(0, -4)}${lastDigits}` }
    expect(shardOf(neighbour)).toBe(shardOf(one))
    const { job } = recordingJob()
    const { job: other } = recordingJob('other')
    expect(await enqueue(context, job, { ...request, tenant: one })).toBe(true)
    expect(await enqueue(context, job, { ...request, tenant: neighbour })).toBe(true)
    expect(
      await enqueue(context, job, { ...request, tenant: { ...one, environment: 'test' } }),
    ).toBe(true)
    expect(await enqueue(context, other, { ...request, tenant: one })).toBe(true)
    expect(await enqueue(context, job, { ...request, tenant: one })).toBe(false)
  })

  it('is free again when the job died', async () => {
    const { job } = failingJob()
    const worker = workerFor(context, { jobs: [job] })
    await enqueue(context, job, { payload: {}, uniqueKey: 'intent' })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await worker.drain()
      context.clock.advance(60_000)
    }
    expect(await jobStates(context)).toMatchObject([{ deadAt: expect.any(Date) }])
    expect(await enqueue(context, job, { payload: {}, uniqueKey: 'intent' })).toBe(true)
  })
})

describe('failure', () => {
  it('is retried at the planned times, then the job is dead and stays to be seen', async () => {
    const { job, attempts } = failingJob()
    const worker = workerFor(context, { jobs: [job] })
    await enqueue(context, job, { payload: {} })
    await worker.drain()
    expect(await jobStates(context)).toMatchObject([
      { attempts: 1, runAt: new Date('2026-03-01T12:00:10.000Z'), claimId: null },
    ])
    context.clock.advance(9_999)
    await worker.drain()
    expect(attempts).toHaveLength(1)
    context.clock.advance(1)
    await worker.drain()
    context.clock.advance(59_999)
    await worker.drain()
    expect(attempts).toHaveLength(2)
    context.clock.advance(1)
    await worker.drain()
    context.clock.advance(86_400_000)
    await worker.drain()
    expect(attempts).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:00:10.000Z',
      '2026-03-01T12:01:10.000Z',
    ])
    expect(await jobStates(context)).toMatchObject([
      { attempts: 3, lastError: 'Error: no luck', deadAt: new Date('2026-03-01T12:01:10.000Z') },
    ])
  })

  it('keeps no secret in the recorded error', async () => {
    const { job } = failingJob('401 from https://me:hunter2@example.com/?api_key=abc123')
    await enqueue(context, job, { payload: {} })
    await workerFor(context, { jobs: [job] }).drain()
    const [state] = await jobStates(context)
    expect(state?.lastError).toContain('401 from https://[redacted]@example.com/')
    expect(state?.lastError).not.toMatch(/hunter2|abc123/)
  })

  it('buries a job whose payload is not understood, without running it', async () => {
    const { job, runs } = recordingJob()
    await enqueue(context, job, { payload: { number: 1 } })
    await database.sql`update kernel.jobs set payload = '{"number": "private"}'`
    await workerFor(context, { jobs: [job] }).drain()
    expect(runs).toEqual([])
    expect(await jobStates(context)).toMatchObject([
      {
        attempts: 1,
        deadAt: context.clock.now(),
        lastError: 'PoisonError: the payload does not fit: number: invalid_type',
      },
    ])
  })

  it('leaves kinds that this version does not know to one that does', async () => {
    const known = recordingJob()
    const newer = recordingJob('newer')
    await enqueue(context, newer.job, { payload: { number: 1 } })
    await workerFor(context, { jobs: [known.job] }).drain()
    expect(await jobStates(context)).toMatchObject([{ attempts: 0, claimId: null }])
    await workerFor(context, { jobs: [known.job, newer.job] }).drain()
    expect(newer.runs).toHaveLength(1)
  })

  it('counts a worker that died as an attempt, and buries the job after the last', async () => {
    const { job, runs } = recordingJob()
    await enqueue(context, job, { payload: { number: 1 } })
    for (let crash = 1; crash <= 3; crash += 1) {
      const claimed = await lockDueJobs(database.sql, {
        shard: 0,
        claimId: context.ids.uuid(),
        leases: [{ kind: job.kind, until: new Date(context.clock.now().getTime() + 30_000) }],
        now: context.clock.now(),
        limit: 10,
      })
      expect(claimed).toMatchObject([{ attempts: crash }])
      context.clock.advance(30_000)
    }
    await workerFor(context, { jobs: [job] }).drain()
    expect(runs).toEqual([])
    expect(await jobStates(context)).toMatchObject([
      { deadAt: context.clock.now(), lastError: 'the worker was lost during the last attempt' },
    ])
  })
})

describe('queue health', () => {
  it('counts what waits, what is due, what runs and what is dead', async () => {
    const { job } = recordingJob()
    const health = () => findQueueHealth(database.sql, context.clock.now())
    expect(await health()).toEqual({
      pending: 0,
      due: 0,
      running: 0,
      dead: 0,
      oldestDueAgeSeconds: 0,
    })
    const now = context.clock.now()
    const later = new Date(now.getTime() + 3_600_000)
    await enqueue(context, job, { payload: { number: 1 } })
    await lockDueJobs(database.sql, {
      shard: 0,
      claimId: context.ids.uuid(),
      leases: [{ kind: job.kind, until: later }],
      now,
      limit: 1,
    })
    await enqueue(context, job, { payload: { number: 2 } })
    await enqueue(context, job, { payload: { number: 3 }, runAt: later })
    await enqueue(context, job, { payload: { number: 4 } })
    await database.sql`update kernel.jobs set dead_at = ${now} where payload->>'number' = '4'`
    context.clock.advance(90_500)
    expect(await health()).toEqual({
      pending: 3,
      due: 1,
      running: 1,
      dead: 1,
      oldestDueAgeSeconds: 90.5,
    })
  })
})
