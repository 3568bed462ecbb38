// Gives up what is open of an invoice, or a part of it. The net is a bad debt; the tax in it comes
// back from the authority where relief is claimed, and is a bad debt too where it is not.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { day, uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { bookOnce } from '../book-once.ts'
import type { BooksContext } from '../context.ts'
import { amountText } from '../input/amount-input.ts'
import { once } from '../input/once-input.ts'
import { requireRole } from '../operations/permissions.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './payment-store.ts'
import { postWriteOff } from './post-write-off.ts'
import { lockItems } from './settle-items.ts'

export const invoiceWriteOffInput = z.strictObject({
  documentId: uuid(),
  date: day(),
  // All that is open, unless it is said.
  amount: amountText().optional(),
  claimsTaxRelief: z.boolean().default(false),
  ...once,
})

export async function writeOffInvoice(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof invoiceWriteOffInput>,
): Promise<Payment> {
  requireRole(actor, 'approve')
  const wanted = validated(invoiceWriteOffInput, input)
  return bookOnce(context, actor, {
    operation: 'write-off-invoice',
    input: wanted,
    async book(tx, id) {
      const locked = await lockItems(tx, actor, [wanted.documentId])
      const document = locked.documents.get(wanted.documentId)
      if (!document) throw notFound('invoice')
      if (document.kind !== 'invoice')
        throw new Fault(
          'conflict',
          'Only invoices are written off so. Bills have an operation of their own.',
        )
      const { id: accountId } = await findSystemAccount(tx, actor, 'bad_debt')
      return postWriteOff(tx, context, actor, locked, { ...wanted, id, accountId })
    },
    find: (tx, id) => findPayment(tx, actor, id),
  })
}
