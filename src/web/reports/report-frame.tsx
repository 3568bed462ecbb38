// What the reports have in common: the choice of days and comparison, the download, printing.

import type { ComponentChildren } from 'preact'
import { type Comparison, comparisons, type Period } from '../../books/reports/report-days.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { csvHeaders } from '../../kernel/http/csv.ts'
import { TextField } from '../../kernel/web/form.tsx'
import type { PageAnswer } from '../../kernel/web/page.ts'
import { formatDay } from '../components/day.tsx'
import { dateFormat } from '../components/locale.ts'
import { PageHeader } from '../components/page-header.tsx'
import type { Visit } from '../shell/visit.ts'
import { type Choice, dayChoices, periodChoices } from './report-presets.ts'
import { type Statement, statementCsv } from './statement.tsx'

export const reportsPath = '/reports'

const comparisonLabels = {
  '': 'Nothing',
  previous_period: 'Period before',
  previous_year: 'Year before',
} as const

export function comparisonOf({ query }: Visit): Comparison | undefined {
  return comparisons.find((one) => one === query.get('compare'))
}

// An empty field of the form is one that was not filled in.
export function dayOf({ query }: Visit, name: string): string | undefined {
  return query.get(name) || undefined
}

export function periodText({ from, to }: Period): string {
  return `${formatDay(from)} to ${formatDay(to)}`
}

const monthFormat = {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
} as const

export function monthText({ from }: Pick<Period, 'from'>): string {
  return dateFormat(monthFormat).format(new Date(`${from}T00:00:00Z`))
}

export async function readCalendar(visit: Visit) {
  const organisation = await visit.run(getOrganisation, {})
  const now = today(organisation, visit.context.clock.now())
  return {
    periods: periodChoices(now, organisation.fiscalYearStartMonth),
    days: dayChoices(now, organisation.fiscalYearStartMonth),
  }
}

type DaysProps = {
  visit: Visit
  path: string
  // The fields and what they hold.
  days: Readonly<Record<string, string>>
  choices: readonly Choice<Readonly<Record<string, string>>>[]
  compare?: Comparison | undefined
  isCompared?: boolean
  // The day up to whose end entries count; an empty text for all of them.
  recordedOn?: string
  // Whether each month has a column; undefined if the report can't have them.
  isMonthly?: boolean
}

const dayLabels: Readonly<Record<string, string>> = { from: 'From', to: 'To', as_of: 'On' }

export function ReportDays({ visit, path, days, choices, ...looks }: DaysProps) {
  const { compare, isCompared, recordedOn, isMonthly } = looks
  const kept = {
    compare,
    recorded_on: recordedOn,
    columns: isMonthly ? 'months' : undefined,
  }
  const isChosen = (value: Readonly<Record<string, string>>) =>
    Object.entries(value).every(([name, day]) => days[name] === day)
  return (
    <div class="no-print">
      <nav class="filter-chips" aria-label="Periods">
        {choices.map(({ label, value }) => (
          <a
            key={label}
            href={visit.href(path, { ...value, ...kept })}
            {...(isChosen(value) && { 'aria-current': 'true' as const })}
          >
            {label}
          </a>
        ))}
      </nav>
      <form class="filter-bar report-filter" method="get">
        {Object.entries(days).map(([name, day]) => (
          <TextField
            key={name}
            name={name}
            label={dayLabels[name] ?? name}
            type="date"
            value={day}
          />
        ))}
        {isMonthly !== undefined && (
          <Choices
            name="columns"
            label="Columns"
            chosen={isMonthly ? 'months' : ''}
            choices={{ '': 'Whole period', months: 'Months' }}
          />
        )}
        {isCompared && (
          <Choices
            name="compare"
            label="Compare with"
            chosen={compare ?? ''}
            choices={comparisonLabels}
          />
        )}
        {recordedOn !== undefined && (
          <TextField
            name="recorded_on"
            label="As recorded on (optional)"
            type="date"
            value={recordedOn}
            isOptional
          />
        )}
        <button class="btn mb-3" type="submit">
          Show
        </button>
      </form>
    </div>
  )
}

type ChoicesProps = {
  name: string
  label: string
  chosen: string
  choices: Readonly<Record<string, string>>
}

function Choices({ name, label, chosen, choices }: ChoicesProps) {
  return (
    <div class="mb-3">
      <label class="form-label" for={name}>
        {label}
      </label>
      <select class="form-select" id={name} name={name}>
        {Object.entries(choices).map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

type HeaderProps = {
  visit: Visit
  title: string
  lead: ComponentChildren
  fileHref(type: 'csv' | 'pdf'): string
  // Beside downloading and printing.
  actions?: ComponentChildren
}

export function ReportHeader({ visit, title, lead, fileHref, actions }: HeaderProps) {
  return (
    <>
      <PageHeader
        back={{ href: visit.href(reportsPath), text: 'Reports' }}
        title={title}
        lead={lead}
        actions={
          <>
            <a class="btn" href={fileHref('pdf')} data-turbo="false">
              Download PDF
            </a>
            <a class="btn" href={fileHref('csv')} data-turbo="false">
              Download CSV
            </a>
            <button class="btn" type="button" data-print hidden>
              Print
            </button>
            {actions}
          </>
        }
      />
      <p class="print-head">
        {visit.membership.businessName}: {title}, {lead}
      </p>
    </>
  )
}

export function csvAnswer(name: string, statement: Statement): PageAnswer {
  return { status: 200, headers: csvHeaders(`${name}.csv`), body: statementCsv(statement) }
}
