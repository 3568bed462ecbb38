// Reminders of open invoices: the schedule, what it does in the next days, and the mail.
import { getReminders } from '../../books/reminders/get-reminders.ts'
import {
  previewDays,
  previewReminders,
  type ReminderLine,
  type RemindersPreview,
} from '../../books/reminders/preview-reminders.ts'
import { setReminders } from '../../books/reminders/set-reminders.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { Badge, Card } from '../../kernel/web/components.tsx'
import { Day } from '../components/day.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { problemTexts, shortStepText, stepText } from './reminder-words.ts'

const path = '/settings/reminders'

const page = definePage({
  path,
  operation: getReminders,
  async show(visit) {
    const [{ isOn, steps }, preview] = await Promise.all([
      visit.run(getReminders, {}),
      visit.run(previewReminders, {}),
    ])
    return {
      title: 'Reminders',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            title="Reminders"
            lead="Customers are reminded of open invoices by mail, with the link to pay. They stop when the invoice is paid or credited."
            actions={
              visit.may(setReminders) && (
                <a
                  class="btn btn-primary"
                  href={visit.href(`${path}/edit`, isOn ? {} : { isOn: 'yes' })}
                >
                  {isOn ? 'Change' : 'Switch on'}
                </a>
              )
            }
          />
          <div class="stack">
            <Card title="Schedule">
              <Facts
                facts={[
                  [
                    'Reminders',
                    isOn ? <Badge tone="good">On</Badge> : <Badge tone="unsure">Off</Badge>,
                  ],
                  [
                    'Mailed',
                    steps.map((step) => (
                      <span class="d-block" key={step}>
                        {firstUpper(stepText(step))}
                      </span>
                    )),
                  ],
                  ['Time of day', '8:00 to 20:00 where the customer is'],
                ]}
              />
            </Card>
            <Plan visit={visit} isOn={isOn} preview={preview} />
            <Card title={preview.mail.to === null ? 'A sample of the mail' : 'The first mail'}>
              <Facts
                facts={[
                  preview.mail.to !== null && ['To', preview.mail.to],
                  ['Subject', <strong>{preview.mail.subject}</strong>],
                ]}
              />
              <p class="pre-line mb-0 mt-3">{preview.mail.text}</p>
            </Card>
          </div>
        </>
      ),
    }
  },
})

type PlanProps = { visit: Visit; isOn: boolean; preview: RemindersPreview }

function Plan({ visit, isOn, preview: { lines, isCut } }: PlanProps) {
  const title = isOn ? `The next ${previewDays} days` : 'If you switch them on now'
  if (lines.length === 0) {
    return (
      <section>
        <h2>{title}</h2>
        <EmptyState title="No invoice to remind of">
          Open invoices appear here with the days on which their customers are reminded, up to{' '}
          {previewDays} days ahead.
        </EmptyState>
      </section>
    )
  }
  return (
    <section>
      <h2>{title}</h2>
      <Table<ReminderLine>
        caption="Reminders to come"
        rows={lines}
        keyOf={({ documentId, step }) => `${documentId} ${step}`}
        hrefOf={({ documentId }) => visit.href(`/invoices/${documentId}`)}
        columns={[
          { label: 'Day', cell: ({ day }) => <Day of={day} /> },
          { label: 'Invoice', cell: ({ number }) => number },
          { label: 'Customer', cell: ({ contactName }) => contactName },
          { label: 'Step', cell: ({ step }) => firstUpper(shortStepText(step)) },
          {
            label: 'Mail',
            cell: ({ problem, email }) =>
              problem ? <Badge tone="unsure">{problemTexts[problem]}</Badge> : email,
          },
          {
            label: 'Due',
            isNumber: true,
            cell: ({ dueMinor, currency }) => <Money minor={dueMinor} currency={currency} />,
          },
        ]}
      />
      {isCut && <p class="quiet mt-2">There are more. These are the invoices due first.</p>}
    </section>
  )
}

const editForm = defineForm({
  path: `${path}/edit`,
  operation: setReminders,
  input: (_visit, form) => ({
    isOn: form.get('isOn') === 'yes',
    steps: [
      ...readDays(form, 'before').map((days) => -days),
      ...(form.get('onDueDate') === 'yes' ? [0] : []),
      ...readDays(form, 'after'),
    ],
  }),
  async show(visit, draft) {
    const { isOn, steps } = await visit.run(getReminders, {})
    return formPage({
      title: 'Reminders',
      back: { href: visit.href(path), text: 'Reminders' },
      // Of the steps together.
      draft: { ...draft, refusal: draft.refusal ?? draft.problems.steps },
      submit: 'Save reminders',
      children: (
        <>
          <DraftSelect
            draft={draft}
            name="isOn"
            label="Remind customers of open invoices"
            hint="Switching them on sends nothing whose day is past."
            initial={isOn ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No' }}
          />
          <DraftText
            draft={draft}
            name="before"
            label="Days before the due date (optional)"
            hint="Separated by commas, for example 7, 3."
            initial={steps
              .filter((step) => step < 0)
              .map((step) => -step)
              .join(', ')}
            isOptional
          />
          <DraftSelect
            draft={draft}
            name="onDueDate"
            label="On the due date"
            initial={steps.includes(0) ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No' }}
          />
          <DraftText
            draft={draft}
            name="after"
            label="Days after the due date (optional)"
            hint="Separated by commas, for example 1, 7, 14."
            initial={steps.filter((step) => step > 0).join(', ')}
            isOptional
          />
        </>
      ),
    })
  },
  done: (visit, { isOn }) => ({
    location: visit.href(path),
    message: isOn ? 'Reminders are on.' : 'Reminders are off.',
  }),
})

export const reminderPages = [...page, ...editForm]

function readDays(form: URLSearchParams, name: string): number[] {
  const texts = (form.get(name) ?? '').split(/[\s,;]+/).filter((text) => text !== '')
  return texts.map((text) => {
    const days = /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : 0
    if (days >= 1 && days <= 365) return days
    throw invalidField(name, 'Enter days from 1 to 365, separated by commas, for example 1, 7, 14.')
  })
}

function firstUpper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
