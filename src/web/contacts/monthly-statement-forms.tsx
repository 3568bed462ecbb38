// The monthly statements of a contact: those that were mailed, and stopping and resuming them.
import { type ContactView, getContact } from '../../books/contacts/get-contact.ts'
import {
  type ContactStatements,
  getContactStatements,
} from '../../books/statements/monthly/get-contact-statements.ts'
import type { MonthlyStatement } from '../../books/statements/monthly/monthly-statement.ts'
import { resumeContactStatements } from '../../books/statements/monthly/resume-statements.ts'
import { stopContactStatements } from '../../books/statements/monthly/stop-statements.ts'
import { Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { DraftTextArea } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { mailHref } from '../mails/mail-text.ts'
import { monthlyStatementsPath } from '../settings/monthly-statement-pages.tsx'
import { type AppRoute, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/contacts'

export async function monthlyStatementCard(visit: Visit, { id, isCustomer }: ContactView) {
  const mailings = await visit.run(getContactStatements, { id })
  const { stop, statements } = mailings
  if (!isCustomer && !stop && statements.length === 0) return null
  return (
    <Card title="Monthly statements">
      <State visit={visit} id={id} mailings={mailings} />
      {statements.length > 0 && <Mailed visit={visit} statements={statements} />}
    </Card>
  )
}

type StateProps = { visit: Visit; id: string; mailings: ContactStatements }

function State({ visit, id, mailings: { isOn, stop } }: StateProps) {
  if (stop) {
    return (
      <>
        <p>
          <strong>Stopped:</strong> {stop.reason}{' '}
          <span class="quiet">
            Since <Moment at={stop.createdAt} zone={visit.zone} />.
          </span>
        </p>
        {visit.may(resumeContactStatements) && (
          <ActionButton
            action={visit.href(`${path}/${id}/resume-statements`)}
            token={visit.context.ids.uuid()}
            label="Resume statements"
          />
        )}
      </>
    )
  }
  const settings = <a href={visit.href(monthlyStatementsPath)}>monthly statements</a>
  return (
    <>
      <p>
        {isOn ? (
          <>This contact gets the {settings} of your business.</>
        ) : (
          <>The {settings} of your business are off.</>
        )}
      </p>
      {visit.may(stopContactStatements) && (
        <a class="btn" href={visit.href(`${path}/${id}/stop-statements`)}>
          Stop statements
        </a>
      )}
    </>
  )
}

type MailedProps = { visit: Visit; statements: readonly MonthlyStatement[] }

function Mailed({ visit, statements }: MailedProps) {
  return (
    <ul class="mb-0 mt-3" aria-label="Statements that were mailed">
      {statements.map(({ id, month, recipient, createdAt }) => (
        <li key={id}>
          <a href={mailHref(visit, id)}>{monthText(month)}</a>
          <span class="quiet">
            {' '}
            to {recipient}, <Moment at={createdAt} zone={visit.zone} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const monthFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
})

function monthText(firstDay: string): string {
  return monthFormat.format(new Date(`${firstDay}T00:00:00Z`))
}

const stopForm = defineForm({
  path: `${path}/:id/stop-statements`,
  operation: stopContactStatements,
  input: (visit, form) => ({ id: visit.param('id'), reason: form.get('reason') ?? '' }),
  async show(visit, draft) {
    const { id, name } = await visit.run(getContact, { id: visit.param('id') })
    return formPage({
      title: `Stop the statements of ${name}`,
      back: { href: visit.href(`${path}/${id}`), text: name },
      draft,
      submit: 'Stop statements',
      children: (
        <>
          <p>
            {name} gets no monthly statement until someone resumes them. You can still send a
            statement yourself.
          </p>
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
    message: `The monthly statements of ${name} are stopped.`,
  }),
})

const resumeAction = defineAction({
  path: `${path}/:id/resume-statements`,
  operation: resumeContactStatements,
  page: (visit) => visit.href(`${path}/${visit.param('id')}`),
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit, { id }) => ({
    location: visit.href(`${path}/${id}`),
    message: 'Monthly statements are resumed. Months that have ended are not sent.',
  }),
})

export const contactStatementForms: AppRoute[] = [...stopForm, ...resumeAction]
