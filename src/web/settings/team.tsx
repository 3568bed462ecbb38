// The people of a business, and what an owner can do about each.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import type { Invitation } from '../../kernel/access/list-invitations.ts'
import { Table } from '../components/table.tsx'
import { roleLabels } from '../shell/role-labels.ts'
import type { Visit } from '../shell/visit.ts'
import { InvitationList } from './invitations.tsx'

export type Member = Awaited<ReturnType<AccessOperations['listMembers']['run']>>[number]

type TeamProps = {
  visit: Visit
  members: readonly Member[]
  invitations: readonly Invitation[]
  mayManage: boolean
  mayInvite: boolean
}

export function Team({ visit, members, invitations, mayManage, mayInvite }: TeamProps) {
  return (
    <section>
      <div class="section-head">
        <h2>People with access</h2>
        {mayInvite && (
          <a class="btn" href={visit.href('/settings/invitations/new')}>
            Invite a person
          </a>
        )}
      </div>
      <Table
        caption="People of the business"
        rows={members}
        keyOf={({ personId }) => personId}
        columns={[
          { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          { label: 'E-mail', cell: ({ email }) => email },
          { label: 'Role', cell: ({ role }) => roleLabels[role] },
          {
            label: 'Actions',
            cell: ({ personId }) => mayManage && <MemberActions {...{ visit, personId }} />,
          },
        ]}
      />
      <InvitationList {...{ visit, invitations, mayInvite }} />
    </section>
  )
}

function MemberActions({ visit, personId }: { visit: Visit; personId: string }) {
  const isOwn = personId === visit.session.personId
  const link = (verb: string, text: string) => (
    <a href={visit.href(`/settings/team/${personId}/${verb}`)}>{text}</a>
  )
  return (
    <span class="item-actions">
      {link('role', 'Role')}
      {!isOwn && link('password', 'Reset password')}
      {!isOwn && link('second-factor', 'Reset second factor')}
      {link('sessions', 'End sessions')}
      {link('remove', 'Remove')}
    </span>
  )
}
