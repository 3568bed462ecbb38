// Monthly statements that were mailed, and what decides about the next ones.
import { addSeconds } from '../../../kernel/basics/clock.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../../kernel/db/database.ts'
import type { Violation } from '../../../kernel/db/invariant.ts'
import { listSameContactIds } from '../../contacts/merged-contact-store.ts'
import { mailKeptDays } from '../../reminders/reminder-store.ts'
import type { Period } from '../../reports/report-days.ts'
import type { MonthlyStatement, StatementFacts } from './monthly-statement.ts'

type Wanted = {
  readonly month: Period
  // One contact, or all.
  readonly contactId?: string
  readonly after?: Pick<StatementFacts, 'contactId'> | undefined
  readonly limit: number
}

// Customers with open items or movement in the month, whose statement was not mailed, by id. One
// that was merged is told of under the other.
export async function listStatementFacts(
  sql: Sql | Tx,
  tenant: Tenant,
  { month: { from, to }, contactId, after, limit }: Wanted,
): Promise<StatementFacts[]> {
  return sql<StatementFacts[]>`
    select
      contact.id as contact_id, contact.name as contact_name, contact.email,
      coalesce(contact.time_zone, organisation.time_zone) as time_zone,
      stop.is_stopped, stop.resumed_at
    from books.contacts as contact
    join books.organisations as organisation
      on organisation.business_id = ${tenant.businessId}
      and organisation.environment = ${tenant.environment}
    cross join lateral (
      select array_agg(own.id) as ids
      from books.contacts as own
      where own.business_id = ${tenant.businessId}
        and own.environment = ${tenant.environment}
        and (own.id = contact.id or own.merged_into = contact.id)
    ) as same
    cross join lateral (
      select
        count(*) filter (where stop.ended_at is null) > 0 as is_stopped,
        max(stop.ended_at) as resumed_at
      from books.statement_stops as stop
      where stop.business_id = ${tenant.businessId}
        and stop.environment = ${tenant.environment}
        and stop.contact_id = any (same.ids)
    ) as stop
    where contact.business_id = ${tenant.businessId}
      and contact.environment = ${tenant.environment}
      and contact.merged_into is null
      and contact.is_customer
      ${contactId === undefined ? sql`` : sql`and contact.id = ${contactId}`}
      ${after ? sql`and contact.id > ${after.contactId}` : sql``}
      and not exists (
        select 1
        from books.monthly_statements as mailed
        where mailed.business_id = ${tenant.businessId}
          and mailed.environment = ${tenant.environment}
          and mailed.contact_id = any (same.ids)
          and mailed.month = ${from}
      )
      and exists (
        select 1
        from books.open_items as item
        where item.business_id = ${tenant.businessId}
          and item.environment = ${tenant.environment}
          and item.contact_id = any (same.ids)
          and item.date <= ${to}
          and (
            item.open_minor <> 0
            or exists (
              select 1
              from books.journal_lines as line
              where line.business_id = ${tenant.businessId}
                and line.environment = ${tenant.environment}
                and line.open_item_id = item.id
                and line.date between ${from} and ${to}
            )
          )
      )
    order by contact.id
    limit ${limit}`
}

// False if it was mailed before.
export async function insertMonthlyStatement(
  tx: Tx,
  tenant: Tenant,
  statement: MonthlyStatement,
): Promise<boolean> {
  const { businessId, environment } = tenant
  const result = await tx`
    insert into books.monthly_statements ${tx({ businessId, environment, ...statement })}
    on conflict do nothing`
  return result.count === 1
}

// Of a contact and those that were merged into it, newest first.
export async function listMonthlyStatements(
  sql: Sql | Tx,
  tenant: Tenant,
  contactId: string,
  limit: number,
): Promise<MonthlyStatement[]> {
  return sql<MonthlyStatement[]>`
    select id, contact_id, month, recipient, created_at
    from books.monthly_statements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and contact_id = any (${listSameContactIds(sql, tenant, contactId)})
    order by month desc, created_at desc
    limit ${limit}`
}

export async function listStatementsWithoutOneMail(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<Violation[]> {
  const since = addSeconds(now, -mailKeptDays * 24 * 60 * 60)
  // Mails are kept by shard, so a distributed database joins them with a copy.
  return sql`
    with mail as materialized (
      select business_id, id, recipients
      from kernel.mails
      where business_id is not null
        and created_at > ${since}
    )
    select statement.business_id, statement.environment, statement.id as statement_id
    from books.monthly_statements as statement
    left join mail
      on mail.business_id = statement.business_id
      and mail.id = statement.id
    where statement.created_at > ${since}
    group by
      statement.business_id, statement.environment, statement.id, statement.recipient
    having count(mail.id) <> 1
      or not bool_and(mail.recipients = array[statement.recipient])
    limit ${limit}`
}
