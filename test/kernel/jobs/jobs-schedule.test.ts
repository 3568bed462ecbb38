import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import type { Context } from '../../../src/kernel/db/context.ts'
import { defineSchedule, type Schedule } from '../../../src/kernel/jobs/schedule.ts'
import { createDatabase } from '../../support/database.ts'
import { contextOn, type TestContext, workerFor } from '../../support/jobs.ts'

const database = await createDatabase(20)
afterAll(() => database.drop())

let context: TestContext
beforeEach(async () => {
  await database.sql`delete from kernel.schedules`
  context = contextOn(database)
})

const patience = { timeout: 240_000, interval: 20 }

function counting(run: () => Promise<void> = async () => undefined, everySeconds = 60) {
  const runs: string[] = []
  const schedule = defineSchedule({
    name: 'count',
    everySeconds,
    run: async ({ clock }: Context) => {
      runs.push(clock.now().toISOString().slice(11, 19))
      await run()
    },
  })
  return { schedule, runs }
}

function worker(schedule: Schedule<Context>) {
  return workerFor(contextOn(database, context.clock), { schedules: [schedule] })
}

async function state() {
  const [row] = await database.sql<
    {
      nextRunAt: Date
      lastRunAt: Date | null
      lastError: string | null
      claimId: string | null
    }[]
  >`
    select next_run_at, last_run_at, last_error, claim_id
    from kernel.schedules`
  return row
}

it('runs once among several workers each time it is due', async () => {
  const { schedule, runs } = counting()
  const workers = Array.from({ length: 4 }, () => worker(schedule))
  await Promise.all(workers.map((each) => each.drain()))
  expect(runs).toEqual(['12:00:00'])
  context.clock.advance(59_999)
  await Promise.all(workers.map((each) => each.drain()))
  expect(runs).toHaveLength(1)
  context.clock.advance(1)
  await Promise.all(workers.map((each) => each.drain()))
  expect(runs).toEqual(['12:00:00', '12:01:00'])
  expect(await state()).toEqual({
    nextRunAt: new Date('2026-03-01T12:02:00.000Z'),
    lastRunAt: new Date('2026-03-01T12:01:00.000Z'),
    lastError: null,
    claimId: null,
  })
})

it('does not make up for runs that were missed', async () => {
  const { schedule, runs } = counting()
  await worker(schedule).drain()
  context.clock.advance(3_600_000)
  await worker(schedule).drain()
  expect(runs).toEqual(['12:00:00', '13:00:00'])
})

it('is taken over from a worker that died, and the dead one cannot record its run', async () => {
  const gate = Promise.withResolvers<void>()
  const first = counting(() => gate.promise)
  const dying = worker(first.schedule).drain()
  await vi.waitFor(() => expect(first.runs).toHaveLength(1), patience)
  const second = counting()
  context.clock.advance(29_999)
  await worker(second.schedule).drain()
  expect(second.runs).toEqual([])
  context.clock.advance(1)
  await worker(second.schedule).drain()
  expect(second.runs).toEqual(['12:00:30'])
  const recorded = await state()
  gate.reject(new Error('came back'))
  await dying
  expect(await state()).toEqual(recorded)
})

it('records a failure and tries again within a minute, however long the interval', async () => {
  let broken = true
  const { schedule, runs } = counting(async () => {
    if (broken) throw new Error('not today')
  }, 86_400)
  const only = worker(schedule)
  await only.drain()
  expect(await state()).toMatchObject({ lastError: 'Error: not today', claimId: null })
  broken = false
  context.clock.advance(60_000)
  await only.drain()
  expect(runs).toEqual(['12:00:00', '12:01:00'])
  expect(await state()).toMatchObject({
    lastError: null,
    nextRunAt: new Date('2026-03-02T12:01:00.000Z'),
  })
})

it('follows an interval that a new version shortened', async () => {
  await worker(counting(undefined, 86_400).schedule).drain()
  const { schedule, runs } = counting(undefined, 60)
  const upgraded = worker(schedule)
  await upgraded.drain()
  context.clock.advance(60_000)
  await upgraded.drain()
  expect(runs).toEqual(['12:01:00'])
})

it('is handed back as due when the process ends during a run', async () => {
  const started = Promise.withResolvers<void>()
  const schedule = defineSchedule({
    name: 'count',
    everySeconds: 60,
    run: (_context: Context, signal) =>
      new Promise((_resolve, reject) => {
        started.resolve()
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  const ending = workerFor(context, { schedules: [schedule], graceMs: 0 })
  ending.start()
  await started.promise
  await ending.stop()
  expect(await state()).toMatchObject({ claimId: null, lastError: null })
  const { schedule: again, runs } = counting()
  await worker(again).drain()
  expect(runs).toEqual(['12:00:00'])
})
