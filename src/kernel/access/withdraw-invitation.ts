import { z } from 'zod'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { deleteInvitation } from '../auth/invitation-store.ts'
import { notFound } from '../basics/fault.ts'
import { adminRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation } from './define-operation.ts'

export const withdrawInvitation = defineOperation({
  name: 'withdraw-invitation',
  summary: 'Withdraw an invitation; its link stops working at once',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: adminRoles,
  async run(context, caller, { id }) {
    const actor = inLive(caller)
    return context.database.transaction(async (tx): Promise<{ email: string }> => {
      const withdrawn = await deleteInvitation(tx, actor.businessId, id)
      if (!withdrawn) throw notFound('invitation')
      const { email, role } = withdrawn
      await recordAct(tx, context, actor, {
        action: 'invitation.withdraw',
        objectKind: 'invitation',
        objectId: id,
        detail: { email, role },
      })
      return { email }
    })
  },
})
