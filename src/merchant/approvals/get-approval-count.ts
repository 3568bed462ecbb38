// For the number in the navigation, which every page shows. Reading the approvals themselves costs
// several statements for each.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findOpenApprovalCount } from './approval-store.ts'

export const getApprovalCount = defineOperation({
  name: 'get-approval-count',
  summary: 'Count the approvals that wait for a decision',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database: { sql } }, actor): Promise<number> => findOpenApprovalCount(sql, actor),
})
