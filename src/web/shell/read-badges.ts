// The numbers beside the places of the navigation.
import { listApprovals } from '../../merchant/approvals/list-approvals.ts'
import type { Visit } from './visit.ts'

export async function readBadges(visit: Visit): Promise<Readonly<Record<string, number>>> {
  const approvals = await visit.run(listApprovals, {})
  return { '/approvals': approvals.length }
}
