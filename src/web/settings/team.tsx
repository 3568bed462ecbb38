// The people of a business and the invitations that wait.
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
  mayInvite: boolean
}

export function Team({ visit, members, invitations, mayInvite }: TeamProps) {
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
        hrefOf={({ personId }) => visit.href(`/settings/team/${personId}`)}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          { label: 'E-mail', cell: ({ email }) => email },
          { label: 'Role', cell: ({ role }) => roleLabels[role] },
        ]}
      />
      <InvitationList {...{ visit, invitations, mayInvite }} />
    </section>
  )
}
