// The limits of hosted pages, which anyone with the address can open without a key: per address of
// the visitor, so that one of them can't keep the server busy, and per object, so that a crowd at
// one link can't block the others. Phones of one mobile network may share an address, so the limits
// are generous. They follow RATE_LIMIT_PER_ADDRESS.
import { createHash } from 'node:crypto'
import { Fault } from '../basics/fault.ts'
import { addressKey, type RateLimiter } from '../http/rate-limit.ts'
import type { Page } from './page.ts'

export type HostedLimits = {
  readonly limiter: RateLimiter
  readonly limitPerAddress: number
}

// Pay, images, PDFs and uploads: each kind of page is also counted separately.
const costlyShare = 3
// Visitors of one object come from many addresses.
const addressesPerObject = 10

export async function limitHostedPage(
  { limiter, limitPerAddress }: HostedLimits,
  { hosted, path }: Pick<Page, 'hosted' | 'path'>,
  { address, object }: { readonly address: string; readonly object: string },
): Promise<void> {
  if (hosted === undefined) return
  const isCostly = hosted === 'costly'
  const limit = isCostly ? Math.ceil(limitPerAddress / costlyShare) : limitPerAddress
  const kind = isCostly ? path : 'hosted'
  for (const [key, most] of [
    [`${kind} ${addressKey(address)}`, limit],
    [`${kind} ${hashOf(object)}`, limit * addressesPerObject],
  ] as const) {
    const verdict = await limiter.take(key, most)
    if (verdict.allowed) continue
    const { retryAfterSeconds } = verdict
    throw new Fault('rate_limited', 'Too many requests. Wait a minute, then try again.', {
      retryAfterSeconds,
    })
  }
}

// Some page addresses are secrets, and the limits may be stored in Redis.
function hashOf(object: string): string {
  return createHash('sha256').update(object).digest('base64url')
}
