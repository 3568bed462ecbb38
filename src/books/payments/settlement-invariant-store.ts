// The queries of the invariants of settling. They read all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

export async function listMisstatedOpenItems(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      item.business_id, item.environment, item.id as open_item_id, item.open_minor,
      item.open_base_minor
    from books.open_items as item
    left join (
      select
        business_id, environment, open_item_id, account_id, contact_id, currency,
        sum(amount_minor) as amount_minor,
        sum(base_minor) as base_minor
      from books.journal_lines
      where open_item_id is not null
      group by business_id, environment, open_item_id, account_id, contact_id, currency
    ) as booked
      on booked.business_id = item.business_id
      and booked.environment = item.environment
      and booked.open_item_id = item.id
    where (coalesce(booked.amount_minor, 0), coalesce(booked.base_minor, 0))
        <> (item.open_minor, item.open_base_minor)
      or (booked.account_id, booked.contact_id, booked.currency)
        <> (item.account_id, item.contact_id, item.currency)
    order by item.business_id, item.environment, item.id
    limit ${limit}`
}

export async function listMissettledDocuments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select document.business_id, document.environment, document.id as document_id, document.status
    from books.documents as document
    left join books.open_items as item
      on item.business_id = document.business_id
      and item.environment = document.environment
      and item.id = document.id
    where (document.posted_at is null) <> (item.id is null)
      or abs(item.open_minor) <> case when document.voided_at is not null then 0 else
        document.total_minor - paid_minor - credited_minor - written_off_minor end
      or item.due_date <> document.due_date
    order by document.business_id, document.environment, document.id
    limit ${limit}`
}

// The used amount of an item equals its allocations, of both signs.
export async function listMisallocatedItems(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select item.business_id, item.environment, item.id as open_item_id
    from books.open_items as item
    left join books.documents as document
      on document.business_id = item.business_id
      and document.environment = item.environment
      and document.id = item.id
    left join books.payments as payment
      on payment.business_id = item.business_id
      and payment.environment = item.environment
      and payment.id = item.id
    left join (
      select business_id, environment, item_id, sum(amount_minor) as amount_minor,
        sum(base_minor) as base_minor
      from (
        select business_id, environment, debit_item_id as item_id, amount_minor,
          debit_base_minor as base_minor
        from books.allocations
        where removed_at is null
        union all
        select business_id, environment, credit_item_id, -amount_minor, -credit_base_minor
        from books.allocations
        where removed_at is null
      ) as side
      group by business_id, environment, item_id
    ) as used
      on used.business_id = item.business_id
      and used.environment = item.environment
      and used.item_id = item.id
    where coalesce(used.amount_minor, 0) <>
        case when document.voided_at is null and payment.removed_at is null
          then item.amount_minor - item.open_minor else 0 end
      or coalesce(used.base_minor, 0) <>
        case when document.voided_at is null and payment.removed_at is null
          then item.base_minor - item.open_base_minor else 0 end
    order by item.business_id, item.environment, item.id
    limit ${limit}`
}

export async function listMisplacedPayments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select payment.business_id, payment.environment, payment.id as payment_id
    from books.payments as payment
    where payment.account_amount_minor is not null
      and not exists (
        select
        from books.journal_entries as entry
        join books.journal_lines as line
          on line.business_id = entry.business_id
          and line.environment = entry.environment
          and line.sequence = entry.sequence
        where entry.business_id = payment.business_id
          and entry.environment = payment.environment
          and entry.source_id = payment.id
          and entry.kind = 'payment.recorded'
          and line.account_id = payment.account_id
          and line.currency = payment.account_currency
          and line.amount_minor
            = case payment.direction when 'in' then 1 else -1 end * payment.account_amount_minor
      )
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}

export async function listStrayControlLines(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select line.business_id, line.environment, line.sequence, line.position
    from books.journal_lines as line
    join books.accounts as account
      on account.business_id = line.business_id
      and account.environment = line.environment
      and account.id = line.account_id
    left join books.open_items as item
      on item.business_id = line.business_id
      and item.environment = line.environment
      and item.id = line.open_item_id
    where (account.subtype in ('receivable', 'payable', 'expense_claims'))
        <> (item.id is not null)
      or (item.id is null) <> (line.open_item_id is null)
    order by line.business_id, line.environment, line.sequence, line.position
    limit ${limit}`
}
