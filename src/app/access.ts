// Operations on API keys and people, for the services of this program.
import { createInvitations } from '../kernel/access/accept-invitation.ts'
import { accessOperations } from '../kernel/access/access-operations.ts'
import { requestApproval } from '../merchant/approvals/request-approval.ts'
import { services } from './services.ts'

export const invitations = createInvitations(requestApproval)

export const access = accessOperations(services, requestApproval)
