// How schedules are named and read in a form.
import { placeholderValues } from '../../books/recurring/placeholders.ts'
import {
  type RecurringKind,
  type RecurringMode,
  type RecurringSchedule,
  type Rhythm,
  rhythmText,
} from '../../books/recurring/recurring-schedule.ts'
import type { ScheduleInput } from '../../books/recurring/schedule-input.ts'
import type { IntervalUnit } from '../../kernel/basics/interval.ts'
import { Card } from '../../kernel/web/components.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import type { Draft } from '../shell/define-page.ts'

export const recurringPath = '/recurring'

export const kindLabels: Readonly<Record<RecurringKind, string>> = {
  invoice: 'Invoice',
  bill: 'Bill',
  journal: 'Manual journal',
}

const modeLabels: Readonly<Record<RecurringKind, Partial<Record<RecurringMode, string>>>> = {
  invoice: {
    draft: 'Leave it as a draft',
    post: 'Issue it',
    send: 'Issue it and mail it to the customer',
  },
  bill: { draft: 'Leave it as a draft', post: 'Approve it' },
  journal: { draft: 'Let a person post it', post: 'Post it' },
}

export function modeText({ kind, mode }: Pick<RecurringSchedule, 'kind' | 'mode'>): string {
  return modeLabels[kind][mode] ?? mode
}

// `Every month`
export function everyText(rhythm: Rhythm): string {
  const text = rhythmText(rhythm)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const units: Readonly<Record<IntervalUnit, string>> = {
  day: 'days',
  week: 'weeks',
  month: 'months',
  year: 'years',
}

type FieldsProps = {
  draft: Draft
  kind: RecurringKind
  initial: Partial<Pick<RecurringSchedule, 'name' | 'mode' | 'nextDay' | 'endDay' | 'times'>> &
    Partial<Pick<RecurringSchedule, 'intervalUnit' | 'intervalCount'>> & {
      readonly dueDays?: number | null
    }
}

export function ScheduleFields({ draft, kind, initial }: FieldsProps) {
  const number = (value: number | null | undefined) => (value == null ? '' : String(value))
  return (
    <div class="card mb-3">
      <div class="card-body">
        <h2 class="card-title">Schedule</h2>
        <div class="editor-head">
          <DraftText draft={draft} name="name" label="Name" initial={initial.name ?? ''} />
          <DraftText
            draft={draft}
            name="intervalCount"
            label="Every"
            initial={number(initial.intervalCount ?? 1)}
          />
          <DraftSelect
            draft={draft}
            name="intervalUnit"
            label="Unit"
            initial={initial.intervalUnit ?? 'month'}
            choices={units}
          />
          <DraftText
            draft={draft}
            name="nextDay"
            label="Next on"
            type="date"
            hint="On the 31st: the last day of shorter months."
            initial={initial.nextDay ?? ''}
          />
          <DraftSelect
            draft={draft}
            name="mode"
            label="When its day has come"
            initial={initial.mode ?? 'draft'}
            choices={modeLabels[kind] as Readonly<Record<string, string>>}
          />
          {kind !== 'journal' && (
            <DraftText
              draft={draft}
              name="dueDays"
              label="Due after days"
              hint="Empty: the terms of the contact."
              initial={number(initial.dueDays)}
              isOptional
            />
          )}
          <DraftText
            draft={draft}
            name="endDay"
            label="Last day"
            type="date"
            hint="Empty: no end."
            initial={initial.endDay ?? ''}
            isOptional
          />
          <DraftText
            draft={draft}
            name="times"
            label="Or how many in all"
            initial={number(initial.times)}
            isOptional
          />
        </div>
      </div>
    </div>
  )
}

export function readSchedule(form: URLSearchParams): ScheduleInput {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const whole = (name: string) => Number.parseInt(text(name), 10)
  return {
    name: text('name'),
    mode: text('mode') as RecurringMode,
    intervalUnit: text('intervalUnit') as IntervalUnit,
    intervalCount: whole('intervalCount'),
    nextDay: text('nextDay'),
    ...(text('endDay') !== '' && { endDay: text('endDay') }),
    ...(text('times') !== '' && { times: whole('times') }),
  }
}

export function readDueDays(form: URLSearchParams): { dueDays?: number } {
  const text = (form.get('dueDays') ?? '').trim()
  return text === '' ? {} : { dueDays: Number.parseInt(text, 10) }
}

type PlaceholdersProps = {
  // Of the next one, as an example.
  day: string
  nextDay: string
  number: number
  locale: string
}

export function Placeholders(props: PlaceholdersProps) {
  return (
    <Card title="Placeholders">
      <p>Write these in a text, and each document has its own. The next one would say:</p>
      <dl class="facts">
        {Object.entries(placeholderValues(props)).map(([name, value]) => (
          <>
            <dt>
              <code>{`{${name}}`}</code>
            </dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </Card>
  )
}
