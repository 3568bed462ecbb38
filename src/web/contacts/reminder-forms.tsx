// Pausing and resuming the reminders of a contact.
import { type ContactView, getContact } from '../../books/contacts/get-contact.ts'
import { pauseContactReminders } from '../../books/reminders/pause-contact-reminders.ts'
import { resumeContactReminders } from '../../books/reminders/resume-contact-reminders.ts'
import { Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { DraftTextArea } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { type AppRoute, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/contacts'

export function ReminderCard({ visit, contact }: { visit: Visit; contact: ContactView }) {
  const { id, pause, isCustomer } = contact
  if (!isCustomer && !pause) return null
  return (
    <Card title="Reminders">
      {pause ? (
        <>
          <p>
            <strong>Paused:</strong> {pause.reason}{' '}
            <span class="quiet">
              Since <Moment at={pause.createdAt} zone={visit.zone} />.
            </span>
          </p>
          {visit.may(resumeContactReminders) && (
            <ActionButton
              action={visit.href(`${path}/${id}/resume-reminders`)}
              token={visit.context.ids.uuid()}
              label="Resume reminders"
            />
          )}
        </>
      ) : (
        <>
          <p>
            Open invoices are reminded by the{' '}
            <a href={visit.href('/settings/reminders')}>schedule of your business</a>.
          </p>
          {visit.may(pauseContactReminders) && (
            <a class="btn" href={visit.href(`${path}/${id}/pause-reminders`)}>
              Pause reminders
            </a>
          )}
        </>
      )}
    </Card>
  )
}

const pauseForm = defineForm({
  path: `${path}/:id/pause-reminders`,
  operation: pauseContactReminders,
  input: (visit, form) => ({ id: visit.param('id'), reason: form.get('reason') ?? '' }),
  async show(visit, draft) {
    const { id, name } = await visit.run(getContact, { id: visit.param('id') })
    return formPage({
      title: `Pause reminders of ${name}`,
      back: { href: visit.href(`${path}/${id}`), text: name },
      draft,
      submit: 'Pause reminders',
      children: (
        <>
          <p>No invoice of {name} is reminded until someone resumes it.</p>
          <DraftTextArea
            draft={draft}
            name="reason"
            label="Reason"
            hint="Your team sees it. The customer does not."
          />
        </>
      ),
    })
  },
  done: (visit, { id, name }) => ({
    location: visit.href(`${path}/${id}`),
    message: `The reminders of ${name} are paused.`,
  }),
})

const resumeAction = defineAction({
  path: `${path}/:id/resume-reminders`,
  operation: resumeContactReminders,
  page: (visit) => visit.href(`${path}/${visit.param('id')}`),
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit, { id }) => ({
    location: visit.href(`${path}/${id}`),
    message: 'Reminders are resumed. Steps whose day has passed are not sent.',
  }),
})

export const contactReminderForms: AppRoute[] = [...pauseForm, ...resumeAction]
