// Contacts and items as the editor of documents finds them: by what a person types, and by what a
// form names. A business may have thousands, so no query reads all of them.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { ContactType } from '../contacts/contact-store.ts'
import type { SidedDefaults } from './editor-choice.ts'

export type ContactRow = SidedDefaults & {
  readonly id: string
  readonly name: string
  readonly currency: string | null
  readonly paymentTermsDays: number
  // Whether another contact has the same name.
  readonly isShared: boolean
}

// Names that begin with the text come first; the collation is that of the index.
export async function listContactChoices(
  sql: Sql,
  tenant: Tenant,
  { type, text, limit }: { type: ContactType; text: string; limit: number },
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    select ${contactColumns(sql, tenant)}
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ${type === 'customer' ? sql`is_customer` : sql`is_supplier`}
      and active
      and merged_into is null
      ${text === '' ? sql`` : sql`and name ilike ${containing(text)}`}
    order by
      ${text === '' ? sql`` : sql`starts_with(lower(name), lower(${text}::text)) desc,`}
      lower(name collate "und-x-icu"), id
    limit ${limit}`
}

type Named = { readonly ids: readonly string[]; readonly texts: readonly string[] }

// Texts are names, in any case.
export async function listContactsNamed(
  sql: Sql,
  tenant: Tenant,
  type: ContactType,
  { ids, texts }: Named,
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    select ${contactColumns(sql, tenant)}
    from books.contacts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ${type === 'customer' ? sql`is_customer` : sql`is_supplier`}
      and active
      and merged_into is null
      and (
        id = any(${[...ids]}::uuid[])
        or id in (
          select merged_into
          from books.contacts
          where business_id = ${tenant.businessId}
            and environment = ${tenant.environment}
            and id = any(${[...ids]}::uuid[])
        )
        or lower(name collate "und-x-icu") in (
          select lower(typed collate "und-x-icu")
          from unnest(${[...texts]}::text[]) typed
        )
      )`
}

export type ItemRow = SidedDefaults & {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string | null
  readonly salesUnitPrice: string | null
  readonly purchaseUnitPrice: string | null
}

// Codes that begin with the text come first, then names.
export async function listItemChoices(
  sql: Sql,
  tenant: Tenant,
  { text, limit }: { text: string; limit: number },
): Promise<ItemRow[]> {
  return sql<ItemRow[]>`
    select ${itemColumns(sql)}
    from books.items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and active
      ${text === '' ? sql`` : sql`and code || ' ' || name ilike ${containing(text)}`}
    order by
      ${
        text === ''
          ? sql``
          : sql`
              starts_with(lower(code), lower(${text}::text)) desc,
              starts_with(lower(name), lower(${text}::text)) desc,`
      }
      code collate "C"
    limit ${limit}`
}

// Texts are codes, names, or both, in lower case.
export async function listItemsNamed(
  sql: Sql,
  tenant: Tenant,
  { ids, texts }: Named,
): Promise<ItemRow[]> {
  return sql<ItemRow[]>`
    select ${itemColumns(sql)}
    from books.items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and active
      and (
        id = any(${[...ids]}::uuid[])
        or lower(code) = any(${[...texts]})
        or lower(name) = any(${[...texts]})
        or lower(code || ' ' || name) = any(${[...texts]})
      )`
}

function contactColumns(sql: Sql, { businessId, environment }: Tenant) {
  return sql`
    id, name, currency, payment_terms_days,
    sales_account_id, purchase_account_id, sales_tax_code_id, purchase_tax_code_id,
    exists (
      select
      from books.contacts other
      where other.business_id = ${businessId}
        and other.environment = ${environment}
        and lower(other.name collate "und-x-icu") = lower(contacts.name collate "und-x-icu")
        and other.id <> contacts.id
        and other.active
        and other.merged_into is null
    ) as is_shared`
}

function itemColumns(sql: Sql) {
  return sql`
    id, code, name, description, sales_unit_price, purchase_unit_price,
    sales_account_id, purchase_account_id, sales_tax_code_id, purchase_tax_code_id`
}
