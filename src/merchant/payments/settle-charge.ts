// Settlement: the provider has made the money of a charge available. This can come with the success
// or days later, and also for unmatched money.

import { post } from '../../kernel/ledger/ledger.ts'
import { listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { type Decimal, digitsAt, roundHalfAway } from '../../kernel/money/decimal.ts'
import { type Settled, settlementPosting } from './charge-posting.ts'
import type { FactStep } from './fact-step.ts'
import type { Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'
import { recordChargeDiscrepancy } from './record-unmatched-charge.ts'

// For the charge that the payment collected.
export async function settleCharge(step: FactStep, payment: Payment): Promise<Payment> {
  if (payment.settledAt) return payment
  const settled = await findSettlement(step, payment.id)
  if (!settled) return payment
  const { tx, context, tenant } = step
  const now = context.clock.now()
  const changes = { settledAt: now, updatedAt: now }
  await Promise.all([
    post(tx, context, tenant, settled.posting),
    updatePayment(tx, tenant, payment.id, changes),
  ])
  await noteDifference(step, payment, settled.differenceMinor)
  return { ...payment, ...changes }
}

// For an unmatched charge.
export async function settleUnmatched(step: FactStep, chargeId: string): Promise<void> {
  const settled = await findSettlement(step, chargeId)
  if (!settled) return
  await post(step.tx, step.context, step.tenant, settled.posting)
  await noteDifference(step, undefined, settled.differenceMinor)
}

// Undefined if there is nothing to settle, or it is already settled.
async function findSettlement(step: FactStep, sourceId: string): Promise<Settled | undefined> {
  const { tx, tenant, fact } = step
  const decimals = findCurrency(fact.currency)?.decimals
  if (fact.amountSettled === null || decimals === undefined) return undefined
  const booked = await listLinesOfSource(tx, tenant, sourceId)
  if (booked.some(({ kind }) => kind === 'charge.settled')) return undefined
  // Another currency is already a discrepancy, and its amounts mean nothing here.
  if (booked.some(({ currency }) => currency !== fact.currency)) return undefined
  return settlementPosting(
    sourceId,
    booked,
    toMinorRounded(fact.amountSettled, decimals),
    toMinorRounded(fact.providerFee, decimals),
  )
}

async function noteDifference(
  step: FactStep,
  payment: Payment | undefined,
  differenceMinor: bigint,
): Promise<void> {
  if (differenceMinor === 0n) return
  const isSplit = payment && isSplitMissing(payment, differenceMinor)
  await recordChargeDiscrepancy(step, isSplit ? 'split_not_applied' : 'settlement_differs', {
    difference_minor: String(differenceMinor),
  })
}

// Whether the platform also got the recipient's share, give or take one minor unit.
function isSplitMissing({ splitMinor }: Payment, differenceMinor: bigint): boolean {
  if (splitMinor === null) return false
  const restMinor = differenceMinor + splitMinor
  return restMinor <= 1n && restMinor >= -1n
}

function toMinorRounded(amount: Decimal, decimals: number): bigint {
  return digitsAt(roundHalfAway(amount, decimals), decimals)
}
