import { inLive } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { updatePayerMails } from './payer-mail-store.ts'
import { type PayerMails, payerMailsSchema } from './payer-mails.ts'

// Counts for facts from now on: what has happened before is not mailed later.
export const setPayerMails = defineOperation({
  name: 'set-payer-mails',
  summary: 'Choose which mails payers get',
  kind: 'write',
  input: payerMailsSchema,
  scopes: [],
  roles: adminRoles,
  async run(context, caller, wanted): Promise<PayerMails> {
    const actor = inLive(caller)
    const { businessId } = actor
    await context.database.transaction(async (tx) => {
      await updatePayerMails(tx, businessId, wanted, context.clock.now())
      await recordAct(tx, context, actor, {
        action: 'payer_mails.set',
        objectKind: 'business',
        objectId: businessId,
        detail: Object.fromEntries(
          Object.entries(wanted).map(([kind, isOn]) => [kind, String(isOn)]),
        ),
      })
    })
    return wanted
  },
})
