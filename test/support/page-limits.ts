// Limits of hosted pages that no test meets.
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createRateLimiter } from '../../src/kernel/http/rate-limit.ts'
import type { HostedLimits } from '../../src/kernel/web/hosted-limits.ts'

export function generousLimits(): HostedLimits {
  const limiter = createRateLimiter({ nowMs: systemClock.monotonicMs })
  return { limiter, limitPerAddress: 1_000_000 }
}
