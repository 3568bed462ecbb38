import { afterAll, expect, test } from 'vitest'
import { schedules } from '../../../src/app/background-work.ts'
import { sweepSignInsSchedule } from '../../../src/kernel/auth/sweep-sign-ins.ts'
import type { Context } from '../../../src/kernel/db/context.ts'
import { createDatabase } from '../../support/database.ts'
import {
  browser,
  freezeTime,
  password,
  peopleWorld,
  person,
  signedIn,
} from '../../support/people.ts'

const database = await createDatabase()
afterAll(() => database.drop())

const hour = 3600
const sweep = (context: Context) => sweepSignInsSchedule.run(context, new AbortController().signal)

async function remaining() {
  const sessions = await database.sql`select person_id from kernel.sessions order by created_at`
  const verifications = await database.sql`select id from kernel.verifications`
  return { sessions: sessions.map(({ personId }) => personId), open: verifications.length > 0 }
}

test('what has ended is removed, and what someone still uses stays', async () => {
  const time = freezeTime()
  const world = await peopleWorld(database)
  const idle = await person(world)
  await signedIn(world, idle)
  await browser(world).post('/sign-in', { email: (await person(world)).email, password })
  time.advance(11 * hour)
  const busy = await person(world)
  const visitor = await signedIn(world, busy)

  await sweep(world.context)
  expect(await remaining()).toEqual({ sessions: [idle.personId, busy.personId], open: false })

  time.advance(hour)
  await sweep(world.context)
  expect(await remaining()).toEqual({ sessions: [busy.personId], open: false })
  expect(await world.people.findSession(visitor.headers())).toBeDefined()
})

test('a sign-in that waits for its code is not swept', async () => {
  const time = freezeTime()
  const world = await peopleWorld(database)
  const who = await person(world)
  const visitor = browser(world)
  await visitor.post('/sign-in', { email: who.email, password })
  time.advance(60)
  await sweep(world.context)
  const answer = await visitor.post('/sign-in/code', { code: who.code() })
  expect(answer.status).toBe(303)
  expect(await world.people.findSession(visitor.headers())).toBeDefined()
})

test('the worker sweeps', () => {
  expect(schedules).toContain(sweepSignInsSchedule)
})
