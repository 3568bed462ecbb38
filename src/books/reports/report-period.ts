// The period of a report. As in the published reports, the default is this calendar year up to now.
import type { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { day } from '../../kernel/operations/schemas.ts'
import { type Organisation, today } from '../settings/organisation.ts'
import type { Period } from './report-days.ts'

export const periodInput = { from: day().optional(), to: day().optional() }

// Reports can be read as they were known at the end of an earlier day.
export const recordedInput = { recordedOn: day().optional() }

type WantedPeriod = {
  readonly [end in keyof typeof periodInput]?: z.output<(typeof periodInput)[end]>
}

export function periodOf(organisation: Organisation, now: Date, wanted: WantedPeriod): Period {
  const current = today(organisation, now)
  const to = wanted.to ?? current
  const from = wanted.from ?? `${current.slice(0, 4)}-01-01`
  if (from > to) throw invalidField('from', `Must not be after ${to}.`)
  return { from, to }
}
