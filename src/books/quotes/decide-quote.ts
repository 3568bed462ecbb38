// What the customer does on the hosted page. Pressing twice, or two people of the customer at once,
// decide once: the second finds it decided.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import type { BooksContext } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type Quote, quoteEventData } from './quote.ts'
import { changeQuote } from './write-quote.ts'

export type Decision =
  | { readonly kind: 'accept'; readonly name: string }
  | { readonly kind: 'decline'; readonly name: string | null; readonly reason: string | null }

// `publicId` is that of the page: an older version of the quote cannot be accepted.
export async function decideQuote(
  context: BooksContext,
  tenant: Tenant,
  { id, publicId }: { id: string; publicId: string },
  decision: Decision,
): Promise<Quote> {
  const actor: Actor = { ...tenant, kind: 'system', name: 'quote page' }
  return changeQuote(context, actor, id, `quote.${decision.kind}`, async (tx, quote) => {
    if (quote.publicId !== publicId || quote.status !== 'sent') {
      throw new Fault('conflict', 'This quote can no longer be answered here.')
    }
    const organisation = await findOrganisation(tx, tenant)
    if (quote.expiryDate < today(organisation, context.clock.now())) {
      throw new Fault('conflict', 'This quote has expired.')
    }
    const changes = {
      status: decision.kind === 'accept' ? 'accepted' : 'declined',
      decidedAt: context.clock.now(),
      decidedByName: decision.name,
      declineReason: decision.kind === 'decline' ? decision.reason : null,
    } as const
    await publishDecision(tx, context, tenant, { ...quote, ...changes })
    return changes
  })
}

async function publishDecision(
  tx: Tx,
  context: BooksContext,
  tenant: Tenant,
  quote: Quote,
): Promise<void> {
  await publish(tx, context, tenant, {
    service: 'books',
    type: quote.status === 'accepted' ? 'quote.accepted' : 'quote.declined',
    objectId: quote.id,
    data: quoteEventData(quote),
  })
}
