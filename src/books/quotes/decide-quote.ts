// The customer's decision on the hosted page. If it is pressed twice, or by two people at once, the
// second finds it decided.
import { z } from 'zod'
import { listOwners } from '../../kernel/auth/membership-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { parseMailAddress } from '../../kernel/mail/mail.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { grouped } from '../../kernel/money/decimal.ts'
import { noRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { changeQuote } from './change-quote.ts'
import { type Quote, quoteEventData } from './quote.ts'

const ownersMax = 20

export const decideQuote = defineOperation({
  name: 'decide-quote',
  summary: 'Accept or decline a quote for its customer',
  kind: 'write',
  input: z.strictObject({
    id: uuid(),
    // Of the page: an older version of the quote can't be accepted.
    publicId: uuid(),
    decision: z.enum(['accept', 'decline']),
    // Required to accept.
    name: line(160).nullable(),
    reason: line(500).nullable().default(null),
  }),
  scopes: [],
  // The customer decides on the hosted page, which acts as the system.
  roles: noRoles,
  async run(context, actor, { id, publicId, decision, name, reason }): Promise<Quote> {
    const isAccepted = decision === 'accept'
    if (isAccepted && name === null) throw invalidField('name', 'Required.')
    return changeQuote(context, actor, id, `quote.${decision}`, async (tx, quote) => {
      if (quote.publicId !== publicId || quote.status !== 'sent') {
        throw new Fault('conflict', 'This quote can no longer be answered here.')
      }
      const organisation = await findOrganisation(tx, actor)
      if (quote.expiryDate < today(organisation, context.clock.now())) {
        throw new Fault('conflict', 'This quote has expired.')
      }
      const changes = {
        status: isAccepted ? 'accepted' : 'declined',
        decidedAt: context.clock.now(),
        decidedByName: name,
        declineReason: isAccepted ? null : reason,
      } as const
      const decided = { ...quote, ...changes }
      await publishDecision(tx, context, actor, decided)
      await notifyOwners(tx, context, actor, decided)
      return changes
    })
  },
})

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

// The page says that the owners are notified, so they get a mail, with or without a webhook
// endpoint. It must not fail because of an invalid address.
async function notifyOwners(
  tx: Tx,
  context: BooksContext,
  { businessId, environment }: Tenant,
  quote: Quote,
): Promise<void> {
  const owners = await listOwners(tx, businessId)
  const to = owners.flatMap(({ email }) => parseMailAddress(email) ?? []).slice(0, ownersMax)
  if (to.length === 0) return
  const { number, status, decidedByName, declineReason, snapshot } = quote
  const by = decidedByName === null ? 'the customer' : decidedByName
  const { contact, currency, total } = assertDefined(snapshot, 'a quote was sent without a page')
  const words = [
    `${contact.name}: quote ${number} for ${currency} ${grouped(total)} was ${status} by ${by}.`,
    ...(declineReason === null ? [] : [`Reason: ${declineReason}`]),
  ]
  await queueMail(tx, context, {
    tenant: { businessId, environment },
    kind: 'notice',
    to,
    subject: `Quote ${number} was ${status}`,
    text: `${words.join('\n')}\n`,
  })
}
