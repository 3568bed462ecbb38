import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { minorOf } from '../input/amount-input.ts'
import { listUnreversedEntries } from '../journal/journal-store.ts'
import type { Payment } from '../payments/payment.ts'
import { type LinkRefund, postLinkRefund } from '../payments/post-link-refund.ts'
import { bookByHand, reportedMoney, requireSameAmount, sameId } from './book-by-hand.ts'
import { refundedKind } from './book-refund-or-chargeback.ts'
import { findLastMovement } from './movement-store.ts'

export const bookLinkRefund = defineOperation({
  name: 'book-link-refund',
  summary: 'Book a refund of the payment service',
  kind: 'write',
  input: z.strictObject({
    ...reportedMoney,
    externalId: line(255),
    paymentExternalId: line(255),
  }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { amount, ...input }): Promise<Payment> {
    const told = {
      ...input,
      amountMinor: minorOf('amount', amount, input.currency),
      externalId: sameId(input.externalId),
      paymentExternalId: sameId(input.paymentExternalId),
    }
    return bookByHand(context, actor, told, async (tx, posting) => {
      if (isUuid(told.externalId)) await requireRefundable(tx, actor, told)
      const { refund, isRepeat } = await postLinkRefund(tx, posting, actor, told)
      if (isRepeat) context.call.nothingChanged()
      return refund
    })
  },
})

async function requireRefundable(
  tx: Tx,
  actor: Actor,
  told: LinkRefund & { readonly currency: string },
): Promise<void> {
  const kinds = ['refunded', 'charged_back', 'refund_reversed', 'chargeback_won'] as const
  const movement = await findLastMovement(tx, actor, told.externalId, kinds)
  if (!movement) return
  if (movement.kind === 'refund_reversed' || movement.kind === 'chargeback_won') {
    throw new Fault('conflict', 'The refund failed or was reversed.')
  }
  const standing = await listUnreversedEntries(tx, actor, movement.objectId)
  if (standing.some(({ kind }) => kind === refundedKind)) {
    throw new Fault('conflict', 'It was posted automatically, from the payments to assign.')
  }
  requireSameAmount(movement, { ...told, feeMinor: 0n })
}
