import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { updateWaitingDue } from './movement-store.ts'

// For people who have fixed the cause and don't want to wait for the next try.
export const retryServiceMoney = defineOperation({
  name: 'retry-service-money',
  summary: 'Retry all waiting movements of the merchant service now',
  kind: 'write',
  input: z.strictObject({}),
  scopes: [],
  roles: writerRoles,
  async run(context, actor): Promise<{ readonly tried: number }> {
    return context.database.transaction(async (tx) => {
      const tried = await updateWaitingDue(tx, actor, context.clock.now())
      if (tried === 0) context.call.nothingChanged()
      else {
        await recordAct(tx, context, actor, {
          action: 'service_money.retry',
          objectKind: 'organisation',
          objectId: actor.businessId,
          detail: { tried },
        })
      }
      return { tried }
    })
  },
})
