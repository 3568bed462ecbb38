// What people see before they decide an approval: the requester, whether the same request is
// pending twice, and the effect of a refund on the balance.
import { listApiKeys } from '../../kernel/auth/api-key-store.ts'
import { listMembers } from '../../kernel/auth/membership-store.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { type BalanceAfter, getBalanceAfterRefund } from '../refunds/check-overdraft.ts'
import { type Approval, sameRequestKey } from './approval.ts'

export type ApprovalView = Omit<Approval, 'requestHash'> & {
  // The name of the key or the address of the person; null if it was deleted.
  readonly requesterName: string | null
  // The address of the person who decided; null if no one has, or they left.
  readonly deciderName: string | null
  // Often a program that repeated its request by mistake. Approving both would do it twice.
  readonly isDuplicate: boolean
  // Null unless the available balance would go below zero.
  readonly overdraft: Overdraft | null
}

export type Overdraft = BalanceAfter & { readonly currency: string }

// `pending` are all pending approvals, among which duplicates are searched.
export async function readApprovalViews(
  sql: Sql,
  tenant: Tenant,
  approvals: readonly Approval[],
  pending: readonly Approval[],
): Promise<ApprovalView[]> {
  const { nameOf, deciderOf } = await readNames(sql, tenant.businessId)
  const views: ApprovalView[] = []
  for (const approval of approvals) {
    const { requestHash: _, ...shown } = approval
    views.push({
      ...shown,
      requesterName: nameOf(approval),
      deciderName: deciderOf(approval),
      isDuplicate: isDuplicate(approval, pending),
      overdraft: await findOverdraft(sql, tenant, approval),
    })
  }
  return views
}

async function readNames(sql: Sql, businessId: string) {
  const keys = await listApiKeys(sql, businessId)
  const members = await listMembers(sql, businessId)
  const personOf = (id: string | null) =>
    members.find(({ personId }) => personId === id)?.email ?? null
  return {
    nameOf: ({ requestedByKind, requestedBy }: Approval): string | null =>
      requestedByKind === 'person'
        ? personOf(requestedBy)
        : (keys.find(({ id }) => id === requestedBy)?.name ?? null),
    deciderOf: ({ decidedBy }: Approval) => personOf(decidedBy),
  }
}

function isDuplicate(approval: Approval, pending: readonly Approval[]): boolean {
  if (approval.state !== 'pending') return false
  const key = sameRequestKey(approval)
  return pending.some((other) => other.id !== approval.id && sameRequestKey(other) === key)
}

async function findOverdraft(
  sql: Sql,
  tenant: Tenant,
  { operation, state, request }: Approval,
): Promise<Overdraft | null> {
  if (operation !== 'refund' || state !== 'pending') return null
  const currency = request.currency ?? ''
  const amountMinor = BigInt(request.amountMinor ?? '0')
  const after = await getBalanceAfterRefund(sql, tenant, { currency, amountMinor })
  return after.availableMinor < 0n ? { ...after, currency } : null
}
