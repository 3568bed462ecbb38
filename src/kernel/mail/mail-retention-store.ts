// SQL for deleting the content of old mails and the mails themselves, and for monitoring: counts of
// recent mails, and whether every queued mail has a job that will send it.
import type { Sql } from '../db/database.ts'
import type { Violation } from '../db/invariant.ts'
import type { MailKey, MailState } from './mail.ts'

export async function listMailsToWipe(sql: Sql, before: Date, limit: number): Promise<MailKey[]> {
  return sql<MailKey[]>`
    select shard, id
    from kernel.mails
    where wiped_at is null
      and ended_at < ${before}
    order by ended_at
    limit ${limit}`
}

// Shard by shard, as a distributed database needs it.
export async function deleteMails(
  sql: Sql,
  shard: number,
  before: Date,
  limit: number,
): Promise<number> {
  const result = await sql`
    delete from kernel.mails
    where shard = ${shard}
      and id = any(array(
        select id
        from kernel.mails
        where shard = ${shard}
          and created_at < ${before}
          and ended_at is not null
        order by created_at
        limit ${limit}
      ))`
  return result.count
}

export async function listShardsWithMails(sql: Sql, before: Date): Promise<number[]> {
  const rows = await sql<{ shard: number }[]>`
    select shard
    from kernel.mails
    where created_at < ${before}
      and ended_at is not null
    group by shard`
  return rows.map(({ shard }) => shard)
}

export async function listMailsWithoutJob(
  sql: Sql,
  kind: string,
  limit: number,
): Promise<Violation[]> {
  return sql`
    select mail.business_id, mail.environment, mail.id as mail_id
    from kernel.mails mail
    where mail.state = 'queued'
      and not exists (
        select 1
        from kernel.jobs job
        where job.shard = mail.shard
          and job.kind = ${kind}
          and job.unique_key = mail.id::text
          and job.dead_at is null
      )
    limit ${limit}`
}

export type MailCounts = {
  readonly byState: readonly { readonly state: MailState; readonly count: number }[]
  // When the oldest queued mail was queued.
  readonly oldestQueuedAt: Date | null
}

export async function findMailCounts(sql: Sql, since: Date): Promise<MailCounts> {
  const byState = await sql<{ state: MailState; count: number }[]>`
    select state, count(*)::integer as count
    from kernel.mails
    where (created_at >= ${since} and state <> 'queued')
      or state = 'queued'
    group by state`
  const [queued] = await sql<{ oldest: Date | null }[]>`
    select min(created_at) as oldest
    from kernel.mails
    where state = 'queued'`
  return { byState, oldestQueuedAt: queued?.oldest ?? null }
}
