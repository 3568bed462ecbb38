// Reminders that were mailed, and what decides about the next ones.
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import { listSameContactIds } from '../contacts/merged-contact-store.ts'
import type { ReminderFacts } from './reminder.ts'

type Wanted = {
  // One invoice, or all open ones that are due in these days.
  readonly documentId?: string
  readonly dueFrom?: string
  readonly dueTo?: string
  // Of one contact.
  readonly contactId?: string
  readonly after?: Pick<ReminderFacts, 'dueDate' | 'documentId'> | undefined
  readonly limit: number
}

// Open invoices, by due date.
export async function listReminderFacts(
  sql: Sql | Tx,
  tenant: Tenant,
  { documentId, dueFrom, dueTo, contactId, after, limit }: Wanted,
): Promise<ReminderFacts[]> {
  return sql<ReminderFacts[]>`
    select
      document.id as document_id, document.number, document.currency,
      document.total_minor - document.paid_minor - document.credited_minor
        - document.written_off_minor as due_minor,
      document.due_date, document.sent_at, document.contact_id, contact.name as contact_name,
      contact.email, coalesce(contact.time_zone, organisation.time_zone) as time_zone,
      (
        select max(change.changed_on)
        from books.due_date_changes as change
        where change.business_id = ${tenant.businessId}
          and change.environment = ${tenant.environment}
          and change.item_id = document.id
      ) as due_changed_on,
      stop.kinds as stops, stop.resumed_at,
      exists (
        select 1
        from books.invoice_charges as charge
        where charge.business_id = ${tenant.businessId}
          and charge.environment = ${tenant.environment}
          and charge.document_id = document.id
          and charge.ended_at is null
      ) as is_being_paid,
      sent.steps as sent_steps, sent.last_day
    from books.documents as document
    join books.contacts as named
      on named.business_id = ${tenant.businessId}
      and named.environment = ${tenant.environment}
      and named.id = document.contact_id
    join books.contacts as contact
      on contact.business_id = ${tenant.businessId}
      and contact.environment = ${tenant.environment}
      and contact.id = coalesce(named.merged_into, named.id)
    join books.organisations as organisation
      on organisation.business_id = ${tenant.businessId}
      and organisation.environment = ${tenant.environment}
    cross join lateral (
      select
        coalesce(array_agg(stop.kind order by stop.kind) filter (where stop.ended_at is null), '{}')
          as kinds,
        max(stop.ended_at) as resumed_at
      from books.reminder_stops as stop
      where stop.business_id = ${tenant.businessId}
        and stop.environment = ${tenant.environment}
        and (
          stop.document_id = document.id
          or stop.contact_id in (
            select same.id
            from books.contacts as same
            where same.business_id = ${tenant.businessId}
              and same.environment = ${tenant.environment}
              and (same.id = contact.id or same.merged_into = contact.id)
          )
        )
    ) as stop
    cross join lateral (
      select
        coalesce(
          array_agg(reminder.step) filter (where reminder.due_date = document.due_date), '{}'
        ) as steps,
        max(reminder.day) as last_day
      from books.reminders as reminder
      where reminder.business_id = ${tenant.businessId}
        and reminder.environment = ${tenant.environment}
        and reminder.document_id = document.id
    ) as sent
    where document.business_id = ${tenant.businessId}
      and document.environment = ${tenant.environment}
      and document.kind = 'invoice'
      and document.status in ('posted', 'sent', 'partially_paid')
      ${documentId === undefined ? sql`` : sql`and document.id = ${documentId}`}
      ${contactId === undefined ? sql`` : sql`and document.contact_id = any (${listSameContactIds(sql, tenant, contactId)})`}
      ${dueFrom === undefined ? sql`` : sql`and document.due_date >= ${dueFrom}`}
      ${dueTo === undefined ? sql`` : sql`and document.due_date <= ${dueTo}`}
      ${after ? sql`and (document.due_date, document.id) > (${after.dueDate}, ${after.documentId})` : sql``}
    order by document.due_date, document.id
    limit ${limit}`
}

export type Reminder = {
  // Also of the mail.
  readonly id: string
  readonly documentId: string
  readonly dueDate: string
  readonly step: number
  readonly recipient: string
  readonly day: string
  readonly createdAt: Date
}

// False if it was mailed before.
export async function insertReminder(tx: Tx, tenant: Tenant, reminder: Reminder): Promise<boolean> {
  const { businessId, environment } = tenant
  const result = await tx`
    insert into books.reminders ${tx({ businessId, environment, ...reminder })}
    on conflict do nothing`
  return result.count === 1
}

// Mails are kept for longer than these days.
export const mailKeptDays = 390

export async function listRemindersWithoutOneMail(
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
    select reminder.business_id, reminder.environment, reminder.id as reminder_id
    from books.reminders as reminder
    left join mail
      on mail.business_id = reminder.business_id
      and mail.id = reminder.id
    where reminder.created_at > ${since}
    group by
      reminder.business_id, reminder.environment, reminder.id, reminder.recipient
    having count(mail.id) <> 1
      or not bool_and(mail.recipients = array[reminder.recipient])
    limit ${limit}`
}
