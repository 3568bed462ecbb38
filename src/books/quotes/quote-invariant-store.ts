// The queries of the invariants of quotes and leads. They read all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// A quote can be sent and answered again, so each answer has its own event since the quote was last
// sent.
export async function listQuotesWithoutOneAnswer(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      quote.business_id, quote.environment, quote.id as quote_id, quote.status,
      count(event.id)::integer as events
    from books.quotes as quote
    left join kernel.events as event
      on event.business_id = quote.business_id
      and event.environment = quote.environment
      and event.object_id = quote.id
      and event.service = 'books'
      and event.type in ('quote.accepted', 'quote.declined')
      and event.created_at >= quote.sent_at
    where quote.status <> 'draft'
    group by quote.business_id, quote.environment, quote.id
    having count(event.id) <> (quote.status in ('accepted', 'declined', 'invoiced'))::integer
    order by quote.business_id, quote.environment, quote.id
    limit ${limit}`
}

export async function listLeadsWithoutOneEvent(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      lead.business_id, lead.environment, lead.id as lead_id, lead.status,
      count(event.id)::integer as events
    from books.leads as lead
    left join kernel.events as event
      on event.business_id = lead.business_id
      and event.environment = lead.environment
      and event.object_id = lead.id
      and event.service = 'books'
      and event.type = 'lead.won'
    group by lead.business_id, lead.environment, lead.id
    having count(event.id) <> (lead.status = 'won')::integer
    order by lead.business_id, lead.environment, lead.id
    limit ${limit}`
}

export async function listEventsWithoutQuoteOrLead(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select event.business_id, event.environment, event.id as event_id, event.object_id
    from kernel.events as event
    left join books.quotes as quote
      on quote.business_id = event.business_id
      and quote.environment = event.environment
      and quote.id = event.object_id
    left join books.leads as lead
      on lead.business_id = event.business_id
      and lead.environment = event.environment
      and lead.id = event.object_id
    where event.service = 'books'
      and event.type in ('quote.accepted', 'quote.declined', 'lead.won')
      and quote.id is null
      and lead.id is null
    order by event.business_id, event.environment, event.id
    limit ${limit}`
}
