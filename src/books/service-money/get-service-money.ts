import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { readServiceMoney } from './read-service-money.ts'

export const getServiceMoney = defineOperation({
  name: 'get-service-money',
  summary: 'Show the settings of automatic bookkeeping, and how many movements are waiting',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => readServiceMoney(database.sql, actor),
})
