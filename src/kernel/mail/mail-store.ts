// SQL for mails. Every state change requires that the mail is still queued, so a mail ends once. A
// mail is identified by shard and id, like a job, because it may have no tenant.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Attachment, Mail, MailContent, MailFilter, MailKey, MailKind } from './mail.ts'

export type NewMailRow = MailKey & {
  readonly kind: MailKind
  readonly recipients: readonly string[]
  readonly replyTo: string | null
  readonly senderName: string | null
  readonly subject: string
  readonly bodyText: string
  readonly bodyHtml: string | null
  readonly isSecret: boolean
  readonly createdAt: Date
}

// False if there is one with this id.
export async function insertMail(
  tx: Tx,
  tenant: Tenant | null,
  mail: NewMailRow,
): Promise<boolean> {
  const { shard, id, kind, replyTo, senderName, subject } = mail
  const { bodyText, bodyHtml, isSecret, createdAt } = mail
  const result = await tx`
    insert into kernel.mails (
      shard, id, business_id, environment, kind, state, recipients, accepted, refused,
      reply_to, sender_name, subject, body_text, body_html, is_secret, attempts, created_at
    )
    values (
      ${shard}, ${id}, ${tenant?.businessId ?? null}, ${tenant?.environment ?? null}, ${kind},
      'queued', ${[...mail.recipients]}, '{}', '{}', ${replyTo}, ${senderName}, ${subject},
      ${bodyText}, ${bodyHtml}, ${isSecret}, 0, ${createdAt}
    )
    on conflict (shard, id) do nothing`
  return result.count === 1
}

export async function insertAttachments(
  tx: Tx,
  { shard, id }: MailKey,
  attachments: readonly Attachment[],
): Promise<void> {
  for (const [position, { filename, contentType, content }] of attachments.entries()) {
    await tx`
      insert into kernel.mail_attachments (
        shard, mail_id, position, filename, content_type, content
      )
      values (
        ${shard}, ${id}, ${position}, ${filename}, ${contentType}, ${Buffer.from(content)}
      )`
  }
}

export async function findMail(sql: Sql, { shard, id }: MailKey): Promise<Mail | null> {
  const [row] = await sql<Mail[]>`
    select ${mailColumns(sql)}
    from kernel.mails
    where shard = ${shard}
      and id = ${id}`
  return row ?? null
}

export async function findMailContent(
  sql: Sql,
  { shard, id }: MailKey,
): Promise<MailContent | null> {
  const [body] = await sql<{ bodyText: string | null; bodyHtml: string | null }[]>`
    select body_text, body_html
    from kernel.mails
    where shard = ${shard}
      and id = ${id}`
  if (!body || body.bodyText === null) return null
  const attachments = await sql<Attachment[]>`
    select filename, content_type, content
    from kernel.mail_attachments
    where shard = ${shard}
      and mail_id = ${id}
    order by position`
  return { bodyText: body.bodyText, bodyHtml: body.bodyHtml, attachments }
}

// Null if the mail is no longer queued.
export async function updateMessageId(
  sql: Sql,
  { shard, id }: MailKey,
  proposed: string,
): Promise<string | null> {
  const [row] = await sql<{ messageId: string }[]>`
    update kernel.mails
    set message_id = coalesce(message_id, ${proposed})
    where shard = ${shard}
      and id = ${id}
      and state = 'queued'
    returning message_id`
  return row?.messageId ?? null
}

export type Attempt = {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  readonly problem: string | null
  readonly state: 'queued' | 'sent' | 'failed'
  readonly attemptedAt: Date
}

export async function updateMailAttempted(
  tx: Tx,
  { shard, id }: MailKey,
  { accepted, refused, problem, state, attemptedAt }: Attempt,
): Promise<boolean> {
  const result = await tx`
    update kernel.mails
    set accepted = ${[...accepted]},
      refused = ${[...refused]},
      problem = ${problem},
      state = ${state},
      attempts = attempts + 1,
      attempted_at = ${attemptedAt},
      ended_at = ${state === 'queued' ? null : attemptedAt}
    where shard = ${shard}
      and id = ${id}
      and state = 'queued'`
  return result.count === 1
}

export async function updateMailKept(
  sql: Sql | Tx,
  { shard, id }: MailKey,
  now: Date,
): Promise<void> {
  await sql`
    update kernel.mails
    set state = 'kept',
      ended_at = ${now}
    where shard = ${shard}
      and id = ${id}
      and state = 'queued'`
}

// Recipients that refused it are tried again; those that have it don't get it twice. False if
// nothing is left to send. A mail that is already queued may have lost its job.
export async function updateMailQueued(tx: Tx, { shard, id }: MailKey): Promise<boolean> {
  const result = await tx`
    update kernel.mails
    set state = 'queued',
      refused = '{}',
      ended_at = null
    where shard = ${shard}
      and id = ${id}
      and state in ('queued', 'failed', 'kept')
      and wiped_at is null`
  return result.count === 1
}

export async function updateMailWiped(tx: Tx, { shard, id }: MailKey, now: Date): Promise<void> {
  await tx`
    update kernel.mails
    set body_text = null,
      body_html = null,
      wiped_at = ${now}
    where shard = ${shard}
      and id = ${id}
      and ended_at is not null
      and wiped_at is null`
}

export async function deleteAttachments(tx: Tx, { shard, id }: MailKey): Promise<void> {
  await tx`
    delete from kernel.mail_attachments
    where shard = ${shard}
      and mail_id = ${id}`
}

// The newest first.
export async function listMails(sql: Sql, filter: MailFilter, limit: number): Promise<Mail[]> {
  const { businessId, state } = filter
  return sql<Mail[]>`
    select ${mailColumns(sql)}
    from kernel.mails
    where true
      ${businessId === undefined ? sql`` : sql`and business_id = ${businessId}`}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
    order by created_at desc, id desc
    limit ${limit}`
}

// Operators have only the id and search rarely, so there is no index for it.
export async function findMailById(sql: Sql, id: string): Promise<Mail | null> {
  const [row] = await sql<Mail[]>`
    select ${mailColumns(sql)}
    from kernel.mails
    where id = ${id}`
  return row ?? null
}

function mailColumns(sql: Sql) {
  return sql`shard, id, business_id, environment, kind, state, recipients, accepted, refused,
    reply_to, sender_name, subject, is_secret, message_id, attempts, attempted_at, problem,
    created_at, ended_at, wiped_at`
}
