// What people see before they decide an approval: the requester, whether the same request is
// pending twice, and the effect of a refund on the balance.
import { listApiKeys } from '../../kernel/auth/api-key-store.ts'
import { listMembers } from '../../kernel/auth/membership-store.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { type BalanceAfter, getBalanceAfterRefund } from '../refunds/check-overdraft.ts'
import { type Approval, sameRequestKey } from './approval.ts'

export type ApprovalView = Omit<Approval, 'requestHash'> & {
  // The name of the key or the person; null if the key was deleted, or the person left.
  readonly requesterName: string | null
  // A person chooses their own name; the address tells two of the same name apart.
  readonly requesterEmail: string | null
  // The person who decided; null if no one has, or they left.
  readonly deciderName: string | null
  // The person whose role or second factor it is about.
  readonly subjectName: string | null
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
  const { requesterOf, nameOf } = await readNames(sql, tenant.businessId)
  const views: ApprovalView[] = []
  for (const approval of approvals) {
    const { requestHash: _, ...shown } = approval
    views.push({
      ...shown,
      ...requesterOf(approval),
      deciderName: nameOf(approval.decidedBy),
      subjectName: nameOf(approval.request.personId),
      isDuplicate: isDuplicate(approval, pending),
      overdraft: await findOverdraft(sql, tenant, approval),
    })
  }
  return views
}

async function readNames(sql: Sql, businessId: string) {
  const keys = await listApiKeys(sql, businessId)
  const members = await listMembers(sql, businessId)
  const personOf = (id: string | null | undefined) =>
    members.find(({ personId }) => personId === id)
  return {
    nameOf: (id: string | null | undefined) => personOf(id)?.name ?? null,
    requesterOf({ requestedByKind, requestedBy }: Approval) {
      const person = requestedByKind === 'person' ? personOf(requestedBy) : undefined
      const key = requestedByKind === 'key' ? keys.find(({ id }) => id === requestedBy) : undefined
      return {
        requesterName: person?.name ?? key?.name ?? null,
        requesterEmail: person?.email ?? null,
      }
    },
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
