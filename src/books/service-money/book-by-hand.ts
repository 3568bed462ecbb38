// A person posts what the merchant service did: on a day that has come, and not in addition to an
// automatic posting, which would be on clearing twice.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { currencyCode } from '../../kernel/operations/schemas.ts'
import type { BooksContext } from '../context.ts'
import { amountText } from '../input/amount-input.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { requireNotFuture } from '../journal/date-limits.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { bookingProblem } from './find-manual-booking.ts'
import type { Movement } from './movement.ts'
import { lockServiceSettings } from './service-settings-store.ts'

// The amount is in major units.
export const reportedMoney = {
  date: bookDay(),
  currency: currencyCode(),
  amount: amountText(),
  ...oldDate,
}

export async function bookByHand<C extends BooksContext, T>(
  context: C,
  actor: Actor,
  { date, confirmsOldDate }: { date: string; confirmsOldDate?: boolean | undefined },
  book: (tx: Tx, posting: C) => Promise<T>,
): Promise<T> {
  return context.database.transaction(async (tx) => {
    requireNotFuture(await findOrganisation(tx, actor), context.clock.now(), date)
    // Nothing of it is posted meanwhile.
    await lockServiceSettings(tx, actor)
    return book(tx, { ...context, confirmsOldDate })
  })
}

// The amount that the merchant service reports must agree with the person's.
export function requireSameAmount(
  movement: Movement,
  stated: Parameters<typeof bookingProblem>[1],
): void {
  const problem = bookingProblem(movement, stated)
  if (problem !== undefined) throw new Fault('conflict', problem)
}

// The service writes ids in lower case; people may not.
export function sameId(externalId: string): string {
  return isUuid(externalId) ? externalId.toLowerCase() : externalId
}
