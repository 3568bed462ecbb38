// What a supplier or claimant does not ask for any more, or a part of it: a difference of cents, a
// debt that was remitted. What is not owed is a gain on an account of choice. The tax in it was
// deducted, and is owed back where it is claimed as that.

import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { findAccount } from '../accounts/account-store.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import { defineOperation } from '../context.ts'
import type { DocumentKind } from '../documents/document-status.ts'
import { amountText } from '../input/amount-input.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './payment-store.ts'
import { postWriteOff } from './post-write-off.ts'
import { lockItems } from './settle-items.ts'

const billWriteOffInput = z.strictObject({
  documentId: uuid(),
  date: bookDay(),
  // All that is open, unless it is said.
  amount: amountText().optional(),
  // Where the gain stands: other income, or the expense that became smaller.
  accountId: uuid(),
  claimsTaxRelief: z.boolean().default(false),
  ...oldDate,
})

const owed: readonly DocumentKind[] = ['bill', 'expense_claim']

export const writeOffBill = defineOperation({
  name: 'write-off-bill',
  summary: 'Write off a bill or expense claim, wholly or in part',
  kind: 'write',
  input: billWriteOffInput,
  scopes: [],
  roles: approverRoles,
  idempotency: {
    name: 'write-off-bill',
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
      if (!document) throw notFound('bill')
      if (!owed.includes(document.kind)) throw new Fault('conflict', 'It is no bill.')
      await requireGainAccount(tx, actor, wanted.accountId)
      const posting = { ...context, confirmsOldDate }
      return postWriteOff(tx, posting, actor, locked, { ...wanted, id })
    })
  },
})

async function requireGainAccount(tx: Tx, actor: Actor, accountId: string): Promise<void> {
  await requireAccounts(tx, actor, { accountId })
  const account = await findAccount(tx, actor, accountId)
  if (account?.type === 'income' || account?.type === 'expense') return
  throw invalidField('accountId', 'Choose an income or expense account.')
}
