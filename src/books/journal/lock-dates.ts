// Lock dates: up to and including the soft one only owners and admins can post, up to and including
// the hard one no one can. The database enforces the hard one too.
import type { Actor } from '../../kernel/auth/actor.ts'
import { addDays } from '../../kernel/basics/calendar.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Organisation } from '../settings/organisation.ts'

export function requireOpenDate(
  { softLockedUntil, hardLockedUntil }: Organisation,
  actor: Actor,
  date: string,
): void {
  if (hardLockedUntil !== null && date <= hardLockedUntil) {
    throw invalidField(
      'date',
      `The books are locked up to and including ${hardLockedUntil}. Choose a later date.`,
    )
  }
  if (softLockedUntil !== null && date <= softLockedUntil && !mayPostBehindSoftLock(actor)) {
    throw invalidField(
      'date',
      `The books are locked up to and including ${softLockedUntil}. ` +
        'Choose a later date, or ask an owner or admin.',
    )
  }
}

function mayPostBehindSoftLock(actor: Actor): boolean {
  return actor.kind === 'person' && (actor.role === 'owner' || actor.role === 'admin')
}

// For facts that happened whether or not the books were open: that day, or the first unlocked one.
export function firstOpenDay(
  { softLockedUntil, hardLockedUntil }: Organisation,
  date: string,
): string {
  const locked = [softLockedUntil, hardLockedUntil].filter((day) => day !== null)
  const last = locked.reduce((latest, day) => (day > latest ? day : latest), '')
  return date > last ? date : addDays(last, 1)
}
