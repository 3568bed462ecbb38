import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/kernel/basics/clock.ts'
import { createLog } from '../../../src/kernel/basics/log.ts'
import {
  createRedisRateLimiter,
  type RedisRateLimiter,
} from '../../../src/kernel/http/rate-limit-redis.ts'
import { databaseForThisTest } from '../../support/database.ts'
import type { TakeOrder, TakeReport } from '../../support/rate-limit-process.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'

const allowed = { allowed: true }

let redis: RedisServer
let cleanUps: (() => void)[]

beforeEach(async () => {
  redis = await startRedis()
  cleanUps = []
})
afterEach(async () => {
  for (const cleanUp of cleanUps) cleanUp()
  await redis.stop()
})

test('no one waits for Redis while a transaction is open', async () => {
  const database = await databaseForThisTest()
  const { limiter } = await sharing()
  const taking = database.transaction(async () => limiter.take('a', 1))
  await expect(taking).rejects.toThrow('a question to Redis inside an open transaction')
})

type Settings = { url?: string; deadlineMs?: number; retryMs?: number; nowMs?: () => number }

// A deadline that no slow machine misses, except where the test is about the deadline.
function limiterOf({ url = redis.url, deadlineMs = 30_000, ...rest }: Settings = {}) {
  const lines: string[] = []
  const counted = { fallbacks: 0 }
  const limiter = createRedisRateLimiter({
    url,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    nowMs: systemClock.monotonicMs,
    onFallback: () => {
      counted.fallbacks += 1
    },
    deadlineMs,
    ...rest,
  })
  cleanUps.push(() => limiter.close())
  const messages = () => lines.map((line) => JSON.parse(line).msg)
  return { limiter, counted, lines, messages }
}

async function sharing(settings?: Settings) {
  const made = limiterOf(settings)
  await until(() => made.limiter.isShared())
  return made
}

// With a short deadline the first probe may fail on a slow machine. Time stands still but for
// this, so that no probe is due afterwards until the test moves it.
async function sharingWithShortDeadline() {
  const time = { now: 0 }
  const made = limiterOf({ deadlineMs: 50, retryMs: 1_000, nowMs: () => time.now })
  const shareAgain = () =>
    until(() => {
      if (made.limiter.isShared()) return true
      time.now += 1_000
      void made.limiter.take('any', 1_000_000)
      return false
    })
  await shareAgain()
  made.counted.fallbacks = 0
  return { ...made, shareAgain, time }
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 240_000, interval: 5 }).toBe(true)
}

async function takeMany(limiter: RedisRateLimiter, key: string, limit: number, times: number) {
  const verdicts = await Promise.all(
    Array.from({ length: times }, async () => limiter.take(key, limit)),
  )
  return verdicts.filter((verdict) => verdict.allowed).length
}

function client(): Redis {
  const connection = new Redis(redis.url)
  cleanUps.push(() => connection.disconnect())
  return connection
}

// Redis has the time, so the tests move the log instead of the clock.
async function age(connection: Redis, key: string, milliseconds: number): Promise<void> {
  const times = await connection.lrange(key, 0, -1)
  await connection.del(key)
  await connection.rpush(key, ...times.map((time) => Number(time) - milliseconds))
}

