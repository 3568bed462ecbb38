import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import type { Context } from '../../../src/kernel/db/context.ts'
import { connect } from '../../../src/kernel/db/database.ts'
import { defineJob, type JobRun } from '../../../src/kernel/jobs/job.ts'
import { createDatabase } from '../../support/database.ts'
import {
  contextOn,
  enqueue,
  jobStates,
  type TestContext,
  tenant,
  workerFor,
} from '../../support/jobs.ts'

const database = await createDatabase(20)
afterAll(() => database.drop())

let context: TestContext
beforeEach(async () => {
  await database.sql`delete from kernel.jobs`
  context = contextOn(database)
})

// The wait for something that happens in real time; the limit only ends what hangs.
const patience = { timeout: 240_000, interval: 20 }

function jobThat(run: (job: JobRun<{ number: number }>, signal: AbortSignal) => Promise<void>) {
  return defineJob({
    kind: 'work',
    schema: z.object({ number: z.number() }),
    attemptsMax: 3,
    retryDelaysSeconds: [10],
    leaseSeconds: 30,
    run: (_context: Context, job, signal) => run(job, signal),
  })
}

// A job that reports that it runs and waits to be let go, attempt by attempt.
function gatedJob() {
  const attempts: {
    attempt: number
    signal: AbortSignal
    finish: () => void
    fail: (error: Error) => void
  }[] = []
  const job = jobThat(({ attempt }, signal) => {
    const gate = Promise.withResolvers<void>()
    attempts.push({ attempt, signal, finish: gate.resolve, fail: gate.reject })
    return gate.promise
  })
  async function started(count: number) {
    await vi.waitFor(() => expect(attempts).toHaveLength(count), patience)
    const last = attempts[count - 1]
    if (!last) throw new Error('not started')
    return last
  }
  return { job, attempts, started }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })
}

describe('several workers', () => {
  it('run each of 200 jobs once', async () => {
    const runs: number[] = []
    const job = jobThat(async ({ payload }) => {
      await turn()
      runs.push(payload.number)
    })
    const tenants = Array.from({ length: 12 }, () => tenant(context))
    for (let number = 0; number < 200; number += 1) {
      await enqueue(context, job, { tenant: tenants[number % 12] ?? null, payload: { number } })
    }
    const workers = Array.from({ length: 4 }, () =>
      workerFor(contextOn(database, context.clock), { jobs: [job], slots: 3 }),
    )
    await Promise.all(workers.map((worker) => worker.drain()))
    expect(runs.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n))
    expect(await jobStates(context)).toEqual([])
  })

  it('hand a job over when a lease runs out, and the first can no longer complete it', async () => {
    const { job, started } = gatedJob()
    await enqueue(context, job, { payload: { number: 1 } })
    const slow = workerFor(context, { jobs: [job] }).drain()
    const first = await started(1)
    context.clock.advance(29_999)
    const early = workerFor(contextOn(database, context.clock), { jobs: [job] })
    await early.drain()
    expect(await jobStates(context)).toMatchObject([{ attempts: 1 }])

    context.clock.advance(1)
    const second = workerFor(contextOn(database, context.clock), { jobs: [job] }).drain()
    const taken = await started(2)
    expect(taken.attempt).toBe(2)
    const [held] = await jobStates(context)
    first.finish()
    await slow
    expect(await jobStates(context)).toEqual([held])

    taken.fail(new Error('still to do'))
    await second
    expect(await jobStates(context)).toMatchObject([
      { attempts: 2, lastError: 'Error: still to do', claimId: null },
    ])
  })
})

