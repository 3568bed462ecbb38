import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { withoutCard } from './subscription.ts'
import { listSubscriptions as listStoredSubscriptions } from './subscription-store.ts'

const listMax = 100

export const listSubscriptions = defineOperation({
  name: 'list-subscriptions',
  summary: `List the newest ${listMax} subscriptions`,
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor) {
    const subscriptions = await listStoredSubscriptions(database.sql, actor, listMax)
    return subscriptions.map(withoutCard)
  },
})
