import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listApprovalLimits as listStoredLimits } from './approval-limit-store.ts'
import type { ApprovalLimit } from './set-approval-limit.ts'

// A person who is not listed has no limit.
export const listApprovalLimits = defineOperation({
  name: 'list-approval-limits',
  summary: 'List the approval limits of people',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor): Promise<ApprovalLimit[]> {
    const { baseCurrency: currency } = await findOrganisation(sql, actor)
    const limits = await listStoredLimits(sql, actor)
    return limits.map((limit) => ({ ...limit, currency }))
  },
})