describe('a worker', () => {
  it('claims no more than it has slots for', async () => {
    const { job, attempts, started } = gatedJob()
    const tenants = Array.from({ length: 5 }, () => tenant(context))
    for (const owner of tenants) {
      for (const number of [1, 2, 3])
        await enqueue(context, job, { tenant: owner, payload: { number } })
    }
    const worker = workerFor(context, { jobs: [job], slots: 4 })
    worker.start()
    for (let finished = 0; finished < 15; finished += 1) {
      await started(Math.min(15, finished + 4))
      const claimed = (await jobStates(context)).filter((state) => state.claimId)
      expect(claimed).toHaveLength(Math.min(4, 15 - finished))
      attempts[finished]?.finish()
      await vi.waitFor(async () => {
        expect(await jobStates(context)).toHaveLength(14 - finished)
      }, patience)
    }
    await worker.stop()
  })

  it('limits a flood of one kind to its own slots, and others do not wait for it', async () => {
    const flood = gatedJob()
    const drawing = { ...flood.job, kind: 'drawing', ownSlots: 1 }
    const { job, attempts, started } = gatedJob()
    const owner = tenant(context)
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await enqueue(context, drawing, { tenant: owner, payload: { number } })
    }
    context.clock.advance(1)
    for (const number of [1, 2]) await enqueue(context, job, { tenant: owner, payload: { number } })
    const worker = workerFor(context, { jobs: [job, drawing], slots: 2 })
    worker.start()
    await started(2)
    await flood.started(1)
    const claimed = (await jobStates(context)).filter((state) => state.claimId)
    expect(claimed).toHaveLength(3)
    for (let finished = 0; finished < 6; finished += 1) {
      const { finish } = await flood.started(finished + 1)
      finish()
    }
    await vi.waitFor(async () => expect(await jobStates(context)).toHaveLength(2), patience)
    for (const { finish } of attempts) finish()
    await worker.stop()
  })

  it('renews the lease of a job that takes long', async () => {
    const { job, attempts, started } = gatedJob()
    await enqueue(context, job, { payload: { number: 1 } })
    const drained = workerFor(context, { jobs: [job], heartbeatMsMax: 10 }).drain()
    const first = await started(1)
    const other = workerFor(contextOn(database, context.clock), { jobs: [job] })
    for (let round = 0; round < 4; round += 1) {
      context.clock.advance(20_000)
      const wanted = new Date(context.clock.now().getTime() + 30_000)
      await vi.waitFor(async () => {
        expect(await jobStates(context)).toMatchObject([{ leaseUntil: wanted }])
      }, patience)
      await other.drain()
    }
    first.finish()
    await drained
    expect(attempts).toHaveLength(1)
    expect(await jobStates(context)).toEqual([])
  })

  it('aborts a job whose claim another worker has taken', async () => {
    const { job, started } = gatedJob()
    await enqueue(context, job, { payload: { number: 1 } })
    const drained = workerFor(context, { jobs: [job], heartbeatMsMax: 10 }).drain()
    const first = await started(1)
    const other = context.ids.uuid()
    await database.sql`update kernel.jobs set claim_id = ${other}`
    await vi.waitFor(() => expect(first.signal.aborted).toBe(true), patience)
    first.fail(new Error('aborted'))
    await drained
    expect(await jobStates(context)).toMatchObject([
      { claimId: other, attempts: 1, lastError: null },
    ])
  })

  it('looks at once when it is woken', async () => {
    // Time stands still for the loop, so nothing but the call can end its sleep.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const ran = Promise.withResolvers<void>()
    const job = jobThat(async () => ran.resolve())
    const worker = workerFor(context, { jobs: [job] })
    worker.start()
    while (vi.getTimerCount() === 0) await turn()
    await enqueue(context, job, { payload: { number: 1 } })
    worker.wake()
    await ran.promise
    await worker.stop()
  })

  it('survives the loss of its connections', async () => {
    const applicationName = `victim-${context.ids.uuid()}`
    const victim = connect({ url: database.url, poolSize: 4, applicationName })
    onTestFinished(() => victim.close())
    const runs: number[] = []
    const { job, started } = gatedJob()
    const counting = defineJob({
      kind: 'count',
      schema: z.object({ number: z.number() }),
      attemptsMax: 1,
      retryDelaysSeconds: [],
      leaseSeconds: 30,
      run: async (_context: Context, { payload }) => {
        runs.push(payload.number)
      },
    })
    const lines: string[] = []
    const victimContext = contextOn(victim, context.clock, lines)
    const worker = workerFor(victimContext, { jobs: [job, counting], heartbeatMsMax: 10 })
    await enqueue(context, job, { payload: { number: 0 } })
    worker.start()
    const running = await started(1)
    for (const number of [1, 2, 3]) {
      // The lock keeps a look and a renewal under way, so that the loss hits both.
      await database.transaction(async (tx) => {
        await tx`lock table kernel.jobs in access exclusive mode`
        worker.wake()
        const blocked = await vi.waitFor(async () => {
          const found = await database.sql<{ pid: number }[]>`
            select pid
            from pg_stat_activity
            where application_name = ${applicationName}
              and wait_event_type = 'Lock'`
          expect(found).toHaveLength(2)
          return found
        }, patience)
        for (const { pid } of blocked) await database.sql`select pg_terminate_backend(${pid})`
      })
      await enqueue(context, counting, { payload: { number } })
      worker.wake()
      await vi.waitFor(() => expect(runs).toHaveLength(number), patience)
      // That it is done is written too, or the next lock would meet it and be waited for by three.
      await vi.waitFor(async () => expect(await jobStates(context)).toHaveLength(1), patience)
    }
    expect(lines.join()).toContain('looking for jobs failed')
    running.finish()
    await vi.waitFor(async () => expect(await jobStates(context)).toEqual([]), patience)
    await worker.stop()
    expect(runs).toEqual([1, 2, 3])
  })
})

