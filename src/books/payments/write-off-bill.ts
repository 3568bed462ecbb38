// What a supplier or claimant does not ask for any more, or a part of it: a difference of cents, a
// debt that was remitted. What is not owed is a gain on an account of choice. The tax in it was
// deducted, and is owed back where it is claimed as that.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { day, uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { findAccount } from '../accounts/account-store.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import { bookOnce } from '../book-once.ts'
import type { BooksContext } from '../context.ts'
import type { DocumentKind } from '../documents/document-status.ts'
import { amountText } from '../input/amount-input.ts'
import { once } from '../input/once-input.ts'
import { requireRole } from '../operations/permissions.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './payment-store.ts'
import { postWriteOff } from './post-write-off.ts'
import { lockItems } from './settle-items.ts'

export const billWriteOffInput = z.strictObject({
  documentId: uuid(),
  date: day(),
  // All that is open, unless it is said.
  amount: amountText().optional(),
  // Where the gain stands: other income, or the expense that became smaller.
  accountId: uuid(),
  claimsTaxRelief: z.boolean().default(false),
  ...once,
})

const owed: readonly DocumentKind[] = ['bill', 'expense_claim']

export async function writeOffBill(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof billWriteOffInput>,
): Promise<Payment> {
  requireRole(actor, 'approve')
  const wanted = validated(billWriteOffInput, input)
  return bookOnce(context, actor, {
    operation: 'write-off-bill',
    input: wanted,
    async book(tx, id) {
      const locked = await lockItems(tx, actor, [wanted.documentId])
      const document = locked.documents.get(wanted.documentId)
      if (!document) throw notFound('bill')
      if (!owed.includes(document.kind)) throw new Fault('conflict', 'It is no bill.')
      await requireGainAccount(tx, actor, wanted.accountId)
      return postWriteOff(tx, context, actor, locked, { ...wanted, id })
    },
    find: (tx, id) => findPayment(tx, actor, id),
  })
}

async function requireGainAccount(tx: Tx, actor: Actor, accountId: string): Promise<void> {
  await requireAccounts(tx, actor, { accountId })
  const account = await findAccount(tx, actor, accountId)
  if (account?.type === 'income' || account?.type === 'expense') return
  throw invalidField('accountId', 'Choose an income or expense account.')
}
