// Issuing and sending, which only sales have.
import { issueAndSendDocument } from '../../books/documents/issue-and-send-document.ts'
import { issueDocument } from '../../books/documents/issue-document.ts'
import { markDocumentSent } from '../../books/documents/mark-document-sent.ts'
import { reopenDocument } from '../../books/documents/reopen-document.ts'
import { sendDocument } from '../../books/documents/send-document.ts'
import { disputeInvoice } from '../../books/reminders/dispute-invoice.ts'
import { resumeInvoiceReminders } from '../../books/reminders/resume-invoice-reminders.ts'
import { DraftTextArea } from '../components/draft-fields.tsx'
import type { AppRoute } from '../shell/define-page.ts'
import { actAction, actForm, CheckField, documentLabel } from './act-form.tsx'
import { DecisionFields, MailFields, readDecision, readMail, totalOf } from './decision-fields.tsx'

export const salesForms: AppRoute[] = [
  ...actAction({
    side: 'sales',
    act: 'reopen',
    operation: reopenDocument,
    input: (_visit, { document: { id } }) => ({ id }),
    message: 'Reopened. It is a draft again.',
  }),
  ...actAction({
    side: 'sales',
    act: 'mark_sent',
    operation: markDocumentSent,
    input: (_visit, { document: { id } }) => ({ id }),
    message: 'Marked as sent.',
  }),
  ...actForm({
    side: 'sales',
    act: 'issue',
    operation: issueDocument,
    submit: 'Issue',
    input: (_visit, form, { document: { id } }) => ({
      id,
      ...readDecision(form),
      isSent: form.has('isSent'),
    }),
    fields: async (visit, draft, story) => (
      <>
        <p>
          The {documentLabel(story)} of {totalOf(story)} for {story.contact.name} gets its number
          and is booked. It can’t be changed afterwards.
        </p>
        <DecisionFields draft={draft} story={story} hasRate />
        <CheckField
          draft={draft}
          name="isSent"
          label="I send it in another way"
          hint="It is marked as sent."
        />
        <p>
          <a href={visit.href(`/invoices/${story.document.id}/issue-and-send`)}>
            Issue and send it by mail
          </a>
        </p>
      </>
    ),
    message: 'Issued.',
  }),
  ...actForm({
    side: 'sales',
    act: 'issue',
    slug: 'issue-and-send',
    operation: issueAndSendDocument,
    submit: 'Issue and send',
    input: (_visit, form, { document: { id } }) => ({
      id,
      ...readDecision(form),
      ...readMail(form),
    }),
    fields: async (_visit, draft, story) => (
      <>
        <p>
          The {documentLabel(story)} of {totalOf(story)} gets its number, is booked, and is mailed
          with its PDF.
        </p>
        <DecisionFields draft={draft} story={story} hasRate />
        <MailFields draft={draft} story={story} />
      </>
    ),
    message: 'Issued and sent.',
  }),
  ...actForm({
    side: 'sales',
    act: 'send',
    operation: sendDocument,
    submit: 'Send',
    input: (_visit, form, { document: { id } }) => ({ id, ...readMail(form) }),
    fields: async (_visit, draft, story) => (
      <>
        {story.document.sentAt && <p>It was sent before. This sends it again.</p>}
        <MailFields draft={draft} story={story} />
      </>
    ),
    message: 'Sent.',
  }),
  ...actForm({
    side: 'sales',
    act: 'dispute',
    operation: disputeInvoice,
    submit: 'Flag as disputed',
    input: (_visit, form, { document: { id } }) => ({ id, reason: form.get('reason') ?? '' }),
    fields: async (_visit, draft, { contact }) => (
      <>
        <p>
          {contact.name} gets no reminders of this invoice until someone resumes them. It stays
          owed.
        </p>
        <DraftTextArea
          draft={draft}
          name="reason"
          label="What is disputed"
          hint="Your team sees it. The customer does not."
        />
      </>
    ),
    message: 'Flagged as disputed. It is not reminded.',
  }),
  ...actAction({
    side: 'sales',
    act: 'resume_reminders',
    operation: resumeInvoiceReminders,
    input: (_visit, { document: { id } }) => ({ id }),
    message: 'Reminders are resumed. Steps whose day has passed are not sent.',
  }),
]
