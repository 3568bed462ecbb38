// The history of a payment and its money, for people. It includes what the status does not show:
// unmatched charges, such as one after a cancel, and what became of them.
import { findCurrency } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { Chargeback } from '../chargebacks/chargeback.ts'
import { isAutomatic, type Refund } from '../refunds/refund.ts'
import type { Payment } from './payment.ts'
import type { UnmatchedCharge } from './unmatched-charge.ts'

export type TimelineStep = {
  readonly at: Date
  // The object and what happened to it, such as `refund` and `accepted`.
  readonly object: 'payment' | 'charge' | 'refund' | 'chargeback'
  readonly objectId: string
  readonly change: string
  readonly text: string
}

export type PaymentRecords = {
  readonly payment: Payment
  readonly unmatchedCharges: readonly UnmatchedCharge[]
  readonly refunds: readonly Refund[]
  readonly chargebacks: readonly Chargeback[]
}

// Newest first.
export function timelineOf(records: PaymentRecords): TimelineStep[] {
  const { payment, unmatchedCharges, refunds, chargebacks } = records
  const steps = [
    ...paymentSteps(payment),
    ...unmatchedCharges.map((charge) => chargeStep(payment, charge)),
    ...refunds.flatMap(refundSteps),
    ...chargebacks.flatMap(chargebackSteps),
  ]
  return steps.toSorted((one, other) => one.at.getTime() - other.at.getTime()).reverse()
}

function paymentSteps(payment: Payment): TimelineStep[] {
  const { id: objectId, status, createdAt, updatedAt, succeededAt, settledAt } = payment
  const amount = amountText(payment)
  const step = (at: Date, change: string, text: string): TimelineStep[] => [
    { at, object: 'payment', objectId, change, text },
  ]
  return [
    ...step(createdAt, 'created', `Payment of ${amount} begun.`),
    ...(status === 'processing'
      ? step(updatedAt, 'processing', 'The provider has the charge and has not decided.')
      : []),
    ...(succeededAt ? step(succeededAt, 'succeeded', `The provider collected ${amount}.`) : []),
    ...(status === 'failed' ? step(updatedAt, 'failed', `Failed: ${payment.failureReason}.`) : []),
    ...(status === 'cancelled' ? step(updatedAt, 'cancelled', 'Cancelled.') : []),
    ...(settledAt ? step(settledAt, 'settled', 'The provider made the money available.') : []),
  ]
}

function chargeStep(payment: Payment, charge: UnmatchedCharge): TimelineStep {
  const { id: objectId, cause, createdAt: at } = charge
  const amount = amountText(charge)
  const texts: Readonly<Record<UnmatchedCharge['cause'], string>> = {
    late_success:
      `The provider collected ${amount} after the payment had ` +
      `${payment.status === 'cancelled' ? 'been cancelled' : 'failed'}. It goes back to the payer.`,
    repeated_charge: `The provider collected ${amount} once more. It goes back to the payer.`,
    underpayment: `The payer paid only ${amount}. A person has to decide about it.`,
    wrong_currency: `The payer paid ${amount}, another currency. A person has to decide about it.`,
  }
  return { at, object: 'charge', objectId, change: cause, text: texts[cause] }
}

function refundSteps(refund: Refund): TimelineStep[] {
  const { id: objectId, status, createdAt, updatedAt } = refund
  const what = `Refund of ${amountText(refund)}`
  const begun = isAutomatic(refund) ? 'begun by Tillbook' : 'requested'
  const ends: Readonly<Record<Exclude<Refund['status'], 'pending'>, string>> = {
    accepted: `${what} accepted by the provider.`,
    settled: `${what} paid to the payer.`,
    failed: `${what} failed: ${refund.failureReason}.`,
    reversed: `${what} undone: the provider had accepted it and did not pay.`,
  }
  const step = (at: Date, change: string, text: string): TimelineStep => ({
    at,
    object: 'refund',
    objectId,
    change,
    text,
  })
  const start = step(createdAt, 'created', `${what} ${begun}.`)
  return status === 'pending' ? [start] : [start, step(updatedAt, status, ends[status])]
}

function chargebackSteps(chargeback: Chargeback): TimelineStep[] {
  const { id: objectId, status, createdAt, updatedAt } = chargeback
  const amount = amountText(chargeback)
  const of = { object: 'chargeback', objectId } as const
  const opened = `The payer disputes the payment; the provider took ${amount}.`
  const ended = status === 'won' ? `Dispute won: ${amount} came back.` : 'Dispute lost.'
  const start: TimelineStep = { ...of, at: createdAt, change: 'opened', text: opened }
  return status === 'open'
    ? [start]
    : [start, { ...of, at: updatedAt, change: status, text: ended }]
}

type Amount = { readonly currency: string; readonly amountMinor: bigint | null }

// Without an amount if the currency is unknown.
function amountText({ currency, amountMinor }: Amount): string {
  const decimals = findCurrency(currency)?.decimals
  if (amountMinor === null || decimals === undefined) return `an amount of ${currency}`
  return `${currency} ${majorText(amountMinor, decimals)}`
}
