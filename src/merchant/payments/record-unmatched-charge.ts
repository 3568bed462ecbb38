// Unmatched charges: the provider took money that no payment expects. Each such transaction gets a
// row, a posting under the id of that row, so that the ledger agrees with the provider, and a
// discrepancy for a person to resolve. The row also makes it idempotent: a transaction that has a
// row is not recorded again.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { powerOfTen, toText } from '../../kernel/money/decimal.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
import type { ChargeFact } from '../provider/provider.ts'
import { insertRefund } from '../refunds/refund-store.ts'
import { type UnmatchedKind, unmatchedPosting } from './charge-posting.ts'
import type { FactStep } from './fact-step.ts'
import type { UnmatchedCause, UnmatchedCharge } from './unmatched-charge.ts'
import { insertUnmatchedCharge } from './unmatched-charge-store.ts'

const kinds: Readonly<Record<UnmatchedCause, UnmatchedKind>> = {
  underpayment: 'charge.unmatched',
  wrong_currency: 'charge.unmatched',
  late_success: 'charge.late',
  repeated_charge: 'charge.repeated',
}

// For a transaction that has no row yet.
export async function recordUnmatchedCharge(
  step: FactStep,
  cause: UnmatchedCause,
): Promise<UnmatchedCharge> {
  const { tx, context, tenant, payment, fact } = step
  const { transactionId, currency } = fact
  const charge: UnmatchedCharge = {
    id: context.ids.uuid(),
    paymentId: payment.id,
    transactionId,
    cause,
    currency,
    amountMinor: collectedMinor(fact) ?? null,
    createdAt: context.clock.now(),
  }
  await insertUnmatchedCharge(tx, tenant, charge)
  await recordChargeDiscrepancy(step, cause)
  if (charge.amountMinor) {
    const posting = unmatchedPosting(charge.id, kinds[cause], currency, charge.amountMinor)
    await post(tx, context, tenant, posting)
  }
  return charge
}

// A refund that the system owes a payer. It needs no approval; the resolver sends it.
export async function refundBySystem(
  { tx, context, tenant, payment, fact }: FactStep,
  cause: 'late_success' | 'repeated_charge' | 'overpayment' | 'card_check',
  amountMinor: bigint,
): Promise<void> {
  if (amountMinor === 0n) return
  const now = context.clock.now()
  const id = context.ids.uuid()
  await insertRefund(tx, tenant, {
    id,
    paymentId: payment.id,
    status: 'pending',
    amountMinor,
    currency: fact.currency,
    transactionId: fact.transactionId,
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
  await recordAct(tx, context, providerActor(tenant), {
    action: 'refund.create',
    objectKind: 'refund',
    objectId: id,
    detail: {
      paymentId: payment.id,
      currency: fact.currency,
      amountMinor: amountMinor.toString(),
      cause,
    },
  })
}

// The provider reports another amount than was posted. The posting stays; a person finds out which
// one is true.
export async function compareBooked(
  step: FactStep,
  booked: { readonly amountMinor: bigint | null; readonly currency: string },
): Promise<void> {
  const { fact } = step
  const isSame = booked.amountMinor === (collectedMinor(fact) ?? null)
  if (booked.amountMinor === null || (isSame && booked.currency === fact.currency)) return
  await recordChargeDiscrepancy(step, 'amount_differs', {
    booked_minor: String(booked.amountMinor),
    booked_currency: booked.currency,
  })
}

// False if the same is already known of this transaction.
export async function recordChargeDiscrepancy(
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
  const isNew = await recordDiscrepancy(tx, context, tenant, {
    id: context.ids.uuid(),
    cause,
    objectKind: 'payment',
    objectId: payment.id,
    transactionId: fact.transactionId,
    detail,
    createdAt: context.clock.now(),
  })
  if (!isNew) return false
  await recordAct(tx, context, providerActor(tenant), {
    action: `break.${cause}`,
    objectKind: 'payment',
    objectId: payment.id,
    detail,
  })
  return true
}

function providerActor(tenant: Tenant) {
  return { ...tenant, kind: 'system', name: 'payment provider' } as const
}

// The amount paid, in whole minor units: a fraction of one can neither be owed nor refunded.
// Undefined for an unknown currency.
export function collectedMinor({
  amount,
  currency,
}: Pick<ChargeFact, 'amount' | 'currency'>): bigint | undefined {
  const decimals = findCurrency(currency)?.decimals
  if (decimals === undefined) return undefined
  if (amount.scale <= decimals) return amount.digits * powerOfTen(decimals - amount.scale)
  return amount.digits / powerOfTen(amount.scale - decimals)
}
