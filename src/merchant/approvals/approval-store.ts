import type { Role } from '../../kernel/auth/actor.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Approval } from './approval.ts'

export async function findApproval(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Approval | undefined> {
  const [row] = await sql<Approval[]>`
    select ${columns(sql)}
    from merchant.approvals
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

export async function lockApproval(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Approval | undefined> {
  const [row] = await tx<Approval[]>`
    select ${columns(tx)}
    from merchant.approvals
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// Newest first.
export async function listApprovals(
  sql: Sql | Tx,
  tenant: Tenant,
  state: Approval['state'] | undefined,
  limit: number,
  operation?: Approval['operation'],
): Promise<Approval[]> {
  return sql<Approval[]>`
    select ${columns(sql)}
    from merchant.approvals
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${state ? sql`and state = ${state}` : sql``}
      ${operation ? sql`and operation = ${operation}` : sql``}
    order by id desc
    limit ${limit}`
}

export async function findOpenApprovalCount(sql: Sql | Tx, tenant: Tenant): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from merchant.approvals
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and state = 'pending'`
  return row?.count ?? 0
}

// Of all tenants: approvals that were not decided in time.
export async function listOverdueApprovals(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<{ tenant: Tenant; approval: Approval }[]> {
  const rows = await sql<(Tenant & Approval)[]>`
    select business_id, environment, ${columns(sql)}
    from merchant.approvals
    where state = 'pending'
      and expires_at <= ${now}
    order by expires_at
    limit ${limit}`
  return rows.map(({ businessId, environment, ...approval }) => ({
    tenant: { businessId, environment },
    approval,
  }))
}

export async function insertApproval(
  tx: Tx,
  tenant: Tenant,
  { request, ...approval }: Approval,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into merchant.approvals
      ${tx({ businessId, environment, ...approval, request: tx.json(request) })}`
}

export type Decision = {
  readonly id: string
  // The roles that can decide it.
  readonly roles: readonly Role[]
  // A person whose second factor was reset by someone else, or whose role was given unconfirmed,
  // after this time can't approve.
  readonly heldSince: Date
  readonly state: 'approved' | 'rejected'
  readonly decidedBy: string
  readonly decidedAt: Date
  readonly executedAt: Date | null
  readonly reason: string | null
}

// Four eyes, in one statement: the approval is still open and in time; the decider is a member with
// the right role, is neither the requester nor the person it is about, and is not held by a recent
// reset of the second factor or an unconfirmed role. Of two people who decide at once,
// one finds it open. False if any of that does not hold.
export async function updateApprovalDecided(
  tx: Tx,
  tenant: Tenant,
  decision: Decision,
): Promise<boolean> {
  const { id, decidedBy, decidedAt } = decision
  const rows = await tx`
    update merchant.approvals
    set state = ${decision.state},
      decided_by = ${decidedBy},
      decided_at = ${decidedAt},
      executed_at = ${decision.executedAt},
      reason = ${decision.reason}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and state = 'pending'
      and expires_at > ${decidedAt}
      and requester_person_id is distinct from ${decidedBy}
      and object_id <> ${decidedBy}
      and exists (
        select
        from kernel.memberships
        where memberships.business_id = ${tenant.businessId}
          and memberships.person_id = ${decidedBy}
          and memberships.role = any (${[...decision.roles]})
          and (
            ${decision.state} <> 'approved'
            or memberships.approval_held_at is null
            or memberships.approval_held_at <= ${decision.heldSince}))
      and (
        ${decision.state} <> 'approved'
        or not exists (
          select
          from kernel.people
          where people.id = ${decidedBy}
            and people.second_factor_reset_at > ${decision.heldSince}))
    returning id`
  return rows.length > 0
}

export async function updateApprovalExpired(
  tx: Tx,
  tenant: Tenant,
  id: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update merchant.approvals
    set state = 'expired'
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and state = 'pending'
      and expires_at <= ${now}
    returning id`
  return rows.length > 0
}

// The caller has locked the object and found it still open.
export async function updateApprovalVoid(
  tx: Tx,
  tenant: Tenant,
  id: string,
  reason: string,
): Promise<void> {
  await tx`
    update merchant.approvals
    set state = 'void',
      reason = ${reason}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and state = 'pending'`
}

// The people who could decide this person's request.
export async function listOtherMembers(
  tx: Tx,
  businessId: string,
  personId: string,
  roles: readonly Role[],
): Promise<string[]> {
  const rows = await tx<{ personId: string }[]>`
    select person_id
    from kernel.memberships
    where business_id = ${businessId}
      and person_id <> ${personId}
      and role = any (${[...roles]})
    order by person_id`
  return rows.map((row) => row.personId)
}

// False if it was already decided or has ended.
export async function updateApprovalWithdrawn(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<boolean> {
  const rows = await tx`
    update merchant.approvals
    set state = 'withdrawn'
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and state = 'pending'
    returning id`
  return rows.length > 0
}

function columns(sql: Sql | Tx) {
  return sql`
    id, operation, state, object_id, request, request_hash, requested_by_kind, requested_by,
    requester_person_id, decided_by, decided_at, reason, executed_at, expires_at, created_at`
}
