// An approval: something that a key or a person asked for and that waits for a second person.
//
// pending   waits; it expires after thirty days
// approved  somebody else agreed, and in the same transaction it was executed, once
// rejected, expired, withdrawn (by whoever asked): nothing happens any more
// void      what was asked for can no longer be done; nothing happens either
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Role } from '../../kernel/auth/actor.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { amountMinorMax } from '../../kernel/money/minor-units.ts'
import { approverRoles, ownerRoles } from '../../kernel/operations/permission.ts'

// What waits for a second person above a threshold; the thresholds themselves wait for one too.
export const heldOperations = ['refund', 'payout'] as const
export type HeldOperation = (typeof heldOperations)[number]
// A higher role and the reset of a second factor are confirmed by an owner. See kernel/access.
const peopleOperations = ['role', 'second_factor'] as const
export type ApprovalOperation = HeldOperation | 'threshold' | (typeof peopleOperations)[number]

export function isAboutPeople(operation: ApprovalOperation): boolean {
  return peopleOperations.some((known) => known === operation)
}

export function decidingRoles(operation: ApprovalOperation): readonly Role[] {
  return isAboutPeople(operation) ? ownerRoles : approverRoles
}

// Everything that was resolved when it was asked for. Text only, amounts included, so that it
// comes back from the database as it went in.
export type ApprovalRequest = Readonly<Record<string, string | null>>

export type Approval = {
  readonly id: string
  readonly operation: ApprovalOperation
  readonly state: 'pending' | 'approved' | 'rejected' | 'expired' | 'void' | 'withdrawn'
  readonly objectId: string
  readonly request: ApprovalRequest
  readonly requestHash: Uint8Array
  // The operator asks for what is about people only.
  readonly requestedByKind: 'key' | 'person' | 'system'
  readonly requestedBy: string
  // Who asked, or who made the key that asked: four eyes look at people, not at keys.
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

// Above this amount an operation waits for a second person.
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

// The same for two requests that would do the same: refunds of one payment, payouts to one account.
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
    role: [objectId, request.role],
    second_factor: [objectId],
  }[operation]
  return JSON.stringify([operation, currency, amountMinor, to])
}

// Bound to the tenant and the operation too: the same request elsewhere is another one.
export function requestHash(
  tenant: Tenant,
  operation: ApprovalOperation,
  request: ApprovalRequest,
): Buffer {
  const fields = Object.entries(request).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const text = JSON.stringify([tenant.businessId, tenant.environment, operation, fields])
  return createHash('sha256').update(text, 'utf8').digest()
}
