import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { searchText } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { withoutCard } from './subscription.ts'
import { listSubscriptions as listStoredSubscriptions } from './subscription-store.ts'

const listMax = 100

export const listSubscriptions = defineOperation({
  name: 'list-subscriptions',
  summary: `List the newest ${listMax} subscriptions`,
  kind: 'read',
  input: z.strictObject({
    search: searchText.optional(),
    limit: z.int().min(1).max(listMax).default(listMax),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor, wanted) {
    const subscriptions = await listStoredSubscriptions(database.sql, actor, wanted)
    return subscriptions.map(withoutCard)
  },
})
