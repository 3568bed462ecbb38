import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Lead, LeadStatus } from './lead.ts'

// Newest first.
export async function listLeads(
  sql: Sql | Tx,
  tenant: Tenant,
  status: LeadStatus | undefined,
  limit: number,
): Promise<Lead[]> {
  return sql<Lead[]>`
    select ${columns(sql)}
    from books.leads
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${status ? sql`and status = ${status}` : sql``}
    order by created_at desc, id desc
    limit ${limit}`
}

export async function findLead(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Lead | undefined> {
  const [row] = await sql<Lead[]>`
    select ${columns(sql)}
    from books.leads
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

export async function lockLead(tx: Tx, tenant: Tenant, id: string): Promise<Lead | undefined> {
  const [row] = await tx<Lead[]>`
    select ${columns(tx)}
    from books.leads
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

export async function insertLead(tx: Tx, tenant: Tenant, lead: Lead): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.leads ${tx({ businessId, environment, ...lead })}`
}

export async function updateLead(tx: Tx, tenant: Tenant, lead: Lead): Promise<void> {
  const { id, createdAt: _createdAt, ...changed } = lead
  await tx`
    update books.leads
    set ${tx(changed)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, status, name, company, email, phone, notes, value_minor, currency, contact_id, quote_id,
    lost_reason, created_at, updated_at`
}
