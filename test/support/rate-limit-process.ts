// A separate process with its own limiter, controlled over IPC. Run as: node rate-limit-process.ts
// <redis url>
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import { createRedisRateLimiter } from '../../src/kernel/http/rate-limit-redis.ts'

export type TakeOrder = { key: string; limit: number; times: number }
export type TakeReport = { allowed: number; refused: number; fallbacks: number }

let fallbacks = 0
const limiter = createRedisRateLimiter({
  url: process.argv[2] ?? '',
  log: createLog('silent'),
  nowMs: systemClock.monotonicMs,
  onFallback: () => {
    fallbacks += 1
  },
  // The machine may be slow; only an answer counts.
  deadlineMs: 30_000,
})

const poll = setInterval(() => {
  if (!limiter.isShared()) return
  clearInterval(poll)
  process.send?.('shared')
}, 5)

process.on('message', async ({ key, limit, times }: TakeOrder) => {
  const report: TakeReport = { allowed: 0, refused: 0, fallbacks: 0 }
  const verdicts = Array.from({ length: times }, () => limiter.take(key, limit))
  for (const verdict of await Promise.all(verdicts)) {
    report[verdict.allowed ? 'allowed' : 'refused'] += 1
  }
  report.fallbacks = fallbacks
  process.send?.(report)
})
process.on('disconnect', () => {
  clearInterval(poll)
  limiter.close()
})
