// Writes off a bill or claim, or a part of it: a difference of cents, or a debt that the supplier
// waived. The amount is a gain on a chosen account. The tax in it was deducted, and is owed again
// if relief is claimed.

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
  // The default is the whole open amount.
  amount: amountText().optional(),
  // The account of the gain: other income, or the expense that became smaller.
  accountId: uuid(),
  claimsTaxRelief: z.boolean().default(false),
  ...oldDate,
})

const owed: readonly DocumentKind[] = ['bill', 'expense_claim']

export const writeOffBill = defineOperation({
  name: 'write-off-bill',
  summary: 'Write off a bill or expense claim, in full or in part',
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
      if (!owed.includes(document.kind)) throw new Fault('conflict', 'It is not a bill.')
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
