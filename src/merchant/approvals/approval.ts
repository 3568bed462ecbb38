// An approval: a request of a key or a person that waits for a second person.
//
//   pending waits; expires after thirty days
//   approved another person agreed; it was executed once, in the same transaction
//   rejected, expired, withdrawn (by the requester): no money is moved
//   void the request can no longer be executed; no money is moved
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Role } from '../../kernel/auth/actor.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { amountMinorMax } from '../../kernel/money/minor-units.ts'
import { approverRoles, ownerRoles } from '../../kernel/operations/permission.ts'

// Operations that need an approval above a threshold. Changing a threshold or a settlement account
// needs one too.
export const heldOperations = ['refund', 'payout'] as const
export type HeldOperation = (typeof heldOperations)[number]
// A higher role and the reset of a second factor are confirmed by an owner. See kernel/access.
const peopleOperations = ['role', 'second_factor'] as const
export const approvalOperations = [
  ...heldOperations,
  'threshold',
  'settlement_account',
  ...peopleOperations,
] as const
export type ApprovalOperation = (typeof approvalOperations)[number]

export function isAboutPeople(operation: ApprovalOperation): boolean {
  return peopleOperations.some((known) => known === operation)
}

export function decidingRoles(operation: ApprovalOperation): readonly Role[] {
  return isAboutPeople(operation) ? ownerRoles : approverRoles
}

// Everything that the request contained when it was made. Amounts are text too, so that it comes
// back from the database unchanged.
export type ApprovalRequest = Readonly<Record<string, string | null>>

export const approvalStates = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'void',
  'withdrawn',
] as const

export type Approval = {
  readonly id: string
  readonly operation: ApprovalOperation
  readonly state: (typeof approvalStates)[number]
  readonly objectId: string
  readonly request: ApprovalRequest
  readonly requestHash: Uint8Array
  // The operator asks for what is about people only.
  readonly requestedByKind: 'key' | 'person' | 'system'
  readonly requestedBy: string
  // The requester, or the creator of the key that requested: four eyes are about people, not keys.
  readonly requesterPersonId: string | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly reason: string | null
  readonly executedAt: Date | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

export const approvalLifeSeconds = 30 * 24 * 60 * 60

// Two more thresholds, which a business may set beside those of single refunds and payouts:
// daily_payouts  above this sum of a day's payouts (UTC), the next one is held
// overdraft      a refund that overdraws the available balance by more than this is held
// Without them, neither is looked at.
const optionalThresholds = ['daily_payouts', 'overdraft'] as const
export const thresholdKinds = [...heldOperations, ...optionalThresholds] as const
export type ThresholdKind = (typeof thresholdKinds)[number]

// Above this amount an operation needs an approval.
export type Threshold = {
  readonly operation: ThresholdKind
  readonly currency: string
  readonly amountMinor: bigint
}

// Null takes an optional one away.
export type WantedThreshold = Omit<Threshold, 'amountMinor'> & {
  readonly amountMinor: bigint | null
}

// 0 holds everything.
export const thresholdAmount = () => z.bigint().min(0n).max(amountMinorMax)

export function isOptional({ operation }: Pick<Threshold, 'operation'>): boolean {
  return optionalThresholds.some((one) => one === operation)
}

// Equal for two requests with the same effect: refunds of one payment, payouts to one account.
export function sameRequestKey({
  operation,
  objectId,
  request,
}: Pick<Approval, 'operation' | 'objectId' | 'request'>): string {
  const { currency, amountMinor, bankCode, accountEnding, beneficiaryName } = request
  const to = {
    refund: [objectId],
    payout: [bankCode, accountEnding, beneficiaryName],
    threshold: [request.operation],
    settlement_account: [bankCode, accountEnding, beneficiaryName, request.removes],
    role: [objectId, request.role],
    second_factor: [objectId],
  }[operation]
  return JSON.stringify([operation, currency, amountMinor, to])
}

// Includes the tenant and the operation, because the same request elsewhere is a different one.
export function requestHash(
  tenant: Tenant,
  operation: ApprovalOperation,
  request: ApprovalRequest,
): Buffer {
  const fields = Object.entries(request).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const text = JSON.stringify([tenant.businessId, tenant.environment, operation, fields])
  return createHash('sha256').update(text, 'utf8').digest()
}
