// When the provider is asked about a refund. Its messages only make that quicker.
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Refund } from './refund.ts'

// Well beyond the time after which the provider's list shows what it has taken on.
const resendAfterSeconds = 600

// Often while it is young, then ever more seldom, at least every hour; and in any case when it may
// be sent again, so that nobody waits longer for that than must be.
export function nextLookAt(refund: Refund, now: Date): Date {
  const ageSeconds = (now.getTime() - refund.createdAt.getTime()) / 1000
  const next = addSeconds(now, Math.min(Math.max(ageSeconds / 4, 15), 3600))
  const again = sentAgainFrom(refund)
  return again !== null && again > now && again < next ? again : next
}

export function mayBeSent(refund: Refund, now: Date): boolean {
  const from = sentAgainFrom(refund)
  return from === null || from <= now
}

// Unless the provider turns out to have it. Null before it is sent.
export function sentAgainFrom({ sends, updatedAt }: Refund): Date | null {
  return sends === 0 ? null : addSeconds(updatedAt, resendAfterSeconds)
}