describe('through Redis', () => {
  test('the 180th request is let in and the 181st refused', async () => {
    const { limiter, counted } = await sharing()
    for (let request = 1; request <= 180; request += 1) {
      expect(await limiter.take('key:a', 180)).toMatchObject(allowed)
    }
    const verdict = await limiter.take('key:a', 180)
    expect(verdict.allowed).toBe(false)
    expect(await limiter.take('key:b', 180)).toMatchObject(allowed)
    expect(counted.fallbacks).toBe(0)
  })

  test('two processes share one limit to the request', async () => {
    const processes = await Promise.all([spawnLimiter(redis.url), spawnLimiter(redis.url)])
    const order: TakeOrder = { key: 'key:a', limit: 180, times: 150 }
    const reports = await Promise.all(processes.map((child) => askToTake(child, order)))
    const total = (name: keyof TakeReport) => reports.reduce((sum, one) => sum + one[name], 0)
    expect(total('allowed')).toBe(180)
    expect(total('refused')).toBe(120)
    expect(total('fallbacks')).toBe(0)
  })

  test('Retry-After is the time until the oldest counted request leaves', async () => {
    const { limiter } = await sharing()
    const connection = client()
    await limiter.take('a', 2)
    await age(connection, 'tillbook:rate:a', 20_500)
    await limiter.take('a', 2)
    const verdict = await limiter.take('a', 2)
    // 39.5 seconds are left when the machine is quick; a second of it may pass in between.
    expect(verdict).toMatchObject({ allowed: false })
    expect(verdict.allowed ? 0 : verdict.retryAfterSeconds).toBeGreaterThan(1)
    expect(verdict.allowed ? 0 : verdict.retryAfterSeconds).toBeLessThanOrEqual(40)
    await age(connection, 'tillbook:rate:a', 39_500)
    expect(await limiter.take('a', 2)).toMatchObject(allowed)
    expect(await limiter.take('a', 2)).toMatchObject({ allowed: false })
  })

  test('says how many more fit, and when the oldest counted request leaves', async () => {
    const { limiter } = await sharing()
    expect(await limiter.take('a', 3)).toEqual({ allowed: true, remaining: 2, resetSeconds: 60 })
    await age(client(), 'tillbook:rate:a', 20_500)
    const verdict = await limiter.take('a', 3)
    expect(verdict).toMatchObject({ allowed: true, remaining: 1 })
    expect(verdict.allowed && verdict.resetSeconds).toBeGreaterThan(1)
    expect(verdict.allowed && verdict.resetSeconds).toBeLessThanOrEqual(40)
  })

  test('refused requests leave no trace, and what is idle for a minute expires', async () => {
    const { limiter } = await sharing()
    const connection = client()
    await takeMany(limiter, 'a', 3, 10)
    expect(await connection.llen('tillbook:rate:a')).toBe(3)
    const lifeMs = await connection.pttl('tillbook:rate:a')
    expect(lifeMs).toBeGreaterThan(0)
    expect(lifeMs).toBeLessThanOrEqual(60_000)
  })

  test('a clock of Redis that is set back keeps no one out for longer than a minute', async () => {
    const { limiter } = await sharing()
    const connection = client()
    await limiter.take('a', 2)
    await limiter.take('a', 2)
    await age(connection, 'tillbook:rate:a', -3_600_000)
    const verdict = await limiter.take('a', 2)
    expect(verdict).toMatchObject({ allowed: false })
    expect(verdict.allowed ? 0 : verdict.retryAfterSeconds).toBeLessThanOrEqual(60)
    await age(connection, 'tillbook:rate:a', 60_000)
    expect(await limiter.take('a', 2)).toMatchObject(allowed)
  })

  test('a Redis that has lost the script is given it again', async () => {
    const { limiter, counted } = await sharing()
    await limiter.take('a', 2)
    await client().script('FLUSH')
    expect(await limiter.take('a', 2)).toMatchObject(allowed)
    expect(await limiter.take('a', 2)).toMatchObject({ allowed: false })
    expect(counted.fallbacks).toBe(0)
  })
})

