// What an approver should know besides the request itself: what else of its kind waits, and whether
// a payout or refund continues a row of smaller ones that needed no approval.
import { z } from 'zod'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, type MerchantContext } from '../context.ts'
import { findUnapprovedPayouts } from '../payouts/payout-store.ts'
import { findUnapprovedRefunds } from '../refunds/unapproved-refund-store.ts'
import type { Approval } from './approval.ts'
import { findApproval, listApprovals } from './approval-store.ts'
import { findThresholdMinor } from './threshold-store.ts'

const comparedMax = 100
const daySeconds = 24 * 60 * 60

export type ApprovalWarnings = {
  // Others of the same kind and currency that wait; their sum, if they are about money.
  readonly alike: { readonly count: number; readonly totalMinor: bigint | null }
  // Payouts or refunds of the day before the request that needed no approval, if they exceed the
  // threshold together.
  readonly slices: {
    readonly count: number
    readonly totalMinor: bigint
    readonly thresholdMinor: bigint
  } | null
}

export const getApprovalWarnings = defineOperation({
  name: 'get-approval-warnings',
  summary: 'Read what else of the kind of an approval waits or went through without one',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor, { id }): Promise<ApprovalWarnings> {
    const approval = await findApproval(database.sql, actor, id)
    if (!approval) throw notFound('approval')
    const { operation } = approval
    const pending = await listApprovals(database.sql, actor, 'pending', comparedMax, operation)
    const others = pending.filter(
      (other) => other.id !== id && other.request.currency === approval.request.currency,
    )
    const isMoney = operation === 'refund' || operation === 'payout'
    return {
      alike: { count: others.length, totalMinor: isMoney ? sumOf(others) : null },
      slices: isMoney ? await findSlices({ database }, actor, operation, approval) : null,
    }
  },
})

async function findSlices(
  { database: { sql } }: Pick<MerchantContext, 'database'>,
  tenant: Tenant,
  operation: 'payout' | 'refund',
  { request, createdAt }: Approval,
): Promise<ApprovalWarnings['slices']> {
  const currency = request.currency ?? ''
  const thresholdMinor = await findThresholdMinor(sql, tenant.businessId, operation, currency)
  if (thresholdMinor === undefined) return null
  const range = { from: addSeconds(createdAt, -daySeconds), to: createdAt }
  const find = operation === 'payout' ? findUnapprovedPayouts : findUnapprovedRefunds
  const { count, totalMinor } = await find(sql, tenant, currency, range)
  return totalMinor > thresholdMinor ? { count, totalMinor, thresholdMinor } : null
}

function sumOf(approvals: readonly Approval[]): bigint {
  return approvals.reduce((sum, { request }) => sum + BigInt(request.amountMinor ?? '0'), 0n)
}
