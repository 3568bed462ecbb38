// Says which invoice is paid by whoever pays a link, a code or a subscription of the payment
// service, as long as something of it is open. What was paid before stays as it is booked.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { findDocument } from '../documents/document-store.ts'
import { requireRole } from '../operations/permissions.ts'
import { insertOfferInvoice } from './offer-invoice-store.ts'

export const offerInvoiceInput = z.strictObject({ offerId: uuid(), documentId: uuid() })

export async function setInvoiceOfOffer(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof offerInvoiceInput>,
): Promise<z.output<typeof offerInvoiceInput>> {
  requireRole(actor, 'write')
  const wanted = validated(offerInvoiceInput, input)
  return context.database.transaction(async (tx) => {
    const document = await findDocument(tx, actor, wanted.documentId)
    if (document?.kind !== 'invoice') throw invalidField('documentId', 'No such invoice.')
    if (!document.postedAt)
      throw new Fault('conflict', 'The invoice is not issued. Issue it first.')
    if (document.voidedAt) throw new Fault('conflict', `${document.number} is void.`)
    await insertOfferInvoice(tx, actor, { ...wanted, createdAt: context.clock.now() })
    await recordAct(tx, context, actor, {
      action: 'offer.link_invoice',
      objectKind: 'document',
      objectId: wanted.documentId,
      detail: { offer_id: wanted.offerId },
    })
    return wanted
  })
}
