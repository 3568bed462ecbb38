// Why an invoice is not reminded, and the way to resume it.
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { resumeInvoiceReminders } from '../../books/reminders/resume-invoice-reminders.ts'
import { Alert } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Moment } from '../components/moment.tsx'
import type { Visit } from '../shell/visit.ts'

const texts = {
  disputed: 'The customer disputes it, so it is not reminded.',
  reopened:
    'A refund or chargeback has opened it again, so it is not reminded until someone resumes that.',
  paused: 'The reminders of this contact are paused.',
} as const

export function ReminderStops({ visit, story }: { visit: Visit; story: DocumentStory }) {
  const { document, stops, dueMinor } = story
  if (stops.length === 0 || dueMinor === 0n) return null
  const isOwn = stops.some(({ documentId }) => documentId !== null)
  return (
    <div class="mb-3">
      <Alert tone="unsure">
        {stops.map(({ id, kind, reason, createdAt }) => (
          <p class="mb-2" key={id}>
            <strong>{texts[kind]}</strong> {reason}{' '}
            <span class="quiet">
              Since <Moment at={createdAt} zone={visit.zone} />.
            </span>
          </p>
        ))}
        {isOwn && visit.may(resumeInvoiceReminders) ? (
          <ActionButton
            action={visit.href(`/invoices/${document.id}/resume-reminders`)}
            token={visit.context.ids.uuid()}
            label="Resume reminders"
          />
        ) : (
          !isOwn && <a href={visit.href(`/contacts/${document.contactId}`)}>{story.contact.name}</a>
        )}
      </Alert>
    </div>
  )
}
