// What an owner does about a member of the team.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { type Role, roles } from '../../kernel/auth/actor.ts'
import { DraftSelect } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import { roleLabels } from '../shell/role-labels.ts'
import type { Visit } from '../shell/visit.ts'
import { invitationForms } from './invitations.tsx'
import { findMember, memberPages } from './member-page.tsx'

const path = '/settings/team/:person'
const back = (visit: Visit) => ({ href: visit.href('/settings/team'), text: 'Team' })
const personId = (visit: Visit) => ({ personId: visit.param('person') })

export function teamForms(access: AccessOperations): AppRoute[] {
  return [
    ...memberPages(access),
    ...roleForm(access),
    ...removeForm(access),
    ...passwordForm(access),
    ...secondFactorForm(access),
    ...sessionsForm(access),
    ...invitationForms(access),
  ]
}

function confirmed(visit: Visit, approvalId: string | null, message: string) {
  if (approvalId === null) return { location: visit.href('/settings/team'), message }
  return {
    location: visit.href(`/approvals/${approvalId}`),
    message: 'Another owner has to confirm it.',
  }
}

const roleForm = (access: AccessOperations) =>
  defineForm({
    path: `${path}/role`,
    operation: access.changeRole,
    isSensitive: true,
    input: (visit, form) => ({ ...personId(visit), role: (form.get('role') ?? '') as Role }),
    async show(visit, draft) {
      const { name, role } = await findMember(access, visit)
      return formPage({
        title: `Role of ${name}`,
        back: back(visit),
        draft,
        submit: 'Change role',
        children: (
          <DraftSelect
            draft={draft}
            name="role"
            label="Role"
            hint="Another owner confirms the roles of owner, admin and approver. Without another owner, the person can approve after 24 hours."
            initial={role}
            choices={Object.fromEntries(roles.map((one) => [one, roleLabels[one]]))}
          />
        ),
      })
    },
    done: (visit, { approvalId, name, role }) =>
      confirmed(visit, approvalId, `${name} is ${roleLabels[role].toLowerCase()} now.`),
  })

const removeForm = (access: AccessOperations) =>
  defineForm({
    path: `${path}/remove`,
    operation: access.removeMember,
    isSensitive: true,
    input: personId,
    async show(visit, draft) {
      const { name } = await findMember(access, visit)
      return formPage({
        title: `Remove ${name}`,
        back: back(visit),
        draft,
        submit: 'Remove',
        isDangerous: true,
        children: (
          <p>
            {name} loses access at once and is signed out everywhere. The API keys that {name} made
            go on working until you revoke them.
          </p>
        ),
      })
    },
    done: (visit, { name, keysToReview }) => ({
      location: visit.href(keysToReview.length > 0 ? '/developers/keys' : '/settings/team'),
      message:
        keysToReview.length > 0
          ? `${name} is removed. Check the API keys that ${name} made: ${keysToReview.length}.`
          : `${name} is removed.`,
    }),
  })

const passwordForm = (access: AccessOperations) =>
  defineForm({
    path: `${path}/password`,
    operation: access.resetPassword,
    isSensitive: true,
    input: personId,
    async show(visit, draft) {
      const { name } = await findMember(access, visit)
      return formPage({
        title: `Reset the password of ${name}`,
        back: back(visit),
        draft,
        submit: 'Reset password',
        isDangerous: true,
        children: (
          <p>
            {name} gets a mail with a link to choose a new password. The old password stops working
            at once, {name} is signed out, and the passkeys of {name} are removed.
          </p>
        ),
      })
    },
    done: (visit, { name, email, isMailed }) => ({
      location: visit.href('/settings/team'),
      message: isMailed
        ? `A link to a new password is on its way to ${email}.`
        : `This server sends no mails. Its operator finds the link for ${name} with cli mails.`,
    }),
  })

const secondFactorForm = (access: AccessOperations) =>
  defineForm({
    path: `${path}/second-factor`,
    operation: access.resetSecondFactor,
    isSensitive: true,
    input: personId,
    async show(visit, draft) {
      const { name } = await findMember(access, visit)
      return formPage({
        title: `Reset the second factor of ${name}`,
        back: back(visit),
        draft,
        submit: 'Reset second factor',
        isDangerous: true,
        children: (
          <p>
            {name} sets up a new authenticator app at the next sign-in and can’t approve anything
            for 24 hours. Another owner has to confirm this, if there is one.
          </p>
        ),
      })
    },
    done: (visit, { approvalId, name }) =>
      confirmed(visit, approvalId, `The second factor of ${name} is reset.`),
  })

const sessionsForm = (access: AccessOperations) =>
  defineForm({
    path: `${path}/sessions`,
    operation: access.endSessions,
    isSensitive: true,
    input: personId,
    async show(visit, draft) {
      const { name } = await findMember(access, visit)
      return formPage({
        title: `End the sessions of ${name}`,
        back: back(visit),
        draft,
        submit: 'End sessions',
        isDangerous: true,
        children: <p>{name} is signed out everywhere and has to sign in again.</p>,
      })
    },
    done: (visit, { name, endedSessions }) => ({
      location: visit.href('/settings/team'),
      message: `${endedSessions} sessions of ${name} ended.`,
    }),
  })
