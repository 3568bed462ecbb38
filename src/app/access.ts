// Operations on API keys and people, for the services of this program.
import { accessOperations } from '../kernel/access/access-operations.ts'
import { requestApproval } from '../merchant/approvals/request-approval.ts'
import { services } from './services.ts'

export const access = accessOperations(services, requestApproval)
