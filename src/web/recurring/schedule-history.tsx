// What a schedule made, the newest first, page by page, with the charge of each period.
import type { ScheduleStory } from '../../books/recurring/get-recurring.ts'
import { postRecurringJournal } from '../../books/recurring/post-recurring-journal.ts'
import type { NamedPeriod } from '../../books/recurring/recurring-schedule.ts'
import type { RecurringCard } from '../../bridge/get-recurring-card.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { Day } from '../components/day.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { paperHref } from '../documents/document-place.ts'
import { PaperStatus } from '../documents/paper-status.tsx'
import type { Visit } from '../shell/visit.ts'
import { PeriodCharge } from './saved-card.tsx'
import { recurringPath } from './schedule-looks.tsx'

type HistoryProps = {
  visit: Visit
  story: ScheduleStory
  charges: RecurringCard['charges']
  isOlder: boolean
}

export function ScheduleHistory({ visit, story, charges, isOlder }: HistoryProps) {
  const { schedule, periods, olderThan } = story
  const href = (before?: number) =>
    visit.href(`${recurringPath}/${schedule.id}`, { before: before?.toString() })
  if (periods.length === 0) {
    return <EmptyState title="Nothing yet">What it makes is listed here.</EmptyState>
  }
  return (
    <>
      <Table
        caption="What the schedule made"
        rows={periods}
        keyOf={({ number }) => String(number)}
        columns={[
          { label: 'Day', cell: ({ day }) => <Day of={day} /> },
          { label: 'Made', cell: (period) => <Made visit={visit} period={period} /> },
          ...(periods.some(({ charge }) => charge !== null)
            ? [
                {
                  label: 'Saved card',
                  cell: (period: NamedPeriod) => (
                    <PeriodCharge visit={visit} period={period} charges={charges} />
                  ),
                },
              ]
            : []),
          { label: 'Note', cell: ({ reason }) => reason },
        ]}
      />
      <Pager
        firstHref={isOlder ? href() : undefined}
        nextHref={olderThan === undefined ? undefined : href(olderThan)}
      />
    </>
  )
}

function Made({ visit, period }: { visit: Visit; period: NamedPeriod }) {
  const { status, documentId, documentKind, documentStatus, documentNumber, sequence } = period
  if (status === 'skipped') return <Badge tone="plain">Skipped</Badge>
  if (documentId !== null && documentKind !== null && documentStatus !== null) {
    return (
      <>
        <a href={paperHref(visit, { kind: documentKind, id: documentId })}>
          {documentNumber ?? 'Draft'}
        </a>{' '}
        <PaperStatus kind={documentKind} status={documentStatus} />
      </>
    )
  }
  if (sequence !== null) {
    return <a href={visit.href(`/journal/${sequence}`)}>Entry {sequence.toString()}</a>
  }
  const { scheduleId, number } = period
  if (!visit.may(postRecurringJournal)) return <Badge tone="unsure">Waits</Badge>
  return <a href={visit.href(`${recurringPath}/${scheduleId}/journals/${number}`)}>Post it</a>
}
