// What the provider did and nobody asked for: money after the end, too little, in another currency,
// a second time, or taken back. Each is a break for a person to look at, and is booked, so that the
// ledger agrees with the provider all the same. The break is also the memory: what is recorded
// already is not done again.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { powerOfTen, toText } from '../../kernel/money/decimal.ts'
import { insertBreak } from '../breaks/break-store.ts'
import type { ChargeFact } from '../provider/provider.ts'
import { insertRefund } from '../refunds/refund-store.ts'
import type { FactStep } from './apply-charge-fact.ts'
import { reversalPosting, type UnmatchedKind, unmatchedPosting } from './charge-posting.ts'

type UnmatchedCause = 'late_success' | 'underpayment' | 'wrong_currency' | 'repeated_charge'

// Two of them may follow each other on one payment, and the ledger books each kind once.
const kinds: Readonly<Record<UnmatchedCause, UnmatchedKind>> = {
  underpayment: 'charge.unmatched',
  wrong_currency: 'charge.unmatched',
  late_success: 'charge.late',
  repeated_charge: 'charge.repeated',
}

// Books the whole charge as money that no payment wants. False when that was done before.
export async function keepUnmatched(step: FactStep, cause: UnmatchedCause): Promise<boolean> {
  const { tx, context, tenant, payment, fact } = step
  if (!(await recordBreak(step, cause))) return false
  const paidMinor = collectedMinor(fact)
  if (paidMinor === undefined || paidMinor === 0n) return true
  const { currency } = fact
  const posting = unmatchedPosting(payment.id, kinds[cause], currency, paidMinor)
  await post(tx, context, tenant, posting)
  return true
}

// A refund that the system owes somebody. It needs no approval; the resolver sends it.
export async function refundBySystem(
  { tx, context, tenant, payment, fact }: FactStep,
  cause: 'late_success' | 'overpayment',
  amountMinor: bigint,
): Promise<void> {
  if (amountMinor === 0n) return
  const now = context.clock.now()
  await insertRefund(tx, tenant, {
    id: context.ids.uuid(),
    paymentId: payment.id,
    status: 'pending',
    amountMinor,
    currency: fact.currency,
    cause,
    requestedByKind: 'system',
    requestedBy: 'payment provider',
    approvalId: null,
    providerRefundId: null,
    failureReason: null,
    sends: 0,
    nextLookAt: null,
    createdAt: now,
    updatedAt: now,
  })
}

// The provider had the money and has it no more. The payment keeps its status: what the merchant
// was told is not untold, and a person decides what follows.
export async function reverseBooked(step: FactStep): Promise<void> {
  const { tx, context, tenant, payment } = step
  const booked = await listLinesOfSource(tx, tenant, payment.id)
  if (booked.length === 0 || !(await recordBreak(step, 'failure_after_success'))) return
  await post(tx, context, tenant, reversalPosting(payment.id, booked))
}

export async function recordBreak(
  { tx, context, tenant, payment, fact }: FactStep,
  cause: string,
  more: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const detail = {
    transaction_id: fact.transactionId,
    amount: toText(fact.amount),
    currency: fact.currency,
    expected_minor: String(payment.amountMinor),
    expected_currency: payment.currency,
    ...more,
  }
  const isNew = await insertBreak(tx, tenant, {
    id: context.ids.uuid(),
    cause,
    objectKind: 'payment',
    objectId: payment.id,
    detail,
    createdAt: context.clock.now(),
  })
  if (!isNew) return false
  await recordAct(
    tx,
    context,
    { ...tenant, kind: 'system', name: 'payment provider' },
    { action: `break.${cause}`, objectKind: 'payment', objectId: payment.id, detail },
  )
  return true
}

// What was paid, in whole minor units: a fraction of one can neither be owed nor given back.
// Undefined for a currency that we do not know.
export function collectedMinor({
  amount,
  currency,
}: Pick<ChargeFact, 'amount' | 'currency'>): bigint | undefined {
  const decimals = findCurrency(currency)?.decimals
  if (decimals === undefined) return undefined
  if (amount.scale <= decimals) return amount.digits * powerOfTen(decimals - amount.scale)
  return amount.digits / powerOfTen(amount.scale - decimals)
}
