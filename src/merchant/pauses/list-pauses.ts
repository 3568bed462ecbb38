import { z } from 'zod'
import { noRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listPauses as listAllPauses, listStandingPauses } from './pause-store.ts'

const listMax = 100

export const listPauses = defineOperation({
  name: 'list-pauses',
  summary: `List current pauses, or the newest ${listMax} pauses`,
  kind: 'read',
  input: z.strictObject({ includesEnded: z.boolean().default(false) }),
  scopes: [],
  roles: noRoles,
  run: ({ database: { sql }, clock }, _actor, { includesEnded }) =>
    includesEnded ? listAllPauses(sql, listMax) : listStandingPauses(sql, clock.now()),
})
