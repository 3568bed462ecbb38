// One schedule: what it makes, when next, what it made, and what stops it.
import { scheduleGuard } from '../../books/recurring/change-schedule.ts'
import { getRecurring, type ScheduleStory } from '../../books/recurring/get-recurring.ts'
import { fillPlaceholders } from '../../books/recurring/placeholders.ts'
import { dayOf } from '../../books/recurring/recurring-schedule.ts'
import { getRecurringCard } from '../../bridge/get-recurring-card.ts'
import { Alert, Card } from '../../kernel/web/components.tsx'
import { actorText, actTitle } from '../components/act-text.ts'
import { ActionButton } from '../components/app-form.tsx'
import { Day, formatDay } from '../components/day.tsx'
import { Facts } from '../components/facts.tsx'
import { formatMoney } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { Table } from '../components/table.tsx'
import { type Happening, Timeline } from '../components/timeline.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { SavedCard } from './saved-card.tsx'
import { ScheduleHistory } from './schedule-history.tsx'
import { everyText, kindLabels, modeText, recurringPath } from './schedule-looks.tsx'

const shownMax = 50

function readBefore(query: URLSearchParams): number | undefined {
  const text = query.get('before') ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number.parseInt(text, 10) : undefined
}

type StoryProps = { visit: Visit; story: ScheduleStory }

export const schedulePages = definePage({
  path: `${recurringPath}/:id`,
  operation: getRecurring,
  async show(visit) {
    const before = readBefore(visit.query)
    const story = await visit.run(getRecurring, { id: visit.param('id'), before, limit: shownMax })
    const { schedule, contact } = story
    const card = await visit.run(getRecurringCard, { id: schedule.id })
    return {
      title: schedule.name,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(recurringPath), text: 'Recurring' }}
            title={
              <>
                {schedule.name} <Status of={schedule.status} />
              </>
            }
            lead={
              <>
                {kindLabels[schedule.kind]}
                {contact && (
                  <>
                    {schedule.kind === 'invoice' ? ' to ' : ' from '}
                    <a href={visit.href(`/contacts/${contact.id}`)}>{contact.name}</a>
                  </>
                )}
              </>
            }
            actions={<Actions visit={visit} story={story} />}
          />
          <Problem visit={visit} story={story} />
          <div class="stack">
            <div class="split">
              <Card title="Schedule">
                <ScheduleFacts story={story} />
              </Card>
              <Card title="Coming next">
                <Upcoming story={story} />
              </Card>
            </div>
            {schedule.kind === 'invoice' && (
              <SavedCard visit={visit} schedule={schedule} card={card} />
            )}
            <TemplateLines story={story} />
            <section>
              <h2>Made so far</h2>
              <ScheduleHistory
                visit={visit}
                story={story}
                charges={card.charges}
                isOlder={before !== undefined}
              />
            </section>
            <Card title="Timeline">
              <Timeline happenings={story.acts.map(happening)} zone={visit.zone} />
            </Card>
          </div>
        </>
      ),
    }
  },
})

function Actions({ visit, story: { schedule } }: StoryProps) {
  const { id, kind, status } = schedule
  if (!visit.may(scheduleGuard(kind)) || status === 'ended') return null
  const href = (act: string) => visit.href(`${recurringPath}/${id}/${act}`)
  const token = () => visit.context.ids.uuid()
  return (
    <>
      <a class="btn" href={href(kind === 'journal' ? 'edit-journal' : 'edit')}>
        Edit
      </a>
      {status === 'active' ? (
        <ActionButton action={href('pause')} token={token()} label="Pause" />
      ) : (
        <ActionButton action={href('resume')} token={token()} label="Resume" isPrimary />
      )}
      <a class="btn" href={href('skip')}>
        Skip next
      </a>
      <a class="btn" href={href('end')}>
        End
      </a>
    </>
  )
}

function Problem({ visit, story: { schedule } }: StoryProps) {
  const { id, problem, nextDay, kind } = schedule
  if (problem === null || nextDay === null) return null
  return (
    <div class="mb-3">
      <Alert tone="bad">
        <p>
          <strong>
            The {kindLabels[kind].toLowerCase()} of {formatDay(nextDay)} could not be made:
          </strong>{' '}
          {problem}
        </p>
        <p>It is tried again every hour. Correct what is wrong, or skip this one.</p>
        {visit.may(scheduleGuard(kind)) && (
          <ActionButton
            action={visit.href(`${recurringPath}/${id}/retry`)}
            token={visit.context.ids.uuid()}
            label="Try again now"
          />
        )}
      </Alert>
    </div>
  )
}

function ScheduleFacts({ story: { schedule, organisation } }: { story: ScheduleStory }) {
  const { currency, totalMinor, endDay, times, madeCount, mode, kind } = schedule
  const waits = organisation.approvalsOn && mode !== 'draft' && kind !== 'journal'
  return (
    <Facts
      facts={[
        ['Rhythm', everyText(schedule)],
        [
          'On its day',
          <>
            {modeText(schedule)}
            {waits && '. Approvals are on, so it is submitted for approval instead.'}
          </>,
        ],
        totalMinor !== null && currency !== null && ['Amount', formatMoney(totalMinor, currency)],
        ['Made', times === null ? String(madeCount) : `${madeCount} of ${times}`],
        endDay !== null && ['Last day', <Day of={endDay} />],
      ]}
    />
  )
}

function Upcoming({ story: { schedule, upcoming } }: { story: ScheduleStory }) {
  if (upcoming.length === 0) return <p class="quiet mb-0">Nothing: the schedule has ended.</p>
  return (
    <>
      {schedule.status === 'paused' && (
        <p class="quiet">Paused. Days that pass until it is resumed are skipped.</p>
      )}
      <ol class="mb-0">
        {upcoming.map((day) => (
          <li key={day}>
            <Day of={day} />
          </li>
        ))}
      </ol>
    </>
  )
}

// As the template has them, and as the next one will say.
function TemplateLines({ story: { schedule, organisation } }: { story: ScheduleStory }) {
  const { template, nextDay, nextNumber: number } = schedule
  const { locale } = organisation
  const day = nextDay ?? schedule.anchorDay
  const period = { day, nextDay: dayOf(schedule, number + 1), number, locale }
  const rows = template.lines.map((line, index) => ({ index, text: line.description ?? '' }))
  return (
    <section>
      <h2>Texts</h2>
      <Table
        caption="Texts of the template"
        rows={rows}
        keyOf={({ index }) => String(index)}
        columns={[
          { label: 'Template', cell: ({ text }) => <span class="pre-line">{text}</span> },
          {
            label: 'The next one says',
            cell: ({ text }) => <span class="pre-line">{fillPlaceholders(text, period)}</span>,
          },
        ]}
      />
    </section>
  )
}

function happening(act: ScheduleStory['acts'][number]): Happening {
  const { day, reason } = act.detail as Record<string, unknown>
  const detail = [
    `By ${actorText(act)}`,
    typeof day === 'string' && `Of ${formatDay(day)}`,
    typeof reason === 'string' && reason,
  ]
  return { at: act.at, title: actTitle(act), detail: detail.filter(Boolean).join('. ') }
}
