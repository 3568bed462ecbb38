// Settled is what the provider has made available. It may come with the success or days after it,
// and also for money that no payment wanted.

import { post } from '../../kernel/ledger/ledger.ts'
import { listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { type Decimal, digitsAt, roundHalfAway } from '../../kernel/money/decimal.ts'
import type { FactStep } from './apply-charge-fact.ts'
import { settlementPosting } from './charge-posting.ts'
import { isCollected, type Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'
import { recordBreak } from './take-unexpected.ts'

export async function settleCharge(step: FactStep, payment: Payment): Promise<Payment> {
  const { tx, context, tenant, fact } = step
  const decimals = findCurrency(fact.currency)?.decimals
  if (fact.amountSettled === null || decimals === undefined || payment.settledAt) return payment
  if (payment.providerTransactionId !== fact.transactionId) return payment
  const booked = await listLinesOfSource(tx, tenant, payment.id)
  if (booked.some(({ kind }) => kind === 'charge.settled')) return payment
  const settled = settlementPosting(
    payment.id,
    booked,
    toMinorRounded(fact.amountSettled, decimals),
    toMinorRounded(fact.providerFee, decimals),
  )
  if (!settled) return payment
  const now = context.clock.now()
  const changes = isCollected(payment) ? { settledAt: now, updatedAt: now } : undefined
  await Promise.all([
    post(tx, context, tenant, settled.posting),
    changes && updatePayment(tx, tenant, payment.id, changes),
  ])
  if (settled.differenceMinor !== 0n) {
    const difference_minor = String(settled.differenceMinor)
    const cause = isSplitMissing(payment, settled.differenceMinor)
      ? 'split_not_applied'
      : 'settlement_differs'
    await recordBreak(step, cause, { difference_minor })
  }
  return { ...payment, ...changes }
}

// The platform got the recipient's share as well, to the minor unit or one beside it.
function isSplitMissing({ splitMinor }: Payment, differenceMinor: bigint): boolean {
  if (splitMinor === null) return false
  const restMinor = differenceMinor + splitMinor
  return restMinor <= 1n && restMinor >= -1n
}

function toMinorRounded(amount: Decimal, decimals: number): bigint {
  return digitsAt(roundHalfAway(amount, decimals), decimals)
}
