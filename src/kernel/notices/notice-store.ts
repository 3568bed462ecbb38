import type { Role } from '../auth/actor.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Notice, NoticeKind } from './notice.ts'

// False if the fact was recorded before.
export async function insertNotice(
  tx: Tx,
  tenant: Tenant,
  { id, createdAt, ...notice }: Notice & { readonly id: string; readonly createdAt: Date },
): Promise<boolean> {
  const { kind, fact, subject, lines, path, roles, exceptPersonId = null } = notice
  const rows = await tx`
    insert into kernel.notices
      (business_id, environment, id, kind, fact, subject, lines, path, roles, except_person_id,
       created_at)
    values
      (${tenant.businessId}, ${tenant.environment}, ${id}, ${kind}, ${fact}, ${subject},
       ${[...lines]}, ${path}, ${roles ? [...roles] : null}, ${exceptPersonId}, ${createdAt})
    on conflict on constraint notices_fact_key do nothing
    returning id`
  return rows.length > 0
}

export type StoredNotice = {
  readonly kind: NoticeKind
  readonly subject: string
  readonly lines: string[]
  readonly path: string
  readonly roles: Role[] | null
  readonly exceptPersonId: string | null
}

// Undefined if it was already mailed, which makes a repeated job harmless.
export async function updateNoticeMailed(
  tx: Tx,
  tenant: Tenant,
  id: string,
  now: Date,
): Promise<StoredNotice | undefined> {
  const [row] = await tx<StoredNotice[]>`
    update kernel.notices
    set mailed_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and mailed_at is null
    returning kind, subject, lines, path, roles, except_person_id`
  return row
}

export async function findNoticeExists(tx: Tx, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await tx`
    select
    from kernel.notices
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return rows.length > 0
}

export type Choice = {
  readonly personId: string
  readonly kind: NoticeKind
  // By mail.
  readonly isOn: boolean
  // In the application; null for the default of the role.
  readonly isShown: boolean | null
}

export async function listChoices(sql: Sql | Tx, businessId: string): Promise<Choice[]> {
  return sql<Choice[]>`
    select person_id, kind, is_on, is_shown
    from kernel.notification_choices
    where business_id = ${businessId}`
}

export async function insertOrUpdateChoice(
  tx: Tx,
  businessId: string,
  { personId, kind, isOn, isShown }: Choice,
): Promise<void> {
  await tx`
    insert into kernel.notification_choices (business_id, person_id, kind, is_on, is_shown)
    values (${businessId}, ${personId}, ${kind}, ${isOn}, ${isShown})
    on conflict on constraint notification_choices_pkey do update
    set is_on = excluded.is_on,
      is_shown = excluded.is_shown`
}
