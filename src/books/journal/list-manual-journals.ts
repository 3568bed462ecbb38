import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { listManualJournals as listStoredJournals } from './manual-journal-store.ts'

export const listManualJournals = defineOperation({
  name: 'list-manual-journals',
  summary: 'List manual journals and opening balances, newest first',
  kind: 'read',
  // Days of the journals, both inclusive.
  input: z.strictObject({ from: day().optional(), to: day().optional(), limit: listLimit() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { limit, ...period }) =>
    listStoredJournals(database.sql, actor, period, limit),
})
