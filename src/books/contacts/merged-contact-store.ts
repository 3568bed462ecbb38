// Contacts that were merged. The row of a merged contact stays and names the one it was merged into
// (never another merged one), so that documents and journal lines keep their contact id.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Contact } from './contact.ts'

type Merged = Pick<Contact, 'id' | 'name' | 'mergedInto'>

// Part of a statement: the ids under which a contact has documents and entries, as an array.
export function listSameContactIds(sql: Sql | Tx, tenant: Tenant, contactId: string) {
  return sql`array(
    select same.id
    from books.contacts as asked
    join books.contacts as same
      on same.business_id = asked.business_id
      and same.environment = asked.environment
      and (
        same.id = coalesce(asked.merged_into, asked.id)
        or same.merged_into = coalesce(asked.merged_into, asked.id)
      )
    where asked.business_id = ${tenant.businessId}
      and asked.environment = ${tenant.environment}
      and asked.id = ${contactId}
  )`
}

// Part of a statement that joins `contact`: its name, or that of the contact it was merged into.
export function findShownName(sql: Sql | Tx, tenant: Tenant) {
  return sql`coalesce((
    select kept.name
    from books.contacts as kept
    where kept.business_id = ${tenant.businessId}
      and kept.environment = ${tenant.environment}
      and kept.id = contact.merged_into
  ), contact.name)`
}

// Part of a statement: the ids of the contacts whose shown name contains a text.
export function listIdsByShownName(sql: Sql | Tx, tenant: Tenant, text: string) {
  return sql`
    select contact.id
    from books.contacts as contact
    left join books.contacts as kept
      on kept.business_id = contact.business_id
      and kept.environment = contact.environment
      and kept.id = contact.merged_into
    where contact.business_id = ${tenant.businessId}
      and contact.environment = ${tenant.environment}
      and (
        strpos(lower(contact.name), lower(${text}::text)) > 0
        or strpos(lower(kept.name), lower(${text}::text)) > 0
      )`
}

export async function listMergedInto(
  sql: Sql | Tx,
  tenant: Tenant,
  // All that are merged into some contact, without it.
  contactId?: string,
): Promise<(Merged & { readonly mergedInto: string })[]> {
  return sql<(Merged & { readonly mergedInto: string })[]>`
    select id, name, merged_into
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and merged_into is not null
      and (${contactId ?? null}::uuid is null or merged_into = ${contactId ?? null})
    order by lower(name collate "und-x-icu"), id`
}

// The row itself, also of a merged contact. In the order of ids, so that two callers don't
// deadlock.
export async function lockMergeable(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Merged[]> {
  return tx<Merged[]>`
    select id, name, merged_into
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]}::uuid[])
    order by id
    for update`
}

// Whether two ids stand for one contact. Neither is merged or taken apart before the caller ends.
export async function lockSameContact(
  tx: Sql | Tx,
  tenant: Tenant,
  one: string,
  other: string,
): Promise<boolean> {
  if (one === other) return true
  const rows = await tx<Pick<Contact, 'id' | 'mergedInto'>[]>`
    select id, merged_into
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id in (${one}, ${other})
    order by id
    for share`
  return rows.length === 2 && new Set(rows.map(({ id, mergedInto }) => mergedInto ?? id)).size === 1
}

// With those that were merged into it before, so that none names a merged contact.
export async function updateMergedInto(
  tx: Tx,
  tenant: Tenant,
  id: string,
  mergedInto: string,
): Promise<void> {
  await tx`
    update books.contacts
    set merged_into = ${mergedInto}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (id = ${id} or merged_into = ${id})`
}

export async function updateUnmerged(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await tx`
    update books.contacts
    set merged_into = null
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// The number of a document that ties a contact to others: one of their payments or credits settles
// it, or a credit names it. Undefined if nothing does.
export async function findTie(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<{ number: string | null } | undefined> {
  const [row] = await tx<{ number: string | null }[]>`
    select document.number
    from books.open_items as own
    join books.allocations as allocation
      on allocation.business_id = own.business_id
      and allocation.environment = own.environment
      and own.id in (allocation.debit_item_id, allocation.credit_item_id)
      and allocation.removed_at is null
    join books.open_items as other
      on other.business_id = own.business_id
      and other.environment = own.environment
      and other.id in (allocation.debit_item_id, allocation.credit_item_id)
      and other.contact_id <> own.contact_id
    left join books.documents as document
      on document.business_id = own.business_id
      and document.environment = own.environment
      and document.id in (own.id, other.id)
    where own.business_id = ${tenant.businessId}
      and own.environment = ${tenant.environment}
      and own.contact_id = ${id}
    union all
    select credited.number
    from books.documents as credit
    join books.documents as credited
      on credited.business_id = credit.business_id
      and credited.environment = credit.environment
      and credited.id = credit.credits_document_id
    where credit.business_id = ${tenant.businessId}
      and credit.environment = ${tenant.environment}
      and (credit.contact_id = ${id}) <> (credited.contact_id = ${id})
    limit 1`
  return row
}

export type ContactUse = {
  readonly documents: number
  readonly quotes: number
  readonly payments: number
  // Of its documents and payments.
  readonly currencies: readonly string[]
}

export async function findContactUse(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<ContactUse> {
  const [row] = await sql<ContactUse[]>`
    with own as (
      select 'document' as part, currency
      from books.documents
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and contact_id = any (${listSameContactIds(sql, tenant, id)})
      union all
      select 'quote' as part, currency
      from books.quotes
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and contact_id = any (${listSameContactIds(sql, tenant, id)})
      union all
      select 'payment' as part, currency
      from books.payments
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and contact_id = any (${listSameContactIds(sql, tenant, id)})
    )
    select
      count(*) filter (where part = 'document')::integer as documents,
      count(*) filter (where part = 'quote')::integer as quotes,
      count(*) filter (where part = 'payment')::integer as payments,
      coalesce(array_agg(distinct currency order by currency), '{}') as currencies
    from own`
  return row ?? { documents: 0, quotes: 0, payments: 0, currencies: [] }
}
