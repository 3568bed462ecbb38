// When the provider is asked about a payout. Its messages only make that quicker: they may never
// come, and are not repeated.
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Payout } from './payout.ts'

const hour = 3600

// Longer than the provider may take to answer whoever sent it, who settles it then; the resolver
// comes after that.
export const pollAfterSendSeconds = 60

// Well beyond the time after which the provider's list shows what it has taken on.
const resendAfterSeconds = 600

// A second send that was refused is most likely the duplicate's refusal. When the provider still
// knows nothing of the reference a day later, there was no first.
const refusalHoldsSeconds = 24 * hour

// Banks return transfers days after they took them.
const followUpsSeconds = [hour, 6 * hour, 24 * hour, 3 * 24 * hour, 7 * 24 * hour]

// Often while it is young, then ever more seldom, at least every hour; after the end a few times.
// In any case when it may be sent again, so that nobody waits longer for that than must be.
export function nextLookAt(payout: Payout, now: Date): Date | null {
  if (payout.endedAt) return followUpAt(payout.endedAt, now)
  const ageSeconds = (now.getTime() - payout.updatedAt.getTime()) / 1000
  const next = addSeconds(now, Math.min(Math.max(ageSeconds / 4, 15), hour))
  const again = sentAgainFrom(payout)
  return again !== null && again > now && again < next ? again : next
}

export function firstFollowUpAt(endedAt: Date): Date | null {
  return followUpAt(endedAt, endedAt)
}

function followUpAt(endedAt: Date, now: Date): Date | null {
  const times = followUpsSeconds.map((seconds) => addSeconds(endedAt, seconds))
  return times.find((time) => time > now) ?? null
}

export function mayBeSentAgain(payout: Payout, now: Date): boolean {
  const from = sentAgainFrom(payout)
  return from !== null && from <= now
}

// Unless the provider turns out to know it. Null before it is sent, and after a refusal.
export function sentAgainFrom({ sentAt, refusedAt }: Payout): Date | null {
  if (sentAt === null || refusedAt !== null) return null
  return addSeconds(sentAt, resendAfterSeconds)
}

export function isRefusalCertain(payout: Payout, now: Date): boolean {
  const from = refusalCertainFrom(payout)
  return from !== null && from <= now
}

export function refusalCertainFrom({ refusedAt }: Payout): Date | null {
  return refusedAt && addSeconds(refusedAt, refusalHoldsSeconds)
}
