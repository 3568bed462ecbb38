// When the provider is asked about a refund. Its messages only make this faster.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { isGivenUp, isOnlyLookedUp, type Refund } from './refund.ts'

const day = 24 * 60 * 60

// Well beyond the time after which the provider's list shows an accepted refund.
const absentAfterSeconds = 600
// Between the two lookups that must both miss a refund before it is given up.
const givenUpAfterSeconds = day
// How often, and for how long, a given-up refund is looked up.
export const givenUpLookSeconds = day
const givenUpLooksSeconds = 30 * day

// Often at first, then ever more rarely, at least every hour. Also when it can be sent again or
// given up, so that no one waits longer than necessary. Null means no more.
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

// From when on a lookup that does not find a sent refund proves something. Null before it is sent.
export function absentFrom({ sends, updatedAt }: Refund): Date | null {
  return sends === 0 ? null : addSeconds(updatedAt, absentAfterSeconds)
}

export function mayBeSent(refund: Refund, now: Date): boolean {
  if (isOnlyLookedUp(refund)) return false
  const from = absentFrom(refund)
  return from === null || from <= now
}

// Unless the provider has it. Null if it is never sent again, or not sent yet.
export function sentAgainFrom(refund: Refund): Date | null {
  return isOnlyLookedUp(refund) ? null : absentFrom(refund)
}

// The earliest time at which a sent refund that is only looked up fails, unless the provider has
// it. Null for others.
export function givenUpFrom(refund: Refund): Date | null {
  const first = refund.firstAbsentAt ?? absentFrom(refund)
  if (!isOnlyLookedUp(refund) || first === null) return null
  return addSeconds(first, givenUpAfterSeconds)
}
