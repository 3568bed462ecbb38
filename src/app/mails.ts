// An operator's actions on mails. A mail may belong to no business, so these are functions, not
// operations of a business.
import { recordAct } from '../kernel/auth/audit-log.ts'
import { isUuid } from '../kernel/basics/id.ts'
import type { Context } from '../kernel/db/context.ts'
import type { Mail, MailContent, MailFilter } from '../kernel/mail/mail.ts'
import { findMailById, findMailContent, listMails } from '../kernel/mail/mail-store.ts'
import { queueMailAgain } from '../kernel/mail/queue-mail.ts'

export const newestMailsMax = 200

export async function listNewestMails({ database }: Context, filter: MailFilter): Promise<Mail[]> {
  return listMails(database.sql, filter, newestMailsMax)
}

export type MailWithContent = { readonly mail: Mail; readonly content: MailContent | null }

export async function findMailWithContent(
  { database: { sql } }: Context,
  id: string,
): Promise<MailWithContent | undefined> {
  const mail = isUuid(id) ? await findMailById(sql, id.toLowerCase()) : null
  return mail ? { mail, content: await findMailContent(sql, mail) } : undefined
}

// False if the mail was sent or its content deleted, so that nothing is left to send.
export async function retryMail(context: Context, actorName: string, mail: Mail): Promise<boolean> {
  const { id, businessId, environment } = mail
  return context.database.transaction(async (tx) => {
    if (!(await queueMailAgain(tx, context, mail))) return false
    if (businessId && environment) {
      const actor = { kind: 'system', name: actorName, businessId, environment } as const
      await recordAct(tx, context, actor, {
        action: 'mail.retry',
        objectKind: 'mail',
        objectId: id,
      })
    }
    return true
  })
}
