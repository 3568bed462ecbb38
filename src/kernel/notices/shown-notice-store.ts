// SQL for the notices that the application shows to a person.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { ShownNotice } from './notice.ts'

export async function insertShownNotices(
  tx: Tx,
  tenant: Tenant,
  noticeId: string,
  personIds: readonly string[],
): Promise<void> {
  await tx`
    insert into kernel.shown_notices (business_id, environment, person_id, notice_id)
    select ${tenant.businessId}, ${tenant.environment}, person_id, ${noticeId}
    from unnest(${[...personIds]}::uuid[]) as person_id
    on conflict on constraint shown_notices_pkey do nothing`
}

export type ShownFilter = {
  readonly personId: string
  readonly isUnread: boolean
  readonly before: string | undefined
}

// The newest first.
export async function listShownNotices(
  sql: Sql,
  tenant: Tenant,
  { personId, isUnread, before }: ShownFilter,
  limit: number,
): Promise<ShownNotice[]> {
  return sql<ShownNotice[]>`
    select notice.id, notice.kind, notice.subject, notice.lines, notice.path, notice.created_at,
      shown.read_at
    from kernel.shown_notices as shown
    join kernel.notices as notice
      on notice.business_id = shown.business_id
      and notice.environment = shown.environment
      and notice.id = shown.notice_id
    where shown.business_id = ${tenant.businessId}
      and shown.environment = ${tenant.environment}
      and shown.person_id = ${personId}
      ${isUnread ? sql`and shown.read_at is null` : sql``}
      ${before === undefined ? sql`` : sql`and shown.notice_id < ${before}`}
    order by shown.notice_id desc
    limit ${limit}`
}

export async function findUnreadCount(sql: Sql, tenant: Tenant, personId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from kernel.shown_notices
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and person_id = ${personId}
      and read_at is null`
  return row?.count ?? 0
}

// The page that shows the notice, or undefined if it is not theirs.
export async function updateNoticeRead(
  tx: Tx,
  tenant: Tenant,
  personId: string,
  noticeId: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await tx<{ path: string }[]>`
    update kernel.shown_notices as shown
    set read_at = coalesce(shown.read_at, ${now})
    from kernel.notices as notice
    where shown.business_id = ${tenant.businessId}
      and shown.environment = ${tenant.environment}
      and shown.person_id = ${personId}
      and shown.notice_id = ${noticeId}
      and notice.business_id = shown.business_id
      and notice.environment = shown.environment
      and notice.id = shown.notice_id
    returning notice.path`
  return row?.path
}

export async function updateNoticesRead(
  tx: Tx,
  tenant: Tenant,
  personId: string,
  now: Date,
): Promise<void> {
  await tx`
    update kernel.shown_notices
    set read_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and person_id = ${personId}
      and read_at is null`
}