describe('when Redis fails', () => {
  test('in the middle, the process goes on limiting by itself and shares again after', async () => {
    const { limiter, counted, messages } = await sharing()
    expect(await takeMany(limiter, 'a', 10, 4)).toBe(4)
    await redis.kill()
    // The four that Redis let in still count.
    expect(await takeMany(limiter, 'a', 10, 20)).toBe(6)
    expect(counted.fallbacks).toBe(20)
    expect(limiter.isShared()).toBe(false)

    await redis.restart()
    await until(() => limiter.isShared())
    const other = await sharing()
    expect(await takeMany(limiter, 'b', 10, 7)).toBe(7)
    expect(await takeMany(other.limiter, 'b', 10, 7)).toBe(3)
    expect(counted.fallbacks).toBe(20)
    expect(messages()).toEqual([
      'request limits are shared through Redis',
      'Redis does not answer; this process limits requests by itself',
      'request limits are shared through Redis',
    ])
  })

  test('from the start, the process starts and limits by itself until Redis comes', async () => {
    await redis.kill()
    const { limiter, lines, messages } = limiterOf()
    expect(limiter.take('a', 1)).toMatchObject(allowed)
    expect(limiter.take('a', 1)).toMatchObject({ allowed: false })
    await until(() => lines.length > 0)
    await redis.restart()
    await until(() => limiter.isShared())
    expect(messages()).toEqual([
      'Redis does not answer; this process limits requests by itself',
      'request limits are shared through Redis',
    ])
  })

  test('by silence, only the requests under way wait for the deadline, no later one', async () => {
    const { limiter, counted } = await sharingWithShortDeadline()
    redis.freeze()
    const both = await Promise.all([limiter.take('a', 2), limiter.take('a', 2)])
    expect(both).toMatchObject([allowed, allowed])
    // A verdict that is there at once, not a promise: nothing was asked of Redis.
    expect(limiter.take('a', 2)).toMatchObject({ allowed: false })
    expect(counted.fallbacks).toBe(3)
    redis.thaw()
  })

  test('by silence, a probe beside the traffic finds out that it is back', async () => {
    const { limiter, shareAgain } = await sharingWithShortDeadline()
    redis.freeze()
    expect(await limiter.take('a', 5)).toMatchObject(allowed)
    expect(limiter.isShared()).toBe(false)
    redis.thaw()
    await shareAgain()
  })

  test('and the clock is set back meanwhile, the probe is not put off by that', async () => {
    const { limiter, shareAgain, time } = await sharingWithShortDeadline()
    redis.freeze()
    await limiter.take('a', 5)
    redis.thaw()
    time.now -= 1_000_000_000_000
    await shareAgain()
  })

  test('by refusing to write, it counts as failed although it answers pings', async () => {
    const { limiter, messages } = await sharing({ retryMs: 0 })
    const connection = client()
    await connection.config('SET', 'min-replicas-to-write', '1')
    expect(await limiter.take('a', 1)).toMatchObject(allowed)
    expect(limiter.take('a', 1)).toMatchObject({ allowed: false })
    await connection.ping()
    expect(limiter.isShared()).toBe(false)
    await connection.config('SET', 'min-replicas-to-write', '0')
    await until(() => {
      limiter.take('b', 1_000_000)
      return limiter.isShared()
    })
    expect(messages()).toHaveLength(3)
  })

  test('by refusing our password, the password is not in the log', async () => {
    await client().config('SET', 'requirepass', 'the-right-one')
    const { limiter, lines } = limiterOf({
      url: redis.url.replace('redis://', 'redis://:the-wrong-one@'),
    })
    await until(() => lines.length > 0)
    expect(limiter.take('a', 1)).toMatchObject(allowed)
    expect(lines.join()).toContain('WRONGPASS')
    expect(lines.join()).not.toContain('the-wrong-one')
  })
})

test('a closed limiter says nothing more, and still limits by itself', async () => {
  const { limiter, lines } = await sharing()
  limiter.close()
  expect(limiter.take('a', 1)).toMatchObject(allowed)
  expect(limiter.take('a', 1)).toMatchObject({ allowed: false })
  await client().ping()
  expect(lines).toHaveLength(1)
})

const processFile = fileURLToPath(new URL('../../support/rate-limit-process.ts', import.meta.url))

async function spawnLimiter(url: string): Promise<ChildProcess> {
  const child = fork(processFile, [url], { execArgv: [] })
  cleanUps.push(() => child.disconnect())
  await once(child, 'message')
  return child
}

async function askToTake(child: ChildProcess, order: TakeOrder): Promise<TakeReport> {
  const reply = once(child, 'message')
  child.send(order)
  const [report] = await reply
  return report
}
