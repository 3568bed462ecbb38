// The template of recurring invoices and bills, in the editor of documents, with the schedule above
// it. A new one starts empty or from a document.

import type { DocumentWithLines } from '../../books/documents/document.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { getDocument } from '../../books/documents/get-document.ts'
import { createRecurringDocument } from '../../books/recurring/create-recurring-document.ts'
import { editRecurringDocument } from '../../books/recurring/edit-recurring-document.ts'
import { getRecurring, type ScheduleStory } from '../../books/recurring/get-recurring.ts'
import { dayOf, type RecurringDocumentKind } from '../../books/recurring/recurring-schedule.ts'
import type { DocumentTemplate } from '../../books/recurring/recurring-template.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { daysBetween } from '../../kernel/basics/calendar.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { periodOn, periodStart } from '../../kernel/basics/interval.ts'
import { paperNames, sidePaths } from '../documents/document-place.ts'
import { readInput, showEditor } from '../editor/show-editor.tsx'
import { type AppRoute, type Draft, defineForm, type Shown } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import {
  kindLabels,
  Placeholders,
  readDueDays,
  readSchedule,
  recurringPath,
  ScheduleFields,
} from './schedule-looks.tsx'

const sideOf = { invoice: 'sales', bill: 'purchases' } as const
const month = { unit: 'month', count: 1 } as const

const looks = {
  untilLabel: 'Due date',
  hasRate: false,
  hasDates: false,
  saveLabel: 'Save schedule',
  autosaveHref: undefined,
} as const

async function readTemplate(visit: Visit, side: DocumentSide, form: URLSearchParams) {
  const { input } = await readInput(visit, side, form)
  const { date: _, ...template } = input
  return { ...readSchedule(form), ...readDueDays(form), ...template }
}

const done = (visit: Visit, { id }: { id: string }) => ({
  location: visit.href(`${recurringPath}/${id}`),
  message: 'The schedule is saved.',
})

function newForm(kind: RecurringDocumentKind): AppRoute[] {
  return defineForm({
    path: `${recurringPath}/new-${kind}`,
    operation: createRecurringDocument,
    input: async (visit, form) => ({ kind, ...(await readTemplate(visit, sideOf[kind], form)) }),
    show: (visit, draft) => showNew(visit, draft, kind, undefined),
    done,
  })
}

function fromDocument(side: DocumentSide): AppRoute[] {
  const kind: RecurringDocumentKind = side === 'sales' ? 'invoice' : 'bill'
  return defineForm({
    path: `${sidePaths[side]}/:id/recur`,
    operation: createRecurringDocument,
    input: async (visit, form) => ({ kind, ...(await readTemplate(visit, side, form)) }),
    async show(visit, draft) {
      const document = await visit.run(getDocument, { id: visit.param('id'), side })
      if (document.kind !== kind) throw notFound(kind)
      return showNew(visit, draft, kind, document)
    },
    done,
  })
}

// The next one is a month after the document, or after today.
async function showNew(
  visit: Visit,
  draft: Draft,
  kind: RecurringDocumentKind,
  document: DocumentWithLines | undefined,
): Promise<Shown> {
  const side = sideOf[kind]
  const current = today(await visit.run(getOrganisation, {}), visit.context.clock.now())
  const nextDay = document ? nextDayAfter(document.date, current) : current
  const back = document
    ? {
        href: visit.href(`${sidePaths[side]}/${document.id}`),
        text: document.number ?? `${paperNames[document.kind]} draft`,
      }
    : { href: visit.href(recurringPath), text: 'Recurring' }
  const initial = {
    nextDay,
    ...(document && { dueDays: daysBetween(document.date, document.dueDate) }),
  }
  return showEditor(visit, draft, {
    ...looks,
    title: `New recurring ${kindLabels[kind].toLowerCase()}`,
    back,
    side,
    hidden: {},
    moreFields: <ScheduleFields draft={draft} kind={kind} initial={initial} />,
    below: (
      <Placeholders
        day={nextDay}
        nextDay={periodStart(nextDay, month, 2)}
        number={1}
        locale={visit.locale}
      />
    ),
    ...(document && { stored: { paper: document, until: '', fxRate: null } }),
  })
}

function nextDayAfter(date: string, current: string): string {
  const after = date > current ? date : current
  return periodStart(date, month, periodOn(date, month, after) + 1)
}

const editForm = defineForm({
  path: `${recurringPath}/:id/edit`,
  operation: editRecurringDocument,
  async input(visit, form) {
    const { schedule } = await readStory(visit)
    const text = form.get('version') ?? ''
    return {
      id: schedule.id,
      version: /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : 0,
      ...(await readTemplate(visit, sideOf[schedule.kind], form)),
    }
  },
  async show(visit, draft) {
    const { schedule } = await readStory(visit)
    const { id, kind, nextNumber } = schedule
    const nextDay = schedule.nextDay ?? schedule.anchorDay
    const template = schedule.template as DocumentTemplate
    return showEditor(visit, draft, {
      ...looks,
      title: `Edit ${schedule.name}`,
      back: { href: visit.href(`${recurringPath}/${id}`), text: schedule.name },
      side: sideOf[kind],
      hidden: { version: draft.values.get('version') ?? String(schedule.version) },
      moreFields: (
        <ScheduleFields
          draft={draft}
          kind={kind}
          initial={{ ...schedule, dueDays: template.dueDays }}
        />
      ),
      below: (
        <Placeholders
          day={nextDay}
          nextDay={dayOf(schedule, nextNumber + 1)}
          number={nextNumber}
          locale={visit.locale}
        />
      ),
      stored: {
        paper: {
          ...template,
          contactId: schedule.contactId ?? '',
          date: nextDay,
          currency: template.currency ?? '',
        },
        until: '',
        fxRate: null,
      },
    })
  },
  done,
})

// Journals have their own form.
async function readStory(visit: Visit) {
  const story: ScheduleStory = await visit.run(getRecurring, { id: visit.param('id') })
  const { kind } = story.schedule
  if (kind === 'journal') throw notFound('schedule of documents')
  return { ...story, schedule: { ...story.schedule, kind } }
}

export const recurringEditors: AppRoute[] = [
  ...newForm('invoice'),
  ...newForm('bill'),
  ...fromDocument('sales'),
  ...fromDocument('purchases'),
  ...editForm,
]
