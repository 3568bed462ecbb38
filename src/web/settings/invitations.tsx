// Inviting people to the team, and the invitations that wait.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import type { Invitation } from '../../kernel/access/list-invitations.ts'
import { type Role, roles } from '../../kernel/auth/actor.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { Alert, Badge, CodeBlock } from '../../kernel/web/components.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { type AppRoute, defineForm, type Shown } from '../shell/define-page.ts'
import { roleLabels } from '../shell/role-labels.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/settings/invitations'
const back = (visit: Visit) => ({ href: visit.href('/settings/team'), text: 'Team' })

export function InvitationList({
  visit,
  invitations,
  mayInvite,
}: {
  visit: Visit
  invitations: readonly Invitation[]
  mayInvite: boolean
}) {
  if (invitations.length === 0) return null
  return (
    <div class="mt-3">
      <h3>Invited</h3>
      <Table
        caption="Invitations that were not accepted yet"
        rows={invitations}
        keyOf={({ id }) => id}
        columns={[
          { label: 'E-mail', cell: ({ email }) => <strong>{email}</strong> },
          { label: 'Role', cell: ({ role }) => roleLabels[role] },
          { label: 'Invited by', cell: ({ inviterName }) => inviterName },
          {
            label: 'Valid until',
            cell: ({ expiresAt, isExpired }) =>
              isExpired ? (
                <Badge tone="unsure">Expired</Badge>
              ) : (
                <Moment at={expiresAt} zone={visit.zone} />
              ),
          },
          {
            label: 'Actions',
            cell: (one) => mayInvite && <InvitationActions visit={visit} invitation={one} />,
          },
        ]}
      />
    </div>
  )
}

function InvitationActions({ visit, invitation }: { visit: Visit; invitation: Invitation }) {
  const { id, email, role } = invitation
  return (
    <span class="item-actions">
      <a href={visit.href(`${path}/new`, { email, role })}>Invite again</a>
      <a href={visit.href(`${path}/${id}/withdraw`)}>Withdraw</a>
    </span>
  )
}

export function invitationForms(access: AccessOperations): AppRoute[] {
  return [...inviteForm(access), ...withdrawForm(access)]
}

const inviteForm = ({ invitePerson }: AccessOperations) =>
  defineForm({
    path: `${path}/new`,
    operation: invitePerson,
    isSensitive: true,
    input: (_visit, form) => ({
      email: form.get('email') ?? '',
      role: (form.get('role') ?? '') as Role,
    }),
    show: async (visit, draft) =>
      formPage({
        title: 'Invite a person',
        back: back(visit),
        draft,
        submit: 'Send invitation',
        showsSecret: true,
        children: (
          <>
            <DraftText
              draft={draft}
              name="email"
              label="E-mail"
              hint="We mail a link that works for seven days. A newer one replaces it."
            />
            <DraftSelect
              draft={draft}
              name="role"
              label="Role"
              hint="Owners invite to every role. Another owner confirms those that can approve; without another owner, the person can approve 24 hours after joining. Admins invite members and viewers."
              choices={roleChoices(visit)}
            />
          </>
        ),
      }),
    done: (visit, { email, link }) =>
      link === null
        ? {
            location: visit.href('/settings/team'),
            message: `An invitation was mailed to ${email}.`,
          }
        : showLink(visit, email, link),
  })

function roleChoices({ actor }: Visit): Record<string, string> {
  const offered: readonly Role[] = actor.role === 'owner' ? roles : ['member', 'viewer']
  return Object.fromEntries(offered.map((role) => [role, roleLabels[role]]))
}

// This server sends no mails.
function showLink(visit: Visit, email: string, link: string): Shown {
  return {
    title: 'Invitation made',
    content: (
      <>
        <PageHeader title="Invitation made" />
        <div class="narrow">
          <Alert tone="unsure">
            This server sends no mails. Copy the link now and pass it to {email} yourself. It is not
            shown again.
          </Alert>
          <CodeBlock id="link" label="Link of the invitation" text={link} />
          <a class="btn btn-primary" href={visit.href('/settings/team')}>
            Done
          </a>
        </div>
      </>
    ),
  }
}

const withdrawForm = ({ withdrawInvitation, listInvitations }: AccessOperations) =>
  defineForm({
    path: `${path}/:id/withdraw`,
    operation: withdrawInvitation,
    isSensitive: true,
    input: (visit) => ({ id: visit.param('id') }),
    async show(visit, draft) {
      const open = await visit.run(listInvitations, {})
      const found = open.find(({ id }) => id === visit.param('id'))
      if (!found) throw notFound('invitation')
      return formPage({
        title: 'Withdraw invitation',
        back: back(visit),
        draft,
        submit: 'Withdraw',
        isDangerous: true,
        children: <p>The link that was mailed to {found.email} stops working at once.</p>,
      })
    },
    done: (visit, { email }) => ({
      location: visit.href('/settings/team'),
      message: `The invitation of ${email} is withdrawn.`,
    }),
  })
