// The limits of rate-limit.ts, shared by all processes through Redis (or Valkey).
//
// The service works without Redis: if Redis fails or takes longer than the deadline, this process
// limits by itself, and no request fails or waits. Meanwhile no request is sent to Redis; a probe
// finds out when it is back. Requests that Redis allowed are counted here too, so that an outage
// does not give every key a fresh minute.
import { Redis } from 'ioredis'
import { assert } from '../basics/assert.ts'
import type { Log } from '../basics/log.ts'
import { assertNoTransaction } from '../db/transaction.ts'
import {
  allowed,
  createRateLimiter,
  type RateLimiter,
  refused,
  steadyTime,
  windowMs,
} from './rate-limit.ts'

export type RedisRateLimiter = RateLimiter & { isShared(): boolean }

type Options = {
  url: string
  log: Log
  nowMs: () => number
  // Called for every request that this process limited by itself.
  onFallback?: () => void
  prefix?: string
  deadlineMs?: number
  retryMs?: number
}

// Many times what a nearby Redis takes, and still short beside the request itself.
const defaultDeadlineMs = 100
const defaultRetryMs = 1_000

export function createRedisRateLimiter(options: Options): RedisRateLimiter {
  const { log, deadlineMs = defaultDeadlineMs, retryMs = defaultRetryMs } = options
  const nowMs = steadyTime(options.nowMs)
  const local = createRateLimiter({ nowMs })
  const connection = connect(options.url)
  const prefix = options.prefix ?? 'tillbook:rate:'
  let state: 'starting' | 'shared' | 'local' = 'starting'
  let closed = false
  let probing = false
  let probeAt = Number.NEGATIVE_INFINITY

  const ask = (key: string, limit: number) =>
    withDeadline(connection.takeFromLog(prefix + key, windowMs, limit), deadlineMs)

  function takeLocally(key: string, limit: number) {
    options.onFallback?.()
    return local.take(key, limit)
  }

  async function takeShared(key: string, limit: number) {
    try {
      const [waitMs, remaining, resetMs] = await ask(key, limit)
      if (waitMs > 0) return refused(waitMs)
      local.take(key, limit)
      return allowed(remaining, resetMs)
    } catch (error) {
      fail(error)
      return takeLocally(key, limit)
    }
  }

  // Only the message is logged: the error of a refused AUTH contains the password.
  function fail(error: unknown) {
    probeAt = nowMs() + retryMs
    if (state === 'local') return
    state = 'local'
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'Redis does not answer; this process limits requests by itself')
  }

  // The same command as a request, because a Redis that answers a ping may still refuse writes.
  async function probe() {
    if (probing || closed || state === 'shared') return
    probing = true
    try {
      await ask('probe', probesMax)
      // If the connection was lost meanwhile, this answer means nothing.
      if (!closed && connection.status === 'ready') {
        state = 'shared'
        log.info('request limits are shared through Redis')
      }
    } catch (error) {
      fail(error)
    } finally {
      probing = false
    }
  }

  connection.on('ready', () => void probe())
  connection.on('error', fail)
  connection.on('close', () => fail(new Error('the connection is closed')))

  return {
    take(key, limit) {
      assert(Number.isSafeInteger(limit) && limit > 0, 'a limit is a positive whole number')
      assertNoTransaction('a question to Redis')
      if (state === 'shared') return takeShared(key, limit)
      if (state === 'local' && nowMs() >= probeAt) void probe()
      return takeLocally(key, limit)
    },
    isShared: () => state === 'shared',
    close() {
      closed = true
      state = 'local'
      connection.disconnect()
    },
  }
}

// High enough that a probe is always allowed, and so always writes.
const probesMax = 1_000_000

type Connection = Redis & {
  takeFromLog(key: string, windowMs: number, limit: number): Promise<[number, number, number]>
}

// Nothing is queued while the connection is down, and nothing is sent twice: a late answer is
// useless, and a repeated request would count twice.
function connect(url: string): Connection {
  const connection = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // The probe is the ready check. A Redis user may lack permission for INFO.
    enableReadyCheck: false,
    connectTimeout: 2_000,
    // A network that drops everything shows no error. Without this limit, the dead connection would
    // stay open until the kernel gives up after a quarter of an hour.
    socketTimeout: 2_000,
    retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
  })
  connection.defineCommand('takeFromLog', { numberOfKeys: 1, lua: takeFromLog })
  return connection as Connection
}

// Returns the milliseconds to wait, 0 if the request is allowed; then how many more are allowed,
// and the milliseconds until the oldest one leaves the window. Redis provides the time, so that all
// processes agree. If its clock is set back, the log moves back with it, as in steadyTime.
const takeFromLog = `
  local key, window, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
  local clock = redis.call('time')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

  local newest = tonumber(redis.call('lindex', key, -1))
  if newest and newest > now then
    local times = redis.call('lrange', key, 0, -1)
    redis.call('del', key)
    for _, time in ipairs(times) do redis.call('rpush', key, time - (newest - now)) end
    redis.call('pexpire', key, window)
  end

  local oldest = tonumber(redis.call('lindex', key, 0))
  while oldest and oldest <= now - window do
    redis.call('lpop', key)
    oldest = tonumber(redis.call('lindex', key, 0))
  end

  local count = redis.call('llen', key)
  if count >= limit then
    return {tonumber(redis.call('lindex', key, count - limit)) + window - now, 0, 0}
  end
  redis.call('rpush', key, now)
  redis.call('pexpire', key, window)
  return {0, limit - count - 1, (oldest or now) + window - now}
`

// If this process was delayed, the answer may be in the socket when the timer fires. setImmediate
// reads it first, so that our own delay is not blamed on Redis.
function withDeadline<T>(answer: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${deadlineMs} ms`))
    const timer = setTimeout(() => setImmediate(late), deadlineMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
