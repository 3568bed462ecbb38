// Sends a mail that failed, or that was kept while there was no mail server. Those who have it
// already don't get it twice.
import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { recordAct } from '../auth/audit-log.ts'
import { Fault, notFound } from '../basics/fault.ts'
import type { Mail } from '../mail/mail.ts'
import { queueMailAgain } from '../mail/queue-mail.ts'
import { writerRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { resendProblem } from './get-mail.ts'
import { findMailOf } from './mailbox-store.ts'

export const sendMailAgain = defineOperation({
  name: 'send-mail-again',
  summary: 'Send a failed or kept mail again',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Mail> {
    return context.database.transaction(async (tx) => {
      const mail = await findMailOf(tx, actor, id)
      if (!mail) throw notFound('mail')
      const problem = resendProblem(mail, context.mailer !== undefined)
      if (problem !== null) throw new Fault('conflict', `The mail can’t be sent again. ${problem}`)
      if (!(await queueMailAgain(tx, context, mail))) {
        throw new Fault('conflict', 'The mail was sent meanwhile.')
      }
      await recordAct(tx, context, actor, {
        action: 'mail.retry',
        objectKind: 'mail',
        objectId: id,
        detail: { to: mail.recipients },
      })
      return mail
    })
  },
})
