// Mails the statement of a period to a contact, with its PDF. It can be sent again at any time.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { emailAddress, someText, uuid } from '../../kernel/operations/schemas.ts'
import type { Contact } from '../contacts/contact.ts'
import { defineOperation } from '../context.ts'
import { periodInput } from '../reports/report-period.ts'
import { readStatement } from './read-statement.ts'
import { writeStatement } from './write-statement.ts'

export const sendStatement = defineOperation({
  name: 'send-statement',
  summary: 'Mail the statement of a contact with its PDF',
  kind: 'write',
  input: z.strictObject({
    id: uuid(),
    ...periodInput,
    // The default is the address of the contact.
    recipients: z.array(emailAddress()).min(1).max(10).optional(),
    // Replaces the greeting.
    message: someText(4000).optional(),
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { recipients, message, ...wanted }): Promise<Contact> {
    const read = await readStatement(context, actor, wanted)
    const { contact, from, to } = read.statement
    const addresses = recipients ?? (contact.email === null ? [] : [contact.email])
    if (addresses.length === 0) {
      throw new Fault('conflict', `${contact.name} has no e-mail address. Enter one.`)
    }
    const mail = await writeStatement(context, actor, read, message)
    await context.database.transaction(async (tx) => {
      const mailId = await queueMail(tx, context, { ...mail, to: addresses })
      await recordAct(tx, context, actor, {
        action: 'contact.send_statement',
        objectKind: 'contact',
        objectId: contact.id,
        detail: { mailId, to: addresses, period: `${from} to ${to}` },
      })
    })
    return contact
  },
})
