// A payment that a person books with its invoice. One that has booked itself already stands on the
// account for payments to assign, and would stand on clearing twice.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import { databaseInside } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import { bookLinkPayment, type LinkPayment } from '../payments/book-link-payment.ts'
import type { Payment } from '../payments/payment.ts'
import { findLastMovement } from './movement-store.ts'
import { lockServiceSettings } from './service-settings-store.ts'

export async function bookByHand(
  context: BooksContext,
  actor: Actor,
  told: LinkPayment,
): Promise<Payment> {
  return context.database.transaction(async (tx) => {
    // Nothing of it is booked meanwhile.
    await lockServiceSettings(tx, actor)
    const kinds = ['collected', 'collection_restored'] as const
    const movement = isUuid(told.externalId)
      ? await findLastMovement(tx, actor, told.externalId, kinds)
      : undefined
    if (movement?.status === 'booked' && movement.bookedPaymentId === null) {
      throw new Fault(
        'conflict',
        'It has booked itself, as a payment to assign. Say its invoice with assign-service-payment.',
      )
    }
    return bookLinkPayment({ ...context, database: databaseInside(tx) }, actor, told)
  })
}
