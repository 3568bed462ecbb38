// Why an invoice, or all invoices of a contact, are not reminded.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listSameContactIds } from '../contacts/merged-contact-store.ts'
import type { StopKind } from './reminder.ts'

export type ReminderStop = {
  readonly id: string
  readonly documentId: string | null
  readonly contactId: string | null
  readonly kind: StopKind
  readonly reason: string | null
  readonly createdAt: Date
}

type StopSubject = { readonly documentId?: string; readonly contactId?: string }

// Those that last, of an invoice and of its contact.
export async function listReminderStops(
  sql: Sql | Tx,
  tenant: Tenant,
  { documentId, contactId }: StopSubject,
): Promise<ReminderStop[]> {
  const contactIds = contactId ? listSameContactIds(sql, tenant, contactId) : sql`'{}'::uuid[]`
  return sql<ReminderStop[]>`
    select id, document_id, contact_id, kind, reason, created_at
    from books.reminder_stops
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ended_at is null
      and (
        document_id = ${documentId ?? null}::uuid
        or contact_id = any (${contactIds})
      )
    order by kind`
}

// False if it is stopped for this already.
export async function insertReminderStop(
  tx: Tx,
  tenant: Tenant,
  stop: ReminderStop,
): Promise<boolean> {
  const { businessId, environment } = tenant
  const result = await tx`
    insert into books.reminder_stops ${tx({ businessId, environment, ...stop })}
    on conflict do nothing`
  return result.count === 1
}

// How many have ended.
export async function updateStopsEnded(
  tx: Tx,
  tenant: Tenant,
  { documentId, contactId }: StopSubject,
  endedAt: Date,
): Promise<number> {
  const contactIds = contactId ? listSameContactIds(tx, tenant, contactId) : tx`'{}'::uuid[]`
  const result = await tx`
    update books.reminder_stops
    set ended_at = ${endedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ended_at is null
      and (
        document_id = ${documentId ?? null}::uuid
        or contact_id = any (${contactIds})
      )`
  return result.count
}
