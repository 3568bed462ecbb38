// The days of a list of settlements, in UTC, and the moments at which they begin and end.
import { addDays } from '../../kernel/basics/calendar.ts'
import { addMilliseconds } from '../../kernel/basics/clock.ts'
import { invalidField } from '../../kernel/basics/fault.ts'

const daysDefault = 30

export type SettledDays = { readonly from: string; readonly to: string }

type Wanted = { readonly from?: string | undefined; readonly to?: string | undefined }

export function settledDays({ from, to }: Wanted, now: Date): SettledDays {
  const last = to ?? dayOf(now)
  const first = from ?? addDays(last, 1 - daysDefault)
  if (first > last) throw invalidField('from', 'Must not be after `to`.')
  return { from: first, to: last }
}

// The watermark itself is part of the range: a payment may have settled in this millisecond.
export function settledMoments(
  { from, to }: SettledDays,
  now: Date,
): { since: Date; before: Date } {
  const end = startOf(addDays(to, 1))
  const watermark = addMilliseconds(now, 1)
  return { since: startOf(from), before: end < watermark ? end : watermark }
}

const startOf = (date: string) => new Date(`${date}T00:00:00.000Z`)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
