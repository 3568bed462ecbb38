// Recurring journals: the schedule with its journal, and the journals that wait for a person.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { getManualJournal } from '../../books/journal/get-manual-journal.ts'
import { createRecurringJournal } from '../../books/recurring/create-recurring-journal.ts'
import { discardRecurringJournal } from '../../books/recurring/discard-recurring-journal.ts'
import { editRecurringJournal } from '../../books/recurring/edit-recurring-journal.ts'
import { getRecurring } from '../../books/recurring/get-recurring.ts'
import { postRecurringJournal } from '../../books/recurring/post-recurring-journal.ts'
import { dayOf } from '../../books/recurring/recurring-schedule.ts'
import type { JournalTemplate } from '../../books/recurring/recurring-template.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { periodStart } from '../../kernel/basics/interval.ts'
import { formatDay } from '../components/day.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { JournalLines, journalValues, readJournal } from '../journal/journal-lines.tsx'
import { templateOf } from '../journal/template-pages.tsx'
import { type AppRoute, type Draft, defineForm } from '../shell/define-page.ts'
import { tokenField } from '../shell/token-field.ts'
import type { Visit } from '../shell/visit.ts'
import { Placeholders, readSchedule, recurringPath, ScheduleFields } from './schedule-looks.tsx'

const month = { unit: 'month', count: 1 } as const

// A form that was sent keeps what was typed.
function filled(draft: Draft, journal: JournalTemplate | undefined): Draft {
  if (!journal || draft.values.has(tokenField)) return draft
  return { ...draft, values: journalValues(journal) }
}

async function JournalFields({ visit, draft }: { visit: Visit; draft: Draft }) {
  const accounts = (await visit.run(listAccounts, {})).filter(({ active }) => active)
  return (
    <>
      <DraftText draft={draft} name="description" label="Description" />
      <JournalLines draft={draft} accounts={accounts} />
    </>
  )
}

const newForm = defineForm({
  path: `${recurringPath}/new-journal`,
  operation: createRecurringJournal,
  async input(visit, form) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    return { ...readSchedule(form), ...readJournal(form, baseCurrency) }
  },
  async show(visit, fresh) {
    const organisation = await visit.run(getOrganisation, {})
    const id = fresh.values.get('journal')
    const journal = id ? await visit.run(getManualJournal, { id }) : undefined
    const draft = filled(fresh, journal && templateOf(journal, organisation.baseCurrency))
    const current = today(organisation, visit.context.clock.now())
    const nextDay = journal ? nextMonth(journal.date, current) : current
    return formPage({
      title: 'New recurring journal',
      back: { href: visit.href(recurringPath), text: 'Recurring' },
      draft,
      submit: 'Save schedule',
      isWide: true,
      children: (
        <>
          <ScheduleFields draft={draft} kind="journal" initial={{ nextDay }} />
          {await JournalFields({ visit, draft })}
        </>
      ),
      below: (
        <div class="mt-4">
          <Placeholders
            day={nextDay}
            nextDay={periodStart(nextDay, month, 2)}
            number={1}
            locale={visit.locale}
          />
        </div>
      ),
    })
  },
  done,
})

function nextMonth(date: string, current: string): string {
  let number = 2
  while (periodStart(date, month, number) < current) number += 1
  return periodStart(date, month, number)
}

function done(visit: Visit, { id }: { id: string }) {
  return { location: visit.href(`${recurringPath}/${id}`), message: 'The schedule is saved.' }
}

const editForm = defineForm({
  path: `${recurringPath}/:id/edit-journal`,
  operation: editRecurringJournal,
  async input(visit, form) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    const text = form.get('version') ?? ''
    return {
      id: visit.param('id'),
      version: /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : 0,
      ...readSchedule(form),
      ...readJournal(form, baseCurrency),
    }
  },
  async show(visit, fresh) {
    const { schedule } = await visit.run(getRecurring, { id: visit.param('id') })
    if (schedule.kind !== 'journal') throw notFound('schedule of journals')
    const draft = filled(fresh, schedule.template as JournalTemplate)
    const { id, name, nextNumber, version } = schedule
    return formPage({
      title: `Edit ${name}`,
      back: { href: visit.href(`${recurringPath}/${id}`), text: name },
      draft,
      submit: 'Save schedule',
      isWide: true,
      children: (
        <>
          <input type="hidden" name="version" value={draft.values.get('version') ?? version} />
          <ScheduleFields draft={draft} kind="journal" initial={schedule} />
          {await JournalFields({ visit, draft })}
        </>
      ),
      below: (
        <div class="mt-4">
          <Placeholders
            day={schedule.nextDay ?? schedule.anchorDay}
            nextDay={dayOf(schedule, nextNumber + 1)}
            number={nextNumber}
            locale={visit.locale}
          />
        </div>
      ),
    })
  },
  done,
})

async function readWaiting(visit: Visit) {
  const { scheduleId: id, number } = keyOf(visit)
  const { schedule, periods } = await visit.run(getRecurring, { id, before: number + 1, limit: 1 })
  const [period] = periods
  if (period?.number !== number || !period.journal) throw notFound('journal')
  const back = { href: visit.href(`${recurringPath}/${schedule.id}`), text: schedule.name }
  return { schedule, period, journal: period.journal, back }
}

function keyOf(visit: Visit) {
  const text = visit.param('number')
  if (!/^\d{1,9}$/.test(text)) throw notFound('journal')
  return { scheduleId: visit.param('id'), number: Number.parseInt(text, 10) }
}

const postForm = defineForm({
  path: `${recurringPath}/:id/journals/:number`,
  operation: postRecurringJournal,
  async input(visit, form) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    return {
      ...keyOf(visit),
      date: form.get('date') ?? '',
      ...readJournal(form, baseCurrency),
    }
  },
  async show(visit, fresh) {
    const { period, journal, back } = await readWaiting(visit)
    const draft = filled(fresh, journal)
    return formPage({
      title: `Journal of ${formatDay(period.day)}`,
      back,
      draft,
      submit: 'Post journal',
      isWide: true,
      children: (
        <>
          {period.reason !== null && <p>{period.reason}</p>}
          <DraftText draft={draft} name="date" label="Date" type="date" initial={period.day} />
          {await JournalFields({ visit, draft })}
          <p class="quiet">
            <a href={visit.href(`${visit.path}/discard`)}>Discard it instead</a>
          </p>
        </>
      ),
    })
  },
  done: (visit, { sequence }) => ({
    location: visit.href(`/journal/${sequence}`),
    message: `Entry ${sequence} is posted.`,
  }),
})

const discardForm = defineForm({
  path: `${recurringPath}/:id/journals/:number/discard`,
  operation: discardRecurringJournal,
  input: keyOf,
  async show(visit, draft) {
    const { period, back } = await readWaiting(visit)
    return formPage({
      title: `Discard the journal of ${formatDay(period.day)}`,
      back,
      draft,
      submit: 'Discard journal',
      isDangerous: true,
      children: <p>Nothing is posted for this day. The schedule goes on.</p>,
    })
  },
  done: (visit) => ({
    location: visit.href(`${recurringPath}/${visit.param('id')}`),
    message: 'The journal is discarded.',
  }),
})

export const recurringJournalForms: AppRoute[] = [
  ...newForm,
  ...editForm,
  ...postForm,
  ...discardForm,
]
