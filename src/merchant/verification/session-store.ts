import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { KycStatus } from '../business/business.ts'
import type { Session } from './session.ts'

export async function insertSession(tx: Tx, tenant: Tenant, session: Session): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into merchant.verification_sessions ${tx({ businessId, environment, ...session })}`
}

export async function findSession(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Session | undefined> {
  const [row] = await sql<Session[]>`
    select ${columns(sql)}
    from merchant.verification_sessions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// The lock serialises changes by two people in one session.
export async function lockSession(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Session | undefined> {
  const [row] = await tx<Session[]>`
    select ${columns(tx)}
    from merchant.verification_sessions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// The session that is open or waits for its decision.
export async function lockCurrentSession(tx: Tx, tenant: Tenant): Promise<Session | undefined> {
  const [row] = await tx<Session[]>`
    select ${columns(tx)}
    from merchant.verification_sessions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status in ('open', 'submitted')
    for update`
  return row
}

type LastAnswer = {
  readonly status: 'submitted' | 'verified' | 'rejected'
  readonly rejectionReason: string | null
}

// The newest submitted session, which has the state of the verification.
export async function findNewestSubmitted(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<LastAnswer | undefined> {
  const [row] = await sql<LastAnswer[]>`
    select status, rejection_reason
    from merchant.verification_sessions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and submitted_at is not null
    order by submitted_at desc, id desc
    limit 1`
  return row
}

export type SessionChange = Partial<Omit<Session, 'id' | 'createdAt'>> & { updatedAt: Date }

export async function updateSession(
  tx: Tx,
  tenant: Tenant,
  id: string,
  change: SessionChange,
): Promise<void> {
  await tx`
    update merchant.verification_sessions
    set ${tx(change)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export type SessionOfTenant = { readonly tenant: Tenant; readonly session: Session }

export async function listSessionsToLookAt(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<SessionOfTenant[]> {
  const rows = await sql<(Session & Tenant)[]>`
    select business_id, environment, ${columns(sql)}
    from merchant.verification_sessions
    where status = 'submitted'
      and next_look_at <= ${now}
    order by next_look_at
    limit ${limit}`
  return rows.map(({ businessId, environment, ...session }) => ({
    tenant: { businessId, environment },
    session,
  }))
}

// Of several processes that found the session due, the one that gets true looks.
export async function updateNextLook(
  sql: Sql,
  tenant: Tenant,
  { id, nextLookAt }: Session,
  next: Date,
): Promise<boolean> {
  const rows = await sql`
    update merchant.verification_sessions
    set next_look_at = ${next}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and status = 'submitted'
      and next_look_at = ${nextLookAt}
    returning id`
  return rows.length === 1
}

// Taken by everything that changes or depends on the status of the business, so that they take
// turns. Rows that only refer to the business need not wait.
export async function lockKycStatus(tx: Tx, businessId: string): Promise<KycStatus | undefined> {
  const [row] = await tx<{ kycStatus: KycStatus }[]>`
    select kyc_status
    from merchant.profiles
    where business_id = ${businessId}
    for no key update`
  return row?.kycStatus
}

export async function updateKycStatus(
  tx: Tx,
  businessId: string,
  kycStatus: KycStatus,
  updatedAt: Date,
  isSimulated = false,
): Promise<void> {
  await tx`
    update merchant.profiles
    set kyc_status = ${kycStatus},
      kyc_simulated = ${isSimulated},
      updated_at = ${updatedAt}
    where business_id = ${businessId}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, status, token_hash, token_sealed, identity_owner_id, identity_attempts, identity_status,
    rejection_reason, created_at, updated_at, expires_at, submitted_at, decided_at, next_look_at`
}
