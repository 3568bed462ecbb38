// An owner requests another approval threshold, or removes an optional one. It decides how much a
// person can move alone, so another person must approve it, if the business has one who can.
import { z } from 'zod'
import type { Tx } from '../../kernel/db/database.ts'
import { approverRoles, ownerRoles, requirePerson } from '../../kernel/operations/permission.ts'
import { currencyCode, oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import {
  type ApprovalRequest,
  isOptional,
  thresholdAmount,
  thresholdKinds,
  type WantedThreshold,
} from './approval.ts'
import { listOtherMembers } from './approval-store.ts'
import { requestApproval } from './request-approval.ts'
import { setThreshold } from './set-threshold.ts'
import { findOwnThresholdMinor } from './threshold-store.ts'

// Null if the threshold applies at once.
export type RequestedThreshold = WantedThreshold & { readonly approvalId: string | null }

export const requestThreshold = defineOperation({
  name: 'request-threshold',
  summary:
    'Set an approval threshold of a business; another person must approve it, if there is one',
  kind: 'write',
  input: z
    .strictObject({
      operation: oneOf(thresholdKinds),
      currency: currencyCode(),
      amountMinor: thresholdAmount().nullable(),
    })
    .refine((threshold) => threshold.amountMinor !== null || isOptional(threshold), {
      path: ['amountMinor'],
      error: 'Only daily_payouts and overdraft can be removed.',
    }),
  scopes: [],
  roles: ownerRoles,
  peopleOnly: true,
  async run(context, actor, threshold): Promise<RequestedThreshold> {
    const { businessId, personId } = requirePerson(actor)
    const approvalId = await context.database.transaction(async (tx) => {
      const others = await listOtherMembers(tx, businessId, personId, approverRoles)
      if (others.length > 0) {
        return requestApproval(tx, context, actor, {
          operation: 'threshold',
          objectId: businessId,
          request: await thresholdRequest(tx, businessId, threshold),
        })
      }
      await setThreshold(tx, context, actor, threshold)
      return null
    })
    return { ...threshold, approvalId }
  },
})

// What an approver agrees to: this amount instead of the current one.
export async function thresholdRequest(
  tx: Tx,
  businessId: string,
  { operation, currency, amountMinor }: WantedThreshold,
): Promise<ApprovalRequest> {
  const beforeMinor = await findOwnThresholdMinor(tx, businessId, operation, currency)
  return {
    operation,
    currency,
    amountMinor: amountMinor?.toString() ?? null,
    beforeMinor: beforeMinor?.toString() ?? null,
  }
}
