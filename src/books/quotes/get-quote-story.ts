// Everything that is known about one quote, for the people of the business.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { listActsOfObjects } from '../../kernel/auth/logged-act-store.ts'
import { type NamedAct, nameActors } from '../../kernel/auth/name-actors.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole, writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import {
  listDeliveriesOfEvents,
  listEventsOfObject,
  type SentDelivery,
  type SentEvent,
} from '../../kernel/webhooks/sent-event-store.ts'
import type { Account } from '../accounts/account.ts'
import { listAccounts } from '../accounts/account-store.ts'
import type { Contact } from '../contacts/contact.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { findDocument } from '../documents/document-store.ts'
import type { TaxCode } from '../taxes/tax-code.ts'
import { listTaxCodes } from '../taxes/tax-code-store.ts'
import { type Quote, quoteUrl } from './quote.ts'
import { findQuote } from './quote-store.ts'

export type QuoteStory = {
  readonly quote: Quote
  // The page on which the customer decides; null on a draft.
  readonly url: string | null
  readonly contact: Contact
  readonly accounts: ReadonlyMap<string, Account>
  readonly taxCodes: ReadonlyMap<string, TaxCode>
  readonly invoice: Document | undefined
  readonly acts: readonly NamedAct[]
  readonly events: readonly (SentEvent & { readonly deliveries: readonly SentDelivery[] })[]
}

export const getQuoteStory = defineOperation({
  name: 'get-quote-story',
  summary: 'Read everything that happened to a quote',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, publicUrl }, actor, { id }): Promise<QuoteStory> {
    const quote = await findQuote(sql, actor, id)
    if (!quote) throw notFound('quote')
    const [contact, accounts, taxCodes, invoice, acts, events] = await Promise.all([
      findContact(sql, actor, quote.contactId),
      listAccounts(sql, actor),
      listTaxCodes(sql, actor),
      quote.invoiceId === null ? undefined : findDocument(sql, actor, quote.invoiceId),
      listActsOfObjects(sql, actor, [id]),
      listEventsOfObject(sql, actor, id),
    ])
    const eventIds = events.map((event) => event.id)
    const deliveries = await listDeliveriesOfEvents(sql, actor, eventIds)
    return {
      quote,
      // On that page the customer accepts, which a viewer must not do for them.
      url: isReader(actor) ? null : quoteUrl(publicUrl, actor, quote),
      contact: assertDefined(contact, 'a quote without its contact'),
      accounts: new Map(accounts.map((account) => [account.id, account])),
      taxCodes: new Map(taxCodes.map((code) => [code.id, code])),
      invoice,
      acts: await nameActors(sql, actor, acts),
      events: events.map((event) => ({
        ...event,
        deliveries: deliveries.filter(({ eventId }) => eventId === event.id),
      })),
    }
  },
})

function isReader(actor: Actor): boolean {
  return actor.kind === 'person' && !writerRoles.includes(actor.role)
}
