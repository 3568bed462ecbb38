// The queries of the invariants of the books. They read all tenants without locks.
import type { Sql } from '../kernel/db/database.ts'
import type { Violation } from '../kernel/db/invariant.ts'

export async function listKeysWithoutContact(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select used.business_id, used.environment, used.key, used.object_id
    from kernel.idempotency_keys as used
    left join books.contacts as contact
      on contact.business_id = used.business_id
      and contact.environment = used.environment
      and contact.id = used.object_id
    where used.operation = 'contacts'
      and contact.id is null
    order by used.business_id, used.environment, used.key
    limit ${limit}`
}

export async function listContactsWithoutOneEvent(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      contact.business_id, contact.environment, contact.id as contact_id,
      count(event.id)::integer as events
    from books.contacts as contact
    left join kernel.events as event
      on event.business_id = contact.business_id
      and event.environment = contact.environment
      and event.object_id = contact.id
      and event.service = 'books'
      and event.type = 'contact.created'
    group by contact.business_id, contact.environment, contact.id
    having count(event.id) <> 1
    order by contact.business_id, contact.environment, contact.id
    limit ${limit}`
}

export async function listEventsWithoutContact(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select event.business_id, event.environment, event.id as event_id, event.object_id
    from kernel.events as event
    left join books.contacts as contact
      on contact.business_id = event.business_id
      and contact.environment = event.environment
      and contact.id = event.object_id
    where event.service = 'books'
      and event.type = 'contact.created'
      and contact.id is null
      -- Deleted when its import was undone.
      and not exists (
        select 1
        from books.import_objects as imported
        where imported.business_id = event.business_id
          and imported.environment = event.environment
          and imported.object_id = event.object_id
          and imported.undone_at is not null
      )
    order by event.business_id, event.environment, event.id
    limit ${limit}`
}

// What people record once: payments, refunds and write-offs, allocations, and journals.
export async function listKeysWithoutBooking(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select used.business_id, used.environment, used.operation, used.key, used.object_id
    from kernel.idempotency_keys as used
    left join books.payments as payment
      on payment.business_id = used.business_id
      and payment.environment = used.environment
      and payment.id = used.object_id
    left join books.allocations as allocation
      on allocation.business_id = used.business_id
      and allocation.environment = used.environment
      and allocation.id = used.object_id
    left join books.journal_entries as entry
      on entry.business_id = used.business_id
      and entry.environment = used.environment
      and entry.source_id = used.object_id
      and entry.kind = case used.operation
        when 'post-manual-journal' then 'journal.posted'
        when 'reverse-manual-journal' then 'journal.reversed'
        when 'post-opening-balances' then 'opening.posted' end
    where case
      when used.operation
          in ('record-payment', 'refund-credit', 'write-off-invoice', 'write-off-bill')
        then payment.id is null
      when used.operation = 'allocate-credit' then allocation.id is null
      when used.operation
          in ('post-manual-journal', 'reverse-manual-journal', 'post-opening-balances')
        then entry.sequence is null
      else false end
    order by used.business_id, used.environment, used.operation, used.key
    limit ${limit}`
}
