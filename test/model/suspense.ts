// The part of the model about unmatched money.
import { isCollected, type Model, type Payment } from './model.ts'

// What lies in suspense in the shop's currency. `givenBackMinor` is what the system has refunded of
// it by itself.
export function suspenseMinor(model: Model, givenBackMinor: bigint): bigint {
  const lateMinor = model.payouts
    .filter(({ status, isContradicted }) => status === 'failed' && isContradicted)
    .reduce((total, { amountMinor }) => total + amountMinor, 0n)
  const unwantedMinor = model.payments.reduce((total, one) => total + ofPayment(one), 0n)
  return unwantedMinor - lateMinor - givenBackMinor
}

function ofPayment(payment: Payment): bigint {
  const { charge, amountMinor, chargedBackMinor, isReversed } = payment
  if (charge?.currency !== 'NGN') return 0n
  if (payment.isUnmatched || payment.isLate) return charge.paidMinor
  if (!isCollected(payment)) return 0n
  const excessMinor = isReversed ? 0n : charge.paidMinor - amountMinor
  return chargedBackMinor > 0n ? excessMinor - (charge.paidMinor - chargedBackMinor) : excessMinor
}
