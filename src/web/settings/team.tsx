// The people of a business, and what an owner can do about each.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { Table } from '../components/table.tsx'
import { roleLabels } from '../shell/frame.tsx'
import type { Visit } from '../shell/visit.ts'

export type Member = Awaited<ReturnType<AccessOperations['listMembers']['run']>>[number]

type TeamProps = { visit: Visit; members: readonly Member[]; mayManage: boolean }

export function Team({ visit, members, mayManage }: TeamProps) {
  return (
    <section>
      <h2>Team</h2>
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
    </section>
  )
}

function MemberActions({ visit, personId }: { visit: Visit; personId: string }) {
  const link = (verb: string, text: string) => (
    <a href={visit.href(`/settings/team/${personId}/${verb}`)}>{text}</a>
  )
  return (
    <span class="item-actions">
      {link('role', 'Role')}
      {link('password', 'Reset password')}
      {link('second-factor', 'Reset second factor')}
      {link('sessions', 'End sessions')}
      {link('remove', 'Remove')}
    </span>
  )
}
