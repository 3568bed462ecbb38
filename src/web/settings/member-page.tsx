// A person of the team, and what an owner can do about them.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { Card } from '../../kernel/web/components.tsx'
import { Facts } from '../components/facts.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import { roleLabels } from '../shell/role-labels.ts'
import type { Visit } from '../shell/visit.ts'
import type { Member } from './team.tsx'

export function memberPages(access: AccessOperations): AppRoute[] {
  return definePage({
    path: '/settings/team/:person',
    operation: access.listMembers,
    async show(visit) {
      const member = await findMember(access, visit)
      return {
        title: member.name,
        content: (
          <>
            <PageHeader
              back={{ href: visit.href('/settings/team'), text: 'Team' }}
              title={member.name}
              actions={visit.may(access.changeRole) && <Actions {...{ visit, member }} />}
            />
            <Card title="Details">
              <Facts
                facts={[
                  ['E-mail', member.email],
                  ['Role', roleLabels[member.role]],
                ]}
              />
            </Card>
          </>
        ),
      }
    },
  })
}

export async function findMember({ listMembers }: AccessOperations, visit: Visit): Promise<Member> {
  const members = await visit.run(listMembers, {})
  const found = members.find((member) => member.personId === visit.param('person'))
  if (!found) throw notFound('member')
  return found
}

function Actions({ visit, member: { personId } }: { visit: Visit; member: Member }) {
  const isOwn = personId === visit.session.personId
  const link = (verb: string, text: string) => (
    <a class="btn" href={visit.href(`/settings/team/${personId}/${verb}`)}>
      {text}
    </a>
  )
  return (
    <>
      {link('role', 'Change role')}
      {!isOwn && link('password', 'Reset password')}
      {!isOwn && link('second-factor', 'Reset second factor')}
      {link('sessions', 'End sessions')}
      {link('remove', 'Remove')}
    </>
  )
}
