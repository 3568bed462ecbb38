// What the payment service did, booked by a person: on a day that has come, and not beside what has
// booked itself, which would stand on clearing twice.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { currencyCode, day } from '../../kernel/operations/schemas.ts'
import type { BooksContext } from '../context.ts'
import { amountText } from '../input/amount-input.ts'
import { requireNotFuture } from '../journal/future-dates.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { bookingProblem } from './find-manual-booking.ts'
import type { Movement } from './movement.ts'
import { lockServiceSettings } from './service-settings-store.ts'

// The amount is in major units.
export const reportedMoney = { date: day(), currency: currencyCode(), amount: amountText() }

export async function bookByHand<T>(
  context: BooksContext,
  actor: Actor,
  date: string,
  book: (tx: Tx) => Promise<T>,
): Promise<T> {
  return context.database.transaction(async (tx) => {
    requireNotFuture(await findOrganisation(tx, actor), context.clock.now(), date)
    // Nothing of it is booked meanwhile.
    await lockServiceSettings(tx, actor)
    return book(tx)
  })
}

// What the payment service reports itself must agree with what the person states.
export function requireSameAmount(
  movement: Movement,
  stated: Parameters<typeof bookingProblem>[1],
): void {
  const problem = bookingProblem(movement, stated)
  if (problem !== undefined) throw new Fault('conflict', problem)
}

// The service writes its ids in small letters; people may copy them otherwise.
export function sameId(externalId: string): string {
  return isUuid(externalId) ? externalId.toLowerCase() : externalId
}
