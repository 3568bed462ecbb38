// What the reports have in common: the choice of days and comparison, the download, printing.
import type { ComponentChildren } from 'preact'
import { type Comparison, comparisons, type Period } from '../../books/reports/report-days.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { csvHeaders } from '../../kernel/http/csv.ts'
import { TextField } from '../../kernel/web/form.tsx'
import type { PageAnswer } from '../../kernel/web/page.ts'
import { formatDay } from '../components/day.tsx'
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
  // What stays chosen besides the days, such as the account.
  kept?: Readonly<Record<string, string>>
}

const dayLabels: Readonly<Record<string, string>> = { from: 'From', to: 'To', as_of: 'On' }

export function ReportDays({ visit, path, days, choices, compare, isCompared, kept }: DaysProps) {
  const isChosen = (value: Readonly<Record<string, string>>) =>
    Object.entries(value).every(([name, day]) => days[name] === day)
  return (
    <div class="no-print">
      <nav class="filter-chips" aria-label="Periods">
        {choices.map(({ label, value }) => (
          <a
            key={label}
            href={visit.href(path, { ...kept, ...value, compare })}
            {...(isChosen(value) && { 'aria-current': 'true' as const })}
          >
            {label}
          </a>
        ))}
      </nav>
      <form class="filter-bar" method="get">
        {Object.entries(kept ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {Object.entries(days).map(([name, day]) => (
          <TextField
            key={name}
            name={name}
            label={dayLabels[name] ?? name}
            type="date"
            value={day}
          />
        ))}
        {isCompared && (
          <div class="mb-3">
            <label class="form-label" for="compare">
              Compare with
            </label>
            <select class="form-select" id="compare" name="compare">
              {Object.entries(comparisonLabels).map(([value, label]) => (
                <option key={value} value={value} selected={value === (compare ?? '')}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
        <button class="btn mb-3" type="submit">
          Show
        </button>
      </form>
    </div>
  )
}

type HeaderProps = {
  visit: Visit
  title: string
  lead: ComponentChildren
  csvHref: string
  // Beside downloading and printing.
  actions?: ComponentChildren
}

export function ReportHeader({ visit, title, lead, csvHref, actions }: HeaderProps) {
  return (
    <>
      <PageHeader
        back={{ href: visit.href(reportsPath), text: 'Reports' }}
        title={title}
        lead={lead}
        actions={
          <>
            <a class="btn" href={csvHref} data-turbo="false">
              Download CSV
            </a>
            <button class="btn" type="button" data-print hidden>
              Print or save as PDF
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
