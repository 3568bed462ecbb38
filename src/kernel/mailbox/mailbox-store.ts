// The mails of a business, as its people see them. Mails with a secret link or code are left out of
// every statement: their reader could act as the recipient.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import { shardOf } from '../jobs/job.ts'
import type { Attachment, Mail, MailKind, MailState } from '../mail/mail.ts'

export type MailboxFilter = {
  readonly state: MailState | undefined
  readonly kind: MailKind | undefined
  // A part of an address.
  readonly recipient: string | undefined
  // The id of the last mail of the page before.
  readonly before: string | undefined
}

// The newest first.
export async function listMailsOf(
  sql: Sql,
  tenant: Tenant,
  { state, kind, recipient, before }: MailboxFilter,
  limit: number,
): Promise<Mail[]> {
  const part = recipient?.toLowerCase()
  return sql<Mail[]>`
    select ${mailColumns(sql)}
    from kernel.mails
    where shard = ${shardOf(tenant)}
      and business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and not is_secret
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${
        part === undefined
          ? sql``
          : sql`and position(${part}::text in lower(array_to_string(recipients, ' '))) > 0`
      }
      ${
        before === undefined
          ? sql``
          : sql`and (created_at, id) < (
              select created_at, id
              from kernel.mails
              where shard = ${shardOf(tenant)}
                and business_id = ${tenant.businessId}
                and id = ${before}
            )`
      }
    order by created_at desc, id desc
    limit ${limit}`
}

export async function findMailOf(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Mail | undefined> {
  const [row] = await sql<Mail[]>`
    select ${mailColumns(sql)}
    from kernel.mails
    where shard = ${shardOf(tenant)}
      and business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and not is_secret`
  return row
}

export type MailBody = { readonly bodyText: string | null; readonly bodyHtml: string | null }

export async function findMailBody(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<MailBody | undefined> {
  const [row] = await sql<MailBody[]>`
    select body_text, body_html
    from kernel.mails
    where shard = ${shardOf(tenant)}
      and business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and not is_secret`
  return row
}

export type MailFile = {
  readonly position: number
  readonly filename: string
  readonly byteCount: number
}

export async function listMailFiles(sql: Sql, tenant: Tenant, id: string): Promise<MailFile[]> {
  return sql<MailFile[]>`
    select file.position, file.filename, octet_length(file.content) as byte_count
    from kernel.mail_attachments as file
    join kernel.mails as mail
      on mail.shard = file.shard
      and mail.id = file.mail_id
    where file.shard = ${shardOf(tenant)}
      and mail.business_id = ${tenant.businessId}
      and mail.environment = ${tenant.environment}
      and file.mail_id = ${id}
      and not mail.is_secret
    order by file.position`
}

export async function findMailFile(
  sql: Sql,
  tenant: Tenant,
  id: string,
  position: number,
): Promise<Attachment | undefined> {
  const [row] = await sql<Attachment[]>`
    select file.filename, file.content_type, file.content
    from kernel.mail_attachments as file
    join kernel.mails as mail
      on mail.shard = file.shard
      and mail.id = file.mail_id
    where file.shard = ${shardOf(tenant)}
      and mail.business_id = ${tenant.businessId}
      and mail.environment = ${tenant.environment}
      and file.mail_id = ${id}
      and file.position = ${position}
      and not mail.is_secret`
  return row
}

function mailColumns(sql: Sql | Tx) {
  return sql`shard, id, business_id, environment, kind, state, recipients, accepted, refused,
    reply_to, sender_name, subject, is_secret, message_id, attempts, attempted_at, problem,
    created_at, ended_at, wiped_at`
}
