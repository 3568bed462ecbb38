import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type IdentityCheck = {
  readonly tenant: Tenant
  readonly id: string
  readonly personName: string
  readonly returnUrl: string
  readonly status: 'waiting' | 'passed' | 'failed'
}

type CheckRow = Omit<IdentityCheck, 'tenant'> & { businessId: string; environment: Environment }

// The first check with a reference is kept.
export async function insertCheck(
  sql: Sql | Tx,
  tenant: Tenant,
  check: Omit<IdentityCheck, 'tenant'> & { reference: string; createdAt: Date },
): Promise<void> {
  const { businessId, environment } = tenant
  await sql`
    insert into simulator.identity_checks ${sql({ businessId, environment, ...check })}
    on conflict (business_id, environment, reference) do nothing`
}

export async function findCheckByReference(
  sql: Sql | Tx,
  tenant: Tenant,
  reference: string,
): Promise<IdentityCheck | undefined> {
  const [row] = await sql<CheckRow[]>`
    select business_id, environment, id, person_name, return_url, status
    from simulator.identity_checks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and reference = ${reference}`
  return row && toCheck(row)
}

// The person has only the page, so the world is found by it.
export async function findIdentityPage(
  sql: Sql | Tx,
  id: string,
): Promise<IdentityCheck | undefined> {
  const [row] = await sql<CheckRow[]>`
    select business_id, environment, id, person_name, return_url, status
    from simulator.identity_checks
    where id = ${id}`
  return row && toCheck(row)
}

// The first verdict counts: a second click changes nothing.
export async function updateVerdict(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
  verdict: 'passed' | 'failed',
): Promise<void> {
  await sql`
    update simulator.identity_checks
    set status = ${verdict}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and status = 'waiting'`
}

export type Review = {
  readonly decision: 'verified' | 'rejected'
  readonly reason: string | null
  readonly decidedAt: Date
}

// The first dossier with a reference is kept.
export async function insertReview(
  sql: Sql | Tx,
  tenant: Tenant,
  review: Review & { reference: string; createdAt: Date },
): Promise<void> {
  const { businessId, environment } = tenant
  await sql`
    insert into simulator.reviews ${sql({ businessId, environment, ...review })}
    on conflict (business_id, environment, reference) do nothing`
}

export async function findReview(
  sql: Sql | Tx,
  tenant: Tenant,
  reference: string,
): Promise<Review | undefined> {
  const [row] = await sql<Review[]>`
    select decision, reason, decided_at
    from simulator.reviews
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and reference = ${reference}`
  return row
}

export async function insertReviewDocument(
  sql: Sql | Tx,
  tenant: Tenant,
  document: { reference: string; id: string; sha256: string },
): Promise<void> {
  const { businessId, environment } = tenant
  await sql`
    insert into simulator.review_documents ${sql({ businessId, environment, ...document })}
    on conflict (business_id, environment, reference, id) do nothing`
}

export async function listReviewDocuments(
  sql: Sql | Tx,
  tenant: Tenant,
  reference: string,
): Promise<{ id: string; sha256: string }[]> {
  return sql<{ id: string; sha256: string }[]>`
    select id, sha256
    from simulator.review_documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and reference = ${reference}`
}

function toCheck({ businessId, environment, ...row }: CheckRow): IdentityCheck {
  return { ...row, tenant: { businessId, environment } }
}
