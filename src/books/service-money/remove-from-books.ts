// Removes a payment that the merchant service reversed, on the first possible day.
import { firstOpenDay } from '../journal/lock-dates.ts'
import { listAllocations } from '../payments/allocation-store.ts'
import type { Payment } from '../payments/payment.ts'
import { takePaymentOut } from '../payments/remove-payment.ts'
import type { BookingStep } from './movement-step.ts'

// Returns the day.
export async function removeFromBooks(step: BookingStep, payment: Payment): Promise<string> {
  const { tx, context, actor, organisation } = step
  const uses = await listAllocations(tx, actor, payment.id)
  const days = uses.flatMap((use) => [use.date, use.removedOn ?? use.date])
  const latest = [payment.date, step.day, ...days].reduce((one, other) =>
    one > other ? one : other,
  )
  const date = firstOpenDay(organisation, latest)
  await takePaymentOut(tx, context, actor, payment.id, date)
  return date
}
