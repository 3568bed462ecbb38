// The queries of the invariants of merged contacts. They read all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// A contact that was merged into one that is merged itself.
export async function listMischainedContacts(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select contact.business_id, contact.environment, contact.id as contact_id
    from books.contacts as contact
    join books.contacts as kept
      on kept.business_id = contact.business_id
      and kept.environment = contact.environment
      and kept.id = contact.merged_into
    where kept.merged_into is not null
      or kept.id = contact.id
    order by contact.business_id, contact.environment, contact.id
    limit ${limit}`
}

// An amount of one contact that settles something of another.
export async function listAllocationsAcrossContacts(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select allocation.business_id, allocation.environment, allocation.id as allocation_id
    from books.allocations as allocation
    join books.open_items as debit
      on debit.business_id = allocation.business_id
      and debit.environment = allocation.environment
      and debit.id = allocation.debit_item_id
    join books.open_items as credit
      on credit.business_id = allocation.business_id
      and credit.environment = allocation.environment
      and credit.id = allocation.credit_item_id
      and credit.contact_id <> debit.contact_id
    join books.contacts as debtor
      on debtor.business_id = debit.business_id
      and debtor.environment = debit.environment
      and debtor.id = debit.contact_id
    join books.contacts as creditor
      on creditor.business_id = credit.business_id
      and creditor.environment = credit.environment
      and creditor.id = credit.contact_id
    where allocation.removed_at is null
      and coalesce(debtor.merged_into, debtor.id) <> coalesce(creditor.merged_into, creditor.id)
    order by allocation.business_id, allocation.environment, allocation.id
    limit ${limit}`
}
