// The statement of a contact as PDF, and by mail.
import { getContact } from '../../books/contacts/get-contact.ts'
import { getStatementFile } from '../../books/statements/get-statement-file.ts'
import { sendStatement } from '../../books/statements/send-statement.ts'
import { DraftText, DraftTextArea } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { shownFile } from '../documents/attachment-forms.tsx'
import { dayOf } from '../reports/report-frame.tsx'
import { type AppRoute, defineForm, definePage } from '../shell/define-page.ts'

const path = '/contacts/:id/statement'

const filePage = definePage({
  path: `${path}.pdf`,
  operation: getStatementFile,
  async show(visit) {
    const period = { from: dayOf(visit, 'from'), to: dayOf(visit, 'to') }
    const wanted = { id: visit.param('id'), ...period }
    const { filename, content } = await visit.run(getStatementFile, wanted)
    return shownFile(filename, 'application/pdf', content)
  },
})

const sendForm = defineForm({
  path: `${path}/send`,
  operation: sendStatement,
  input(visit, form) {
    const recipients = (form.get('recipients') ?? '').split(/[,;\s]+/).filter(Boolean)
    const message = (form.get('message') ?? '').trim()
    return {
      id: visit.param('id'),
      ...(form.get('from') && { from: form.get('from') ?? '' }),
      ...(form.get('to') && { to: form.get('to') ?? '' }),
      ...(recipients.length > 0 && { recipients }),
      ...(message && { message }),
    }
  },
  async show(visit, draft) {
    const { id, name, email } = await visit.run(getContact, { id: visit.param('id') })
    return formPage({
      title: `Send statement to ${name}`,
      back: { href: visit.href(`/contacts/${id}/statement`), text: 'Statement' },
      draft,
      submit: 'Send statement',
      children: (
        <>
          <DraftText draft={draft} name="from" label="From" type="date" />
          <DraftText draft={draft} name="to" label="Up to" type="date" />
          <DraftText
            draft={draft}
            name="recipients"
            label="Send to"
            hint="E-mail addresses, separated by commas."
            initial={email ?? ''}
          />
          <DraftTextArea
            draft={draft}
            name="message"
            label="Message (optional)"
            hint="Replaces the greeting. The mail then says what is attached, and the balance."
            isOptional
          />
        </>
      ),
    })
  },
  done: (visit, { id, name }) => ({
    location: visit.href(`/contacts/${id}`),
    message: `The statement for ${name} is on its way. Settings › Mails shows it.`,
  }),
})

export const statementFiles: AppRoute[] = [...filePage, ...sendForm]
