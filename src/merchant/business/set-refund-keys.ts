import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { updateTakesRefundKeys } from './business-store.ts'

// Switched off, a repeated refund is a new one: callers that rely on their keys must know first.
export const setRefundKeys = defineOperation({
  name: 'set-refund-keys',
  summary: 'Switch idempotency keys of refunds on or off',
  kind: 'write',
  input: z.strictObject({ isOn: z.boolean() }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { isOn }): Promise<{ readonly isOn: boolean }> {
    await context.database.transaction(async (tx) => {
      await updateTakesRefundKeys(tx, actor.businessId, isOn, context.clock.now())
      await recordAct(tx, context, actor, {
        action: 'refund_keys.set',
        objectKind: 'business',
        objectId: actor.businessId,
        detail: { isOn: String(isOn) },
      })
    })
    return { isOn }
  },
})
