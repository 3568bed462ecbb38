// What people change about themselves: name, e-mail address, password and sessions.
import { changeOwnName } from '../../kernel/account/change-own-name.ts'
import { changeOwnPassword } from '../../kernel/account/change-own-password.ts'
import { endOtherSessions } from '../../kernel/account/end-other-sessions.ts'
import { endOwnSession } from '../../kernel/account/end-own-session.ts'
import { requestEmailChange } from '../../kernel/account/request-email-change.ts'
import { PasswordField } from '../../kernel/web/form.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type AppRoute, type Draft, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { accountPath as path } from './account-path.ts'

const back = (visit: Visit) => ({ href: visit.href(path), text: 'My account' })
const ended = (count: number) => (count === 1 ? '1 session ended.' : `${count} sessions ended.`)

const nameForm = defineForm({
  path: `${path}/name`,
  operation: changeOwnName,
  input: (_visit, form) => ({ name: form.get('name') ?? '' }),
  show: async (visit, draft) =>
    formPage({
      title: 'Change name',
      back: back(visit),
      draft,
      submit: 'Change name',
      children: (
        <DraftText
          draft={draft}
          name="name"
          label="Name"
          hint="The people of your businesses see it."
          initial={visit.session.name}
        />
      ),
    }),
  done: (visit) => ({ location: visit.href(path), message: 'Your name is changed.' }),
})

const emailForm = defineForm({
  path: `${path}/email`,
  operation: requestEmailChange,
  isSensitive: true,
  input: (_visit, form) => ({ email: form.get('email') ?? '' }),
  show: async (visit, draft) =>
    formPage({
      title: 'Change e-mail',
      back: back(visit),
      draft,
      submit: 'Send confirmation',
      children: (
        <>
          <p>
            You sign in with {visit.session.email}. We mail a link to the new address; it counts
            once you have opened it. The old address is told.
          </p>
          <DraftText draft={draft} name="email" label="New e-mail" />
        </>
      ),
    }),
  done: (visit, { email }) => ({
    location: visit.href(path),
    message: `Open the link that we mailed to ${email}.`,
  }),
})

const passwordForm = defineForm({
  path: `${path}/password`,
  operation: changeOwnPassword,
  isSensitive: true,
  input: (visit, form) => ({
    currentPassword: form.get('currentPassword') ?? '',
    password: form.get('password') ?? '',
    sessionId: visit.session.sessionId,
  }),
  show: async (visit, draft) =>
    formPage({
      title: 'Change password',
      back: back(visit),
      draft,
      submit: 'Change password',
      children: <PasswordFields draft={draft} email={visit.session.email} />,
    }),
  done: (visit, { endedSessions }) => ({
    location: visit.href(path),
    message: `Your password is changed. ${ended(endedSessions)}`,
  }),
})

function PasswordFields({ draft: { problems }, email }: { draft: Draft; email: string }) {
  return (
    <>
      {/* Tells a password manager whose password this is. */}
      <input type="email" autocomplete="username" value={email} readOnly hidden />
      <PasswordField
        name="currentPassword"
        label="Current password"
        autocomplete="current-password"
        error={problems.currentPassword}
      />
      <PasswordField
        name="password"
        label="New password"
        hint="At least 12 characters; several words are fine. Your other sessions end."
        autocomplete="new-password"
        error={problems.password}
      />
    </>
  )
}

const sessionActions = [
  ...defineAction({
    path: `${path}/sessions/end-others`,
    operation: endOtherSessions,
    page: (visit) => visit.href(path),
    input: (visit) => ({ sessionId: visit.session.sessionId }),
    done: (visit, { endedSessions }) => ({
      location: visit.href(path),
      message: ended(endedSessions),
    }),
  }),
  ...defineAction({
    path: `${path}/sessions/:id/end`,
    operation: endOwnSession,
    page: (visit) => visit.href(path),
    input: (visit) => ({ sessionId: visit.param('id') }),
    done: (visit) => ({ location: visit.href(path), message: 'The session ended.' }),
  }),
]

export const accountForms: AppRoute[] = [
  ...nameForm,
  ...emailForm,
  ...passwordForm,
  ...sessionActions,
]
