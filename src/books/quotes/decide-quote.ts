// The customer's decision on the hosted page. If it is pressed twice, or by two people at once, the
// second finds it decided.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { grouped } from '../../kernel/money/decimal.ts'
import type { Notice } from '../../kernel/notices/notice.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { noRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { changeQuote } from './change-quote.ts'
import { type Quote, quoteEventData } from './quote.ts'

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
      await notify(tx, context, actor, decidedNotice(decided))
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

function decidedNotice(quote: Quote): Notice {
  const { id, number, status, decidedByName, declineReason, snapshot, version } = quote
  const by = decidedByName === null ? 'the customer' : decidedByName
  const { contact, currency, total } = assertDefined(snapshot, 'a quote was sent without a page')
  return {
    kind: 'quotes',
    fact: `quote.decide/${id}/${version}`,
    subject: `Quote ${number} was ${status}`,
    lines: [
      `${contact.name}: quote ${number} for ${currency} ${grouped(total)} was ${status} by ${by}.`,
      ...(declineReason === null ? [] : [`Reason: ${declineReason}`]),
    ],
    path: `/quotes/${id}`,
  }
}
