// The numbers beside the places of the navigation.
import { getApprovalCount } from '../../merchant/approvals/get-approval-count.ts'
import type { Visit } from './visit.ts'

export async function readBadges(visit: Visit): Promise<Readonly<Record<string, number>>> {
  return { '/approvals': await visit.run(getApprovalCount, {}) }
}
