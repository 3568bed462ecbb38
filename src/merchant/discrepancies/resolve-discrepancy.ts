// A person closes a discrepancy and records what they found. Closing posts nothing and moves no
// money.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Discrepancy } from './discrepancy.ts'
import { lockDiscrepancy, updateDiscrepancyResolved } from './discrepancy-store.ts'

export const resolveDiscrepancy = defineOperation({
  name: 'resolve-discrepancy',
  summary: 'Close a discrepancy with the payment provider; posts and sends nothing',
  kind: 'write',
  input: z.strictObject({ id: uuid(), reason: line(500) }),
  scopes: [],
  roles: adminRoles,
  peopleOnly: true,
  run: (context, actor, { id, reason }): Promise<Discrepancy> =>
    context.database.transaction(async (tx) => {
      const found = await lockDiscrepancy(tx, actor, id)
      if (!found) throw notFound('discrepancy')
      if (found.resolvedAt) {
        const at = found.resolvedAt.toISOString()
        throw new Fault('conflict', `The discrepancy was resolved ${at}: ${found.resolution}.`)
      }
      const resolvedAt = context.clock.now()
      await updateDiscrepancyResolved(tx, actor, found, { resolution: reason, resolvedAt })
      const { cause, objectKind, objectId } = found
      await recordAct(tx, context, actor, {
        action: 'discrepancy.resolve',
        objectKind: 'discrepancy',
        objectId: id,
        detail: { cause, objectKind, objectId, reason },
      })
      return { ...found, resolvedAt, resolution: reason }
    }),
})
