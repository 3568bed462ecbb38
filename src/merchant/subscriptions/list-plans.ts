import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listPlans as listStoredPlans } from './plan-store.ts'

const listMax = 100

export const listPlans = defineOperation({
  name: 'list-plans',
  summary: `List the newest ${listMax} plans`,
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => listStoredPlans(database.sql, actor, listMax),
})
