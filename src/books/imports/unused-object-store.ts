// Contacts, items and accounts that an import has made and nothing uses.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { ImportedKind } from './import.ts'

const tables: Partial<Record<ImportedKind, string>> = {
  contact: 'books.contacts',
  item: 'books.items',
  account: 'books.accounts',
}

export async function findName(
  tx: Tx,
  tenant: Tenant,
  kind: ImportedKind,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    select name
    from ${tx(tables[kind] ?? '')}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row?.name
}

// False if a quote, a schedule or a template names it: their lines are JSON. Everything else that
// uses an object refers to it, and the database refuses.
export async function deleteUnused(
  tx: Tx,
  tenant: Tenant,
  kind: ImportedKind,
  id: string,
): Promise<boolean> {
  const result = await tx`
    delete from ${tx(tables[kind] ?? '')}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and not exists (
        select 1
        from books.quotes
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and lines::text like ${`%${id}%`}
      )
      and not exists (
        select 1
        from books.tax_codes
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and components::text like ${`%${id}%`}
      )
      and not exists (
        select 1
        from books.recurring_schedules
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and template::text like ${`%${id}%`}
      )
      and not exists (
        select 1
        from books.journal_templates
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and journal::text like ${`%${id}%`}
      )`
  return result.count === 1
}
