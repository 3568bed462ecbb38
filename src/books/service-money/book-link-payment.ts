import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { amountText, minorOf } from '../input/amount-input.ts'
import { updateChargeEnded } from '../invoice-pages/invoice-charge-store.ts'
import type { Payment } from '../payments/payment.ts'
import { type LinkPayment, postLinkPayment } from '../payments/post-link-payment.ts'
import { bookByHand, reportedMoney, requireSameAmount, sameId } from './book-by-hand.ts'
import { findUnassignedPayment } from './find-unassigned-payment.ts'
import type { Movement } from './movement.ts'
import { updateMovement } from './movement-store.ts'
import { findBookedCollection, requireReportedPayment } from './require-reported-payment.ts'

export const bookLinkPayment = defineOperation({
  name: 'book-link-payment',
  summary: 'Book a payment through a payment link',
  kind: 'write',
  input: z.strictObject({
    ...reportedMoney,
    externalId: line(255),
    documentId: uuid(),
    fee: amountText().optional(),
  }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { amount, fee, ...input }): Promise<Payment> {
    const amountMinor = minorOf('amount', amount, input.currency)
    const feeMinor = fee === undefined ? 0n : minorOf('fee', fee, input.currency)
    if (feeMinor > amountMinor) throw invalidField('fee', 'Must not be more than the amount.')
    const told = { ...input, amountMinor, feeMinor, externalId: sameId(input.externalId) }
    return bookByHand(context, actor, told, async (tx, posting) => {
      const movement = isUuid(told.externalId)
        ? await requireReportedPayment(tx, actor, told.externalId)
        : undefined
      if (movement) await requireBookable(tx, actor, movement, told)
      const payment = await postLinkPayment(tx, posting, actor, told)
      if (isUuid(told.externalId)) {
        await updateChargeEnded(tx, actor, told.externalId, context.clock.now())
      }
      if (movement && movement.status !== 'waiting') {
        await updateMovement(tx, actor, movement.id, { bookedPaymentId: payment.id })
      }
      return payment
    })
  },
})

async function requireBookable(
  tx: Tx,
  actor: Actor,
  movement: Movement,
  told: LinkPayment,
): Promise<void> {
  if (await findUnassignedPayment(tx, actor, movement.objectId)) {
    throw new Fault(
      'conflict',
      'It was posted automatically, as a payment to assign. Choose its invoice with assign-service-payment.',
    )
  }
  const standing = await findBookedCollection(tx, actor, movement)
  if (standing && standing.externalId !== told.externalId) {
    throw new Fault('conflict', 'It is already posted. Remove that payment first.')
  }
  requireSameAmount(movement, told)
}
