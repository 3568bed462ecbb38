// A person may have posted a movement of the merchant service by hand, with its id. The amounts
// must agree; otherwise the clearing account would silently differ from what the service holds.
import { Fault } from '../../kernel/basics/fault.ts'
import { amountWords } from '../input/amount-input.ts'
import type { Payment } from '../payments/payment.ts'
import { findPaymentByExternalId } from '../payments/payment-store.ts'
import { grossMinor, isCollection, type Movement } from './movement.ts'
import type { BookingStep } from './movement-step.ts'

export async function findManualBooking(
  { tx, actor, movement }: BookingStep,
  externalId: string,
): Promise<Payment | undefined> {
  const known = await findPaymentByExternalId(tx, actor, externalId)
  if (!known) return undefined
  const problem = bookingProblem(movement, known)
  if (problem === undefined) return known
  const advice = 'Remove that payment; it is then posted automatically.'
  throw new Fault('conflict', `It was posted by hand with other values. ${problem} ${advice}`)
}

type Stated = Pick<Payment, 'currency' | 'amountMinor' | 'feeMinor'> &
  Partial<Pick<Payment, 'direction'>>

// The problem with an amount that a person states. The share of a split recipient may be included
// in the fee.
export function bookingProblem(movement: Movement, stated: Stated): string | undefined {
  const { currency, heldMinor, feeMinor, shareMinor } = movement
  const isIn = isCollection(movement)
  const amountMinor = isIn ? grossMinor(movement) : -heldMinor
  const direction = isIn ? 'in' : 'out'
  const fees = isIn ? [feeMinor, feeMinor + shareMinor] : [0n]
  if (
    stated.currency === currency &&
    stated.amountMinor === amountMinor &&
    fees.includes(stated.feeMinor) &&
    (stated.direction ?? direction) === direction
  ) {
    return undefined
  }
  const words = amountWords(amountMinor, currency)
  const fee = isIn ? ` with a fee of ${amountWords(feeMinor, currency)}` : ''
  return `The payment service says ${words}${fee}.`
}
