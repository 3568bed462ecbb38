import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listChartAccounts } from './account-store.ts'

export const listChart = defineOperation({
  name: 'list-chart',
  summary: 'List the accounts with what decides whether they can change',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => listChartAccounts(database.sql, actor),
})
