// An owner wants another amount above which a second person has to approve, or none of the optional
// ones. That decides who can move how much alone, so where somebody else could approve it, somebody
// else has to.
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

// Null when the threshold holds at once.
export type RequestedThreshold = WantedThreshold & { readonly approvalId: string | null }

export const requestThreshold = defineOperation({
  name: 'request-threshold',
  summary: 'Set the approval threshold of a business; somebody else approves it, if there is one',
  kind: 'write',
  input: z
    .strictObject({
      operation: oneOf(thresholdKinds),
      currency: currencyCode(),
      amountMinor: thresholdAmount().nullable(),
    })
    .refine((threshold) => threshold.amountMinor !== null || isOptional(threshold), {
      path: ['amountMinor'],
      error: 'Only daily_payouts and overdraft can be taken away.',
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

// What an approver agrees to: this amount instead of the one that holds.
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
