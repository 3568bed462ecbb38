// Sends a quote: it gets its number, a page and a snapshot of the offer. When revised, it becomes a
// draft again, and the next send is a new version with a new page.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { randomUuid } from '../../kernel/basics/id.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { grouped } from '../../kernel/money/decimal.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import type { Contact } from '../contacts/contact.ts'
import { findContact } from '../contacts/contact-store.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { customerMail } from '../documents/document-mail.ts'
import type { DocumentSnapshot } from '../documents/document-snapshot.ts'
import { longDate } from '../documents/pdf/words.ts'
import { isOpen } from '../leads/lead.ts'
import { lockLead, updateLead } from '../leads/lead-store.ts'
import { assignNumber } from '../settings/assign-number.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { changeQuote, requireStatus } from './change-quote.ts'
import { freezeQuote } from './draw-quote.ts'
import { type Quote, quotePath, quoteUrl } from './quote.ts'

const sendInput = z.strictObject({
  id: uuid(),
  // Whether the customer gets a mail; otherwise someone passes on the address of the page.
  isMailed: z.boolean().default(true),
})

export const sendQuote = defineOperation({
  name: 'send-quote',
  summary: 'Send a quote to its customer, and show the address of its page',
  kind: 'write',
  input: sendInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, isMailed }): Promise<Quote & { readonly url: string | null }> {
    const sent = await changeQuote(context, actor, id, 'quote.send', async (tx, quote) => {
      requireStatus(quote, ['draft'], 'Only a draft can be sent.')
      const organisation = await findOrganisation(tx, actor)
      if (quote.expiryDate < today(organisation, context.clock.now())) {
        throw invalidField('expiryDate', 'Already past. Choose a later day.')
      }
      const contact = await requireContact(tx, actor, quote, isMailed)
      if (quote.leadId !== null) await quoteLead(tx, context, actor, quote.leadId, quote)
      // The counter is locked last.
      const numbered =
        quote.number === null ? await assignNumber(tx, actor, 'quote', quote.date) : undefined
      const number = numbered?.number ?? quote.number
      const sentAt = context.clock.now()
      const publicId = randomUuid(context.ids)
      const snapshot = await freezeQuote(tx, actor, { ...quote, number }, contact, sentAt)
      const mailId = isMailed
        ? await mail(tx, context, actor, snapshot, contact, publicId)
        : undefined
      return {
        status: 'sent',
        version: quote.version + 1,
        publicId,
        sentAt,
        snapshot,
        ...(numbered ?? {}),
        ...(mailId !== undefined && { mailId }),
      }
    })
    return { ...sent, url: quoteUrl(context.publicUrl, actor, sent) }
  },
})

async function requireContact(
  tx: Tx,
  actor: Actor,
  { contactId }: Quote,
  isMailed: boolean,
): Promise<Contact> {
  const contact = assertDefined(
    await findContact(tx, actor, contactId),
    'a quote without a contact',
  )
  if (!contact.active) throw invalidField('contactId', 'The contact is not active.')
  if (isMailed && contact.email === null) {
    throw invalidField('contactId', 'The contact has no e-mail address. Add one, or send the link.')
  }
  return contact
}

async function quoteLead(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  leadId: string,
  quote: Quote,
): Promise<void> {
  const lead = await lockLead(tx, actor, leadId)
  if (!lead || !isOpen(lead)) return
  await updateLead(tx, actor, {
    ...lead,
    status: 'quoted',
    quoteId: quote.id,
    contactId: lead.contactId ?? quote.contactId,
    updatedAt: context.clock.now(),
  })
}

async function mail(
  tx: Tx,
  context: BooksContext,
  { businessId, environment }: Actor,
  snapshot: DocumentSnapshot,
  contact: Contact,
  publicId: string,
): Promise<string> {
  const { number, organisation, total, currency, dueDate } = snapshot
  const tenant = { businessId, environment }
  const { publicUrl } = context
  const sender = { publicUrl, tenant, brand: await findBrand(tx, businessId) }
  return queueMail(tx, context, {
    tenant,
    kind: 'quote',
    to: [assertDefined(contact.email, 'a mail without a recipient')],
    senderName: organisation.name,
    subject: `Quote ${number} from ${organisation.name}`,
    ...customerMail(sender, snapshot, {
      heading: `Quote ${number}`,
      paragraphs: [
        `Dear ${contact.name},`,
        `${organisation.name} has sent you a quote for ${currency} ${grouped(total)}, valid ` +
          `until ${longDate(dueDate ?? '')}.`,
      ],
      action: {
        text: 'View it and accept or decline it',
        url: `${publicUrl}${quotePath(tenant, publicId)}`,
      },
    }),
  })
}
