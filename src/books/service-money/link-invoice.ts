// Links an invoice with a payment link, code or subscription of the merchant service: payments
// there pay this invoice, as long as something of it is open. Earlier payments keep their postings.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findDocument } from '../documents/document-store.ts'
import { insertOfferInvoice } from './offer-invoice-store.ts'

const linkInput = z.strictObject({ offerId: uuid(), documentId: uuid() })

export const linkInvoice = defineOperation({
  name: 'link-invoice',
  summary: 'Set which invoice is paid through a link, code or subscription',
  kind: 'write',
  input: linkInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, wanted): Promise<z.output<typeof linkInput>> {
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
  },
})
