import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Contact } from './contact.ts'

export type ContactType = 'customer' | 'supplier'

// The collation is explicit, as in the index, so that every server sorts alike.
type ContactWish = {
  readonly type?: ContactType | undefined
  readonly search?: string | undefined
  readonly limit?: number | undefined
  // With those that were merged into others.
  readonly withMerged?: boolean | undefined
}

export async function listContacts(
  sql: Sql | Tx,
  tenant: Tenant,
  // `search` is part of the name, e-mail or tax number.
  { type, search, limit, withMerged = false }: ContactWish,
): Promise<Contact[]> {
  return sql<Contact[]>`
    select ${columns(sql)}
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${type !== 'customer'} or is_customer)
      and (${type !== 'supplier'} or is_supplier)
      and (${withMerged} or merged_into is null)
      ${
        search
          ? sql`and (
              concat_ws(' ', name, email, tax_number) ilike ${containing(search)}
              or id in (
                select merged_into
                from books.contacts
                where business_id = ${tenant.businessId}
                  and environment = ${tenant.environment}
                  and merged_into is not null
                  and concat_ws(' ', name, email, tax_number) ilike ${containing(search)}
              )
            )`
          : sql``
      }
    order by lower(name collate "und-x-icu"), id
    limit ${limit ?? null}`
}

// The contact that an id stands for: the other one, if it was merged.
export async function findContact(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Contact | undefined> {
  const [row] = await sql<Contact[]>`
    select ${columns(sql)}
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = coalesce((
        select merged_into
        from books.contacts
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and id = ${id}
      ), ${id})`
  return row
}

// The row with this id, also of a merged contact.
export async function findStoredContact(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Contact | undefined> {
  const [row] = await sql<Contact[]>`
    select ${columns(sql)}
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Names are compared without case. Merged contacts are found as the one that they stand for.
export async function listContactIdsByName(
  sql: Sql | Tx,
  tenant: Tenant,
  name: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct coalesce(merged_into, id) as id
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and lower(name collate "und-x-icu") = lower(${name}::text collate "und-x-icu")
    order by id`
  return rows.map((row) => row.id)
}

export async function insertContact(tx: Tx, tenant: Tenant, contact: Contact): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.contacts ${tx({ businessId, environment, ...contact })}`
}

export async function updateContact(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Contact, 'id' | 'createdAt'>>,
): Promise<void> {
  await tx`
    update books.contacts
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, name, is_customer, is_supplier, email, phone, tax_number, currency,
    payment_terms_days, address, time_zone, language, sales_account_id, purchase_account_id,
    sales_tax_code_id, purchase_tax_code_id, active, merged_into, created_at`
}
