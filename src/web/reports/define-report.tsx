// A report as a page, as CSV and as PDF: the same statements in each. Days, comparison and the day
// of recording are in the address, so a link shows the same period tomorrow.
import type { VNode } from 'preact'
import type { Comparison } from '../../books/reports/report-days.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { CopyLine } from '../components/copy-line.tsx'
import { formatDay } from '../components/day.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import {
  comparisonOf,
  csvAnswer,
  dayOf,
  ReportDays,
  ReportHeader,
  readCalendar,
  reportsPath,
} from './report-frame.tsx'
import { pdfAnswer, printedStatement } from './report-pdf.ts'
import { type Statement, StatementTable } from './statement.tsx'

// What the address asks for.
type ReportQuery = {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly asOf: string | undefined
  readonly compare: Comparison | undefined
  readonly recordedOn: string | undefined
  readonly isMonthly: boolean
}

type Days = { readonly from: string; readonly to: string } | { readonly as_of: string }

type Definition<Report> = {
  readonly name: string
  readonly title: string
  readonly operation: Pick<Operation<never>, 'name' | 'kind' | 'scopes' | 'roles' | 'peopleOnly'>
  readonly isOfDay?: boolean
  readonly isCompared?: boolean
  // Whether it can have a column for each month.
  readonly hasMonths?: boolean
  read(visit: Visit, query: ReportQuery): Promise<Report & Days>
  lead(report: Report & Days): string
  // The first is the CSV.
  statements(visit: Visit, report: Report & Days): readonly Statement[]
  empty?(report: Report & Days): VNode | undefined
  chart?(report: Report & Days): VNode | undefined
  actions?(visit: Visit, report: Report & Days): VNode | null
  note?: string
}

export function defineReport<Report>(definition: Definition<Report>): AppRoute[] {
  const { name, operation } = definition
  const path = `${reportsPath}/${name}`
  const page = definePage({
    path,
    operation,
    async show(visit) {
      const query = queryOf(visit, definition.hasMonths === true)
      const [report, calendar] = await Promise.all([
        definition.read(visit, query),
        readCalendar(visit),
      ])
      const choices = definition.isOfDay
        ? calendar.days.map(({ label, value }) => ({ label, value: { as_of: value } }))
        : calendar.periods
      const days = daysOf(report)
      const chosen = keptOf(query)
      const empty = definition.empty?.(report)
      return {
        title: definition.title,
        content: (
          <>
            <ReportHeader
              visit={visit}
              title={definition.title}
              lead={leadOf(definition, report, query)}
              fileHref={(type) => visit.href(`${path}.${type}`, { ...days, ...chosen })}
              actions={definition.actions?.(visit, report)}
            />
            <ReportDays
              visit={visit}
              path={path}
              days={days}
              choices={choices}
              compare={query.compare}
              isCompared={definition.isCompared === true}
              recordedOn={query.recordedOn ?? ''}
              {...(definition.hasMonths && { isMonthly: query.isMonthly })}
            />
            {empty ?? (
              <>
                {definition.chart?.(report)}
                {definition.statements(visit, report).map((statement) => (
                  <StatementTable key={statement.caption} {...statement} />
                ))}
              </>
            )}
            {definition.note && <p class="quiet mt-3">{definition.note}</p>}
            <PermanentLink
              href={`${visit.context.publicUrl}${visit.href(path, { ...days, ...chosen })}`}
            />
          </>
        ),
      }
    },
  })
  const csv = definePage({
    path: `${path}.csv`,
    operation,
    async show(visit) {
      const report = await definition.read(visit, queryOf(visit, definition.hasMonths === true))
      const [statement] = definition.statements(visit, report)
      return csvAnswer(
        fileNameOf(name, report),
        assertDefined(statement, 'a report without a statement'),
      )
    },
  })
  const pdf = definePage({
    path: `${path}.pdf`,
    operation,
    async show(visit) {
      const query = queryOf(visit, definition.hasMonths === true)
      const report = await definition.read(visit, query)
      const statements = definition.statements(visit, report)
      return pdfAnswer(visit, fileNameOf(name, report), {
        title: definition.title,
        lead: leadOf(definition, report, query),
        currency: assertDefined(statements[0], 'a report without a statement').currency,
        tables: statements.map(printedStatement),
        note: definition.note ?? null,
      })
    },
  })
  return [...page, ...csv, ...pdf]
}

function fileNameOf(name: string, report: Days): string {
  return `${name}-${Object.values(daysOf(report)).join('-to-')}`
}

function PermanentLink({ href }: { href: string }) {
  return (
    <details class="no-print mt-3">
      <summary>Link to this report</summary>
      <p class="quiet">It shows the same period to everyone in your team, tomorrow too.</p>
      <CopyLine id="report-link" label="Link to this report" text={href} />
    </details>
  )
}

function queryOf(visit: Visit, hasMonths = false): ReportQuery {
  return {
    from: dayOf(visit, 'from'),
    to: dayOf(visit, 'to'),
    asOf: dayOf(visit, 'as_of'),
    compare: comparisonOf(visit),
    recordedOn: dayOf(visit, 'recorded_on'),
    isMonthly: hasMonths && visit.query.get('columns') === 'months',
  }
}

function keptOf({ compare, recordedOn, isMonthly }: ReportQuery) {
  return { compare, recorded_on: recordedOn, columns: isMonthly ? 'months' : undefined }
}

function daysOf(report: Days): Record<string, string> {
  if ('as_of' in report) return { as_of: report.as_of }
  return { from: report.from, to: report.to }
}

function leadOf<Report>(
  { lead }: Definition<Report>,
  report: Report & Days,
  { recordedOn }: ReportQuery,
): string {
  const own = lead(report)
  return recordedOn ? `${own}. As recorded on ${formatDay(recordedOn)}` : own
}
