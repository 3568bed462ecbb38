// A payout: settled money that a merchant withdraws, to its bank account or to its wallet inside
// the service.
//
//   pending waits for an approval; can be cancelled
//   processing is being sent, or was sent and the provider has not reported the result. It is set
//               in the transaction before the provider is asked, so a payout that may have been
//               sent can't be cancelled.
//   completed the money has arrived; the ledger is debited now
//   failed, cancelled: no money moved
//
// While it is pending or processing, its amount is reserved and counts against the balance.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import {
  type HostedObject,
  hostedReference,
  parseHostedReference,
} from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { majorNumber, minorNumber, timestamp } from '../../kernel/operations/schemas.ts'
import type { ProviderName } from '../provider/provider.ts'

export const payoutStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

export const destinationTypes = ['service_account', 'provider_bank'] as const
export type DestinationType = (typeof destinationTypes)[number]

export type Payout = {
  readonly id: string
  readonly status: PayoutStatus
  readonly currency: string
  readonly amountMinor: bigint
  readonly leftMinor: bigint
  readonly destinationType: DestinationType
  readonly bankCode: string | null
  readonly accountSealed: Buffer | null
  readonly accountEnding: string | null
  readonly beneficiaryName: string | null
  readonly requestedByKind: Actor['kind']
  readonly requestedBy: string
  readonly approvalId: string | null
  // The limit of the day's payouts that let it through; null where none was set, and for held ones.
  readonly dailyLimitMinor: bigint | null
  // Whose money it is, and who sends it; null for one from before this was kept.
  readonly provider: ProviderName | null
  readonly providerReference: string | null
  readonly providerTransferId: string | null
  readonly feeMinor: bigint | null
  readonly failureReason: string | null
  readonly sends: number
  readonly sentAt: Date | null
  readonly refusedAt: Date | null
  readonly nextLookAt: Date | null
  readonly endedAt: Date | null
  readonly contradictedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

// All allowed changes of a payout's status. Anything else is a bug.
const transitions: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  pending: ['processing', 'cancelled'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
  cancelled: [],
}

export function mayBecome(from: PayoutStatus, to: PayoutStatus): boolean {
  return transitions[from].includes(to)
}

// Our reference at the provider. The prefix distinguishes it from a payment's, so that a message
// from the provider finds its object.
const referencePrefix = 'payout-'

export function payoutReference(tenant: Tenant, id: string): string {
  return referencePrefix + hostedReference(tenant, id)
}

export function parsePayoutReference(text: string): HostedObject | undefined {
  if (!text.startsWith(referencePrefix)) return undefined
  return parseHostedReference(text.slice(referencePrefix.length))
}

export const payoutSchema = z.object({
  id: z.uuid(),
  amount: majorNumber(),
  amount_minor: minorNumber(),
  currency: z.string(),
  status: z.enum(payoutStatuses),
  failure_reason: z.string().optional().meta({ description: 'On failed payouts.' }),
  destination_type: z.enum(destinationTypes),
  approval_id: z.uuid().nullable().meta({ description: 'Of a payout that needed an approval.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
  completed_at: timestamp().nullable(),
})

export function presentPayout(payout: Payout) {
  return {
    id: payout.id,
    amount: majorAmountOf(payout),
    amount_minor: payout.amountMinor,
    currency: payout.currency,
    status: payout.status,
    ...(payout.failureReason === null ? {} : { failure_reason: payout.failureReason }),
    destination_type: payout.destinationType,
    approval_id: payout.approvalId,
    created_at: payout.createdAt,
    updated_at: payout.updatedAt,
    completed_at: payout.status === 'completed' ? payout.endedAt : null,
  }
}

export const requestedPayoutSchema = z.object({
  payoutId: z.uuid(),
  status: z.enum(payoutStatuses),
  amount: majorNumber(),
  amount_minor: minorNumber(),
  currency: z.string(),
  failure_reason: z
    .string()
    .optional()
    .meta({ description: 'Of a repeated call whose payout has failed.' }),
  idempotentReplay: z
    .literal(true)
    .optional()
    .meta({ description: 'True if the `Idempotency-Key` was used before.' }),
})

export function presentRequestedPayout(payout: Payout) {
  const { id, status, amountMinor, currency, failureReason } = payout
  const amount = majorAmountOf(payout)
  const requested = { payoutId: id, status, amount, amount_minor: amountMinor, currency }
  return failureReason === null ? requested : { ...requested, failure_reason: failureReason }
}

export function majorAmountOf({ amountMinor, currency }: Payout): Decimal {
  return fromMinor(amountMinor, currencyOf(currency))
}

// Events contain the documented fields and no others.
export function completedEventData({ id, amountMinor, currency, status }: Payout) {
  return { id, amount: amountMinor, currency, status }
}

export function failedEventData(payout: Payout) {
  return { ...completedEventData(payout), failure_reason: payout.failureReason }
}
