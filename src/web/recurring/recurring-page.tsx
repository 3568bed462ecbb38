// The list of schedules: what is made by itself, when next, and what it made last.
import { createRecurringDocument } from '../../books/recurring/create-recurring-document.ts'
import { createRecurringJournal } from '../../books/recurring/create-recurring-journal.ts'
import { listRecurring } from '../../books/recurring/list-recurring.ts'
import {
  type ListedSchedule,
  type RecurringStatus,
  recurringKinds,
} from '../../books/recurring/recurring-schedule.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { Day, formatDay } from '../components/day.tsx'
import { FilterChips } from '../components/filter-chips.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { everyText, kindLabels, recurringPath } from './schedule-looks.tsx'

const kinds = { invoice: 'Invoices', bill: 'Bills', journal: 'Manual journals' } as const

const statuses: Readonly<Record<RecurringStatus, string>> = {
  active: 'Active',
  paused: 'Paused',
  ended: 'Ended',
}

export const recurringPages = definePage({
  path: recurringPath,
  operation: listRecurring,
  async show(visit) {
    const kind = recurringKinds.find((one) => one === visit.query.get('kind'))
    const status = (Object.keys(statuses) as RecurringStatus[]).find(
      (one) => one === visit.query.get('status'),
    )
    const schedules = await visit.run(listRecurring, { kind, status })
    return {
      title: 'Recurring',
      content: (
        <>
          <PageHeader
            title="Recurring"
            lead="Invoices, bills and journals that are made by themselves."
            actions={<Actions visit={visit} />}
          />
          <FilterChips
            label="Kind"
            chosen={kind}
            choices={kinds}
            hrefOf={(one) => visit.href(recurringPath, { kind: one, status })}
          />
          <FilterChips
            label="State"
            chosen={status}
            choices={statuses}
            hrefOf={(one) => visit.href(recurringPath, { kind, status: one })}
          />
          {schedules.length > 0 ? (
            <Schedules visit={visit} schedules={schedules} />
          ) : (
            <EmptyState title={kind || status ? 'Nothing found' : 'Nothing recurs yet'}>
              {kind || status ? (
                <a href={visit.href(recurringPath)}>Show everything</a>
              ) : (
                'A schedule makes the same invoice or bill every week, month or year. Make a new one, or open a document and choose “Make recurring”.'
              )}
            </EmptyState>
          )}
        </>
      ),
    }
  },
})

function Actions({ visit }: { visit: Visit }) {
  if (!visit.may(createRecurringDocument)) return null
  return (
    <>
      {visit.may(createRecurringJournal) && (
        <a class="btn" href={visit.href(`${recurringPath}/new-journal`)}>
          New recurring journal
        </a>
      )}
      <a class="btn" href={visit.href(`${recurringPath}/new-bill`)}>
        New recurring bill
      </a>
      <a class="btn btn-primary" href={visit.href(`${recurringPath}/new-invoice`)}>
        New recurring invoice
      </a>
    </>
  )
}

function Schedules({ visit, schedules }: { visit: Visit; schedules: readonly ListedSchedule[] }) {
  return (
    <Table
      caption="Recurring schedules"
      rows={schedules}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`${recurringPath}/${id}`)}
      columns={[
        { label: 'Name', cell: ({ name }) => name },
        {
          label: 'Kind',
          cell: ({ kind, contactName }) =>
            [kindLabels[kind], contactName].filter(Boolean).join(', '),
        },
        { label: 'Rhythm', cell: everyText },
        {
          label: 'State',
          cell: ({ status, problem }) =>
            problem === null ? <Status of={status} /> : <Badge tone="bad">Needs you</Badge>,
        },
        { label: 'Next', cell: ({ nextDay }) => (nextDay === null ? '–' : <Day of={nextDay} />) },
        { label: 'Last', cell: (schedule) => <Last visit={visit} schedule={schedule} /> },
        {
          label: 'Amount',
          isNumber: true,
          cell: ({ totalMinor, currency }) =>
            totalMinor !== null &&
            currency !== null && <Money minor={totalMinor} currency={currency} />,
        },
      ]}
    />
  )
}

function Last({ visit, schedule }: { visit: Visit; schedule: ListedSchedule }) {
  const { kind, lastDay, lastDocumentId, lastNumber } = schedule
  if (lastDay === null) return <>–</>
  if (lastDocumentId === null) return <Day of={lastDay} />
  const place = kind === 'bill' ? '/bills' : '/invoices'
  return (
    <a href={visit.href(`${place}/${lastDocumentId}`)}>
      {lastNumber ?? `Draft of ${formatDay(lastDay)}`}
    </a>
  )
}
