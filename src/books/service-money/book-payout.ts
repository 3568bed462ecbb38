import { z } from 'zod'
import { Fault } from '../../kernel/basics/fault.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { amountText, minorOf } from '../input/amount-input.ts'
import { postPayout } from '../payments/post-payout.ts'
import { bookByHand, reportedMoney, requireSameAmount } from './book-by-hand.ts'
import { findLastMovement } from './movement-store.ts'

export const bookPayout = defineOperation({
  name: 'book-payout',
  summary: 'Book a payout that the bank received',
  kind: 'write',
  // `id` is the payout's id in the merchant service, `accountId` the bank account.
  // On an account in a third currency, `accountAmount` is what came in there.
  input: z.strictObject({
    ...reportedMoney,
    id: uuid(),
    accountId: uuid(),
    accountAmount: amountText().optional(),
    confirmsRate: z.boolean().optional(),
  }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { amount, ...input }) {
    const told = { ...input, amountMinor: minorOf('amount', amount, input.currency) }
    return bookByHand(context, actor, told, async (tx, posting) => {
      const kinds = ['paid_out', 'payout_reversed', 'payout_restored'] as const
      const movement = await findLastMovement(tx, actor, told.id, kinds)
      if (movement?.kind === 'payout_reversed') {
        throw new Fault('conflict', 'The payout did not arrive.')
      }
      if (movement) requireSameAmount(movement, { ...told, feeMinor: 0n })
      const { sequence, isRepeat } = await postPayout(tx, posting, actor, told)
      if (isRepeat) context.call.nothingChanged()
      return { id: told.id, sequence }
    })
  },
})
