// @module-tag long
// A database that is connected but no longer answers, behind a network that drops everything.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import { isDatabaseUnavailable } from '../../src/kernel/db/database-errors.ts'
import { createApp } from '../../src/kernel/http/app.ts'
import { createMetrics } from '../../src/kernel/http/metrics.ts'
import { requestLimits } from '../../src/kernel/http/request-deadline.ts'
import { databaseBehindProxy } from '../support/database-proxy.ts'
import { eventually } from '../support/processes.ts'
import { createWorld } from '../support/world.ts'

// Both are waited for here, and a busy machine may need a part of either.
const limits = { silenceMs: 8000, connectMs: 3000 }

describe('while the database says nothing', () => {
  // covers: 503 unavailable: temporarily unavailable
  it('every call ends with 503, the probe says unready, and all is well afterwards', async () => {
    const { database, stall, resume } = await databaseBehindProxy(limits)
    const world = await createWorld({ database })
    onTestFinished(() => world.close())
    const { text: key } = await world.key({ service: 'books' })
    const contact = { name: 'Ada', is_customer: true }
    const read = () => world.call('GET', '/books/api/v1/accounts', { key })
    const write = () => world.call('POST', '/books/api/v1/contacts', { key, body: contact })
    expect((await read()).status).toBe(200)

    stall()
    // More than there are connections, so that some wait for one.
    const answers = await Promise.all([read(), write(), read(), write(), read(), read()])
    for (const { status, headers, body } of answers) {
      expect([status, body.code]).toEqual([503, 'unavailable'])
      expect(headers.get('retry-after')).toBe('5')
    }
    const probed = await world.call('GET', '/readyz')
    expect(probed.status).toBe(503)
    expect(probed.body.parts.database).toBe('down')
    expect((await world.call('GET', '/healthz')).status).toBe(200)

    resume()
    // A connection that was begun in the silence may still end; the next call has another.
    const ready = () => world.call('GET', '/readyz')
    for (const [ask, wanted] of [
      [read, 200],
      [write, 201],
      [ready, 200],
    ] as const) {
      await eventually(async () => (await ask()).status === wanted)
    }
  })

  it('a transaction that waits for an answer ends, and so does one that waits to begin', async () => {
    const { database, stall } = await databaseBehindProxy({ poolSize: 1, ...limits })
    onTestFinished(() => database.drop())
    await database.sql`select 1`
    stall()
    const outcomes = await Promise.allSettled([
      database.transaction((tx) => tx`select 1`),
      database.transaction((tx) => tx`select 1`),
      database.sql`select 1`,
    ])
    for (const outcome of outcomes) {
      expect(outcome.status).toBe('rejected')
      expect(isDatabaseUnavailable(outcome.status === 'rejected' && outcome.reason)).toBe(true)
    }
  })
})

it('a connection that is used again and again is not taken for a silent one', async () => {
  const { database } = await databaseBehindProxy({ poolSize: 1, silenceMs: 6000 })
  onTestFinished(() => database.drop())
  const backend = async () => (await database.sql`select pg_backend_pid() as pid`)[0]?.pid
  const first = await backend()
  for (let round = 0; round < 7; round += 1) {
    await delay(1000)
    expect(await backend()).toBe(first)
  }
})

it('a request that waits for something else has its answer in bounded time as well', async () => {
  const logged: string[] = []
  const log = createLog('info', { write: (line) => logged.push(line) })
  const limits = { ...requestLimits, deadlineSeconds: 3 }
  const app = createApp({ log, clock: systemClock }, createMetrics(), undefined, limits)
  onTestFinished(() => app.close())
  const { promise, resolve } = Promise.withResolvers<{ late: boolean }>()
  app.get('/waits', () => promise)
  app.get('/answers', async () => ({ soon: true }))
  expect((await app.inject('/answers')).statusCode).toBe(200)
  const answer = await app.inject('/waits')
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({ code: 'unavailable' })
  expect(logged.join('')).toContain('the request took too long')
  // What comes too late has no one to go to, and harms no one.
  resolve({ late: true })
  await promise
  expect((await app.inject('/answers')).statusCode).toBe(200)
})
