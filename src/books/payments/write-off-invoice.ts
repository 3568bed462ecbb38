// Writes off the open amount of an invoice, or a part of it. The net is a bad debt; so is the tax
// in it, unless relief is claimed from the tax authority.

import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { defineOperation } from '../context.ts'
import { amountText } from '../input/amount-input.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './payment-store.ts'
import { postWriteOff } from './post-write-off.ts'
import { lockItems } from './settle-items.ts'

const invoiceWriteOffInput = z.strictObject({
  documentId: uuid(),
  date: bookDay(),
  // The default is the whole open amount.
  amount: amountText().optional(),
  claimsTaxRelief: z.boolean().default(false),
  ...oldDate,
})

export const writeOffInvoice = defineOperation({
  name: 'write-off-invoice',
  summary: 'Write off an invoice, in full or in part',
  kind: 'write',
  input: invoiceWriteOffInput,
  scopes: [],
  roles: approverRoles,
  idempotency: {
    name: 'write-off-invoice',
    isBodyBound: true,
    replay: async ({ database }, actor, id) =>
      assertDefined(await findPayment(database.sql, actor, id), 'a booked payment vanished'),
  },
  async run(context, actor, { confirmsOldDate, ...wanted }): Promise<Payment> {
    return context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      const locked = await lockItems(tx, actor, [wanted.documentId])
      const document = locked.documents.get(wanted.documentId)
      if (!document) throw notFound('invoice')
      if (document.kind !== 'invoice')
        throw new Fault('conflict', 'This is not an invoice. Bills have a separate operation.')
      const { id: accountId } = await findSystemAccount(tx, actor, 'bad_debt')
      const posting = { ...context, confirmsOldDate }
      return postWriteOff(tx, posting, actor, locked, { ...wanted, id, accountId })
    })
  },
})
