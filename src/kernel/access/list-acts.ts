import { z } from 'zod'
import { listActs as listStoredActs } from '../auth/logged-act-store.ts'
import { nameActors } from '../auth/name-actors.ts'
import { everyRole } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation } from './define-operation.ts'

const pageSize = 50

export const listActs = defineOperation({
  name: 'list-acts',
  summary: 'List who did what in a business, newest first',
  kind: 'read',
  input: z.strictObject({
    before: uuid().optional(),
    // Part of an action such as `refund`, or the id of an object.
    text: z.string().max(100).optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { before, text }) {
    const acts = await listStoredActs(sql, actor, { before, text, limit: pageSize })
    const named = await nameActors(sql, actor, acts)
    const isFull = acts.length === pageSize
    return { acts: named, nextBefore: isFull ? (acts.at(-1)?.id ?? null) : null }
  },
})
