// When the provider is asked about a refund. Its messages only make this faster.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { isGivenUp, isOnlyLookedUp, type Refund } from './refund.ts'

const day = 24 * 60 * 60

// Well beyond the time after which the provider's list shows what it has taken on.
const absentAfterSeconds = 600
// Between the two look-ups that must both miss a refund before it is given up.
const givenUpAfterSeconds = day
// How often, and for how long, a refund that was given up is looked for.
export const givenUpLookSeconds = day
const givenUpLooksSeconds = 30 * day

// Often while it is young, then ever more seldom, at least every hour; and in any case when it may
// be sent again or given up, so that nobody waits longer for that than must be. Null: not any more.
export function nextLookAt(refund: Refund, now: Date): Date | null {
  if (isGivenUp(refund)) return nextLookAtGivenUp(refund, now)
  const ageSeconds = (now.getTime() - refund.createdAt.getTime()) / 1000
  const next = addSeconds(now, Math.min(Math.max(ageSeconds / 4, 15), 3600))
  const steps = [absentFrom(refund), givenUpFrom(refund)]
  const ahead = steps.flatMap((at) => (at !== null && at > now && at < next ? [at] : []))
  return ahead[0] ?? next
}

function nextLookAtGivenUp({ givenUpAt }: Refund, now: Date): Date | null {
  const isOver = givenUpAt !== null && addSeconds(givenUpAt, givenUpLooksSeconds) <= now
  return isOver ? null : addSeconds(now, givenUpLookSeconds)
}

// From when on a look-up that does not find a sent refund proves something. Null before it is sent.
export function absentFrom({ sends, updatedAt }: Refund): Date | null {
  return sends === 0 ? null : addSeconds(updatedAt, absentAfterSeconds)
}

export function mayBeSent(refund: Refund, now: Date): boolean {
  if (isOnlyLookedUp(refund)) return false
  const from = absentFrom(refund)
  return from === null || from <= now
}

// Unless the provider turns out to have it. Null: not at all, or not before it is sent once.
export function sentAgainFrom(refund: Refund): Date | null {
  return isOnlyLookedUp(refund) ? null : absentFrom(refund)
}

// When a refund that was sent and is only looked up fails, at the earliest, unless the provider
// turns out to have it. Null for others.
export function givenUpFrom(refund: Refund): Date | null {
  const first = refund.firstAbsentAt ?? absentFrom(refund)
  if (!isOnlyLookedUp(refund) || first === null) return null
  return addSeconds(first, givenUpAfterSeconds)
}