describe('stopping', () => {
  it('lets running jobs finish within the grace period, and claims no more', async () => {
    const { job, started, attempts } = gatedJob()
    const worker = workerFor(context, { jobs: [job], slots: 1, graceMs: 60_000 })
    await enqueue(context, job, { payload: { number: 1 } })
    await enqueue(context, job, { payload: { number: 2 } })
    worker.start()
    const first = await started(1)
    const stopped = worker.stop()
    first.finish()
    await stopped
    expect(first.signal.aborted).toBe(false)
    expect(attempts).toHaveLength(1)
    expect(await jobStates(context)).toMatchObject([{ attempts: 0, claimId: null }])
  })

  it('aborts what is left after the grace period and hands it back untried', async () => {
    const started = Promise.withResolvers<AbortSignal>()
    const job = jobThat((_job, signal) => {
      started.resolve(signal)
      return untilAborted(signal)
    })
    const worker = workerFor(context, { jobs: [job], graceMs: 0 })
    await enqueue(context, job, { payload: { number: 1 } })
    worker.start()
    const signal = await started.promise
    await worker.stop()
    expect(signal.aborted).toBe(true)
    expect(await jobStates(context)).toMatchObject([
      { attempts: 0, claimId: null, leaseUntil: null, lastError: null },
    ])
  })

  it('releases a job that ignores its signal, which then cannot complete', async () => {
    const { job, started } = gatedJob()
    const lines: string[] = []
    const logged = contextOn(database, context.clock, lines)
    const worker = workerFor(logged, { jobs: [job], graceMs: 0 })
    await enqueue(context, job, { payload: { number: 1 } })
    worker.start()
    const deaf = await started(1)
    await worker.stop()
    expect(await jobStates(context)).toMatchObject([{ attempts: 0, claimId: null }])

    const successor = workerFor(contextOn(database, context.clock), { jobs: [job] }).drain()
    const second = await started(2)
    const [held] = await jobStates(context)
    deaf.finish()
    await vi.waitFor(() => expect(lines.join()).toContain('the claim was lost'), patience)
    expect(await jobStates(context)).toEqual([held])
    second.finish()
    await successor
    expect(await jobStates(context)).toEqual([])
  })
})
