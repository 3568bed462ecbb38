// Issues a sale and mails it, in one step for the person. The address is checked first, so that a
// document is not issued for a mail that can't be sent. If the mail fails to be queued after that,
// the document is issued and can be sent by itself.
import { z } from 'zod'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { emailAddress, someText, uuid } from '../../kernel/operations/schemas.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { rateText } from '../input/amount-input.ts'
import { oldDate } from '../input/day-input.ts'
import type { Document } from './document.ts'
import { findDocument } from './document-store.ts'
import { issueDocument } from './issue-document.ts'
import { sendDocument } from './send-document.ts'

export const issueAndSendDocument = defineOperation({
  name: 'issue-and-send-document',
  summary: 'Issue a sale and mail it with its PDF',
  kind: 'write',
  input: z.strictObject({
    id: uuid(),
    version: z.int().optional(),
    fxRate: rateText().optional(),
    // The default is the address of the contact.
    to: z.array(emailAddress()).min(1).max(10).optional(),
    message: someText(4000).optional(),
    ...oldDate,
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { to, message, ...issue }): Promise<Document> {
    const { sql } = context.database
    const document = await findDocument(sql, actor, issue.id)
    if (!document) throw notFound('document')
    const contact = await findContact(sql, actor, document.contactId)
    if (!to && !contact?.email) {
      throw new Fault('conflict', `${contact?.name} has no e-mail address. Enter one.`)
    }
    await issueDocument.run(context, actor, { ...issue, isSent: false })
    return sendDocument.run(context, actor, { id: issue.id, to, message })
  },
})
