// When the provider is asked about a payout. Its messages only make this faster: they may never
// come, and are not repeated.
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Payout } from './payout.ts'

const hour = 3600

// Longer than the provider can take to answer the sender, who then settles the payout. The resolver
// comes after that.
export const pollAfterSendSeconds = 60

// Well beyond the time after which the provider's list shows an accepted transfer.
const resendAfterSeconds = 600

// If a second send is refused, it is most likely refused as a duplicate. If the provider still does
// not know the reference a day later, there was no first transfer.
const refusalHoldsSeconds = 24 * hour

// Banks return transfers days after they accepted them.
const followUpsSeconds = [hour, 6 * hour, 24 * hour, 3 * 24 * hour, 7 * 24 * hour]

// Often at first, then ever more rarely, at least every hour; after the end a few times. Also when
// it can be sent again, so that no one waits longer than necessary.
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

// Unless the provider knows it. Null before it is sent, and after a refusal.
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
