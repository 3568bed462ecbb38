// The people of a business and the invitations that wait.
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { PageHeader } from '../components/page-header.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import { Team } from './team.tsx'

export function teamPages(access: AccessOperations): AppRoute[] {
  const { listMembers, listInvitations, invitePerson } = access
  return definePage({
    path: '/settings/team',
    operation: listMembers,
    async show(visit) {
      const [members, invitations] = await Promise.all([
        visit.run(listMembers, {}),
        visit.run(listInvitations, {}),
      ])
      return {
        title: 'Team',
        content: (
          <>
            <PageHeader title="Team" back={{ href: visit.href('/settings'), text: 'Settings' }} />
            <Team
              visit={visit}
              members={members}
              invitations={invitations}
              mayInvite={visit.may(invitePerson)}
            />
          </>
        ),
      }
    },
  })
}
