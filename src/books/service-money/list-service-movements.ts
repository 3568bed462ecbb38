import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { movementStatuses } from './movement.ts'
import { listMovements } from './movement-store.ts'

export const listServiceMovements = defineOperation({
  name: 'list-service-movements',
  summary: 'List the newest movements of the merchant service, and why they wait',
  kind: 'read',
  input: z.strictObject({ status: z.enum(movementStatuses).optional(), limit: listLimit() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { status, limit }) =>
    listMovements(database.sql, actor, status, limit),
})
