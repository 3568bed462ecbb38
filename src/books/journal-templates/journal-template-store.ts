import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { NamedJournalTemplate } from './journal-template.ts'

// False if the name is taken.
export async function insertJournalTemplate(
  tx: Tx,
  tenant: Tenant,
  { id, name, journal, createdAt }: NamedJournalTemplate,
): Promise<boolean> {
  const inserted = await tx`
    insert into books.journal_templates
      (business_id, environment, id, name, journal, created_at)
    values
      (${tenant.businessId}, ${tenant.environment}, ${id}, ${name}, ${tx.json(journal)},
       ${createdAt})
    on conflict on constraint journal_templates_name do nothing`
  return inserted.count === 1
}

export async function listJournalTemplates(
  sql: Sql,
  tenant: Tenant,
  limit: number,
): Promise<NamedJournalTemplate[]> {
  return sql<NamedJournalTemplate[]>`
    select id, name, journal, created_at
    from books.journal_templates
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by name
    limit ${limit}`
}

export async function deleteJournalTemplate(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from books.journal_templates
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    returning name`
  return row?.name
}
