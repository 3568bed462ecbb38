// The statements of the job queue. Outcomes are written only if the claim id still matches, so a
// worker that lost its lease can't change a job that it no longer holds. Times come from the
// caller, so that no statement needs a volatile function.
import type { Environment } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'

export type NewJob = {
  readonly shard: number
  readonly id: string
  readonly businessId: string | null
  readonly environment: Environment | null
  readonly kind: string
  readonly payload: unknown
  readonly uniqueKey: string | null
  readonly runAt: Date
  readonly createdAt: Date
}

export type ClaimedJob = {
  readonly shard: number
  readonly id: string
  readonly businessId: string | null
  readonly environment: Environment | null
  readonly kind: string
  readonly payload: unknown
  // Includes the attempt of this claim.
  readonly attempts: number
  readonly claimId: string
  readonly leaseUntil: Date
  readonly createdAt: Date
}

export async function insertJob(tx: Tx, job: NewJob): Promise<boolean> {
  const result = await tx`
    insert into kernel.jobs (
      shard, id, business_id, environment, kind, payload, unique_key, run_at, attempts, created_at
    )
    values (
      ${job.shard}, ${job.id}, ${job.businessId}, ${job.environment}, ${job.kind},
      ${tx.json(job.payload)}, ${job.uniqueKey}, ${job.runAt}, 0,
      ${job.createdAt}
    )
    on conflict (shard, business_id, environment, kind, unique_key)
      where unique_key is not null and dead_at is null
      do nothing`
  return result.count === 1
}

// Shards in which a claim would find jobs. It takes no lock, so it can look across all shards; the
// claim decides. Kinds that this process does not know are left to a newer one.
export async function listDueShards(sql: Sql, kinds: string[], now: Date): Promise<number[]> {
  const rows = await sql<{ shard: number }[]>`
    select shard
    from kernel.jobs
    where dead_at is null
      and run_at <= ${now}
      and (lease_until is null or lease_until <= ${now})
      and kind = any(${kinds}::text[])
    group by shard`
  return rows.map((row) => row.shard)
}

export type ClaimRequest = {
  readonly shard: number
  readonly claimId: string
  readonly leases: readonly { readonly kind: string; readonly until: Date }[]
  readonly now: Date
  readonly limit: number
}

// `skip locked` lets workers claim side by side. The array makes the sub-select run exactly once;
// as a join it could run again and lock more rows than the limit.
export async function lockDueJobs(sql: Sql, request: ClaimRequest): Promise<ClaimedJob[]> {
  const kinds = request.leases.map((lease) => lease.kind)
  const untils = request.leases.map((lease) => lease.until.toISOString())
  return sql<ClaimedJob[]>`
    update kernel.jobs
    set claim_id = ${request.claimId},
      lease_until = lease.until,
      attempts = jobs.attempts + 1
    from unnest(${kinds}::text[], ${untils}::timestamptz[]) as lease (kind, until)
    where jobs.shard = ${request.shard}
      and jobs.kind = lease.kind
      and jobs.id = any(array(
        select due.id
        from kernel.jobs due
        where due.shard = ${request.shard}
          and due.dead_at is null
          and due.run_at <= ${request.now}
          and (due.lease_until is null or due.lease_until <= ${request.now})
          and due.kind = any(${kinds}::text[])
        order by due.run_at
        limit ${request.limit}
        for update skip locked
      ))
    returning jobs.shard, jobs.id, jobs.business_id, jobs.environment, jobs.kind, jobs.payload,
      jobs.attempts, jobs.claim_id, jobs.lease_until, jobs.created_at`
}

export async function updateJobLease(sql: Sql, claim: ClaimedJob, until: Date): Promise<boolean> {
  const result = await sql`
    update kernel.jobs
    set lease_until = ${until}
    where shard = ${claim.shard}
      and id = ${claim.id}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

// A completed job leaves the table.
export async function deleteJob(sql: Sql, claim: ClaimedJob): Promise<boolean> {
  const result = await sql`
    delete from kernel.jobs
    where shard = ${claim.shard}
      and id = ${claim.id}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

export async function updateJobToRetry(
  sql: Sql,
  claim: ClaimedJob,
  runAt: Date,
  error: string,
): Promise<boolean> {
  const result = await sql`
    update kernel.jobs
    set run_at = ${runAt},
      claim_id = null,
      lease_until = null,
      last_error = ${error}
    where shard = ${claim.shard}
      and id = ${claim.id}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

// Returns the job for later, without an attempt.
export async function updateJobToWaiting(
  sql: Sql,
  claim: ClaimedJob,
  runAt: Date,
): Promise<boolean> {
  const result = await sql`
    update kernel.jobs
    set run_at = ${runAt},
      attempts = attempts - 1,
      claim_id = null,
      lease_until = null
    where shard = ${claim.shard}
      and id = ${claim.id}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

export async function updateJobToDead(
  sql: Sql,
  claim: ClaimedJob,
  deadAt: Date,
  error: string,
): Promise<boolean> {
  const result = await sql`
    update kernel.jobs
    set dead_at = ${deadAt},
      claim_id = null,
      lease_until = null,
      last_error = ${error}
    where shard = ${claim.shard}
      and id = ${claim.id}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

// Returns the job without an attempt: the attempt that the claim counted is subtracted.
export async function updateJobToReleased(sql: Sql, claim: ClaimedJob): Promise<boolean> {
  const result = await sql`
    update kernel.jobs
    set attempts = attempts - 1,
      claim_id = null,
      lease_until = null
    where shard = ${claim.shard}
      and id = ${claim.id}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

export type QueueHealth = {
  // Not dead: waiting, due or running.
  readonly pending: number
  readonly due: number
  readonly running: number
  readonly dead: number
  // How long the most overdue job has been waiting; 0 if none is due. Set alerts on this.
  readonly oldestDueAgeSeconds: number
}

export async function findQueueHealth(sql: Sql, now: Date): Promise<QueueHealth> {
  const [row] = await sql<(Omit<QueueHealth, 'oldestDueAgeSeconds'> & { oldest: Date | null })[]>`
    select
      (count(*) filter (where dead_at is null))::integer as pending,
      (count(*) filter (where due))::integer as due,
      (count(*) filter (where lease_until > ${now}))::integer as running,
      (count(*) filter (where dead_at is not null))::integer as dead,
      min(run_at) filter (where due) as oldest
    from (
      select run_at, dead_at, lease_until,
        dead_at is null
          and run_at <= ${now}
          and (lease_until is null or lease_until <= ${now}) as due
      from kernel.jobs
    ) as jobs`
  const { oldest = null, ...counts } = row ?? { pending: 0, due: 0, running: 0, dead: 0 }
  const ageMs = oldest ? now.getTime() - oldest.getTime() : 0
  return { ...counts, oldestDueAgeSeconds: ageMs / 1000 }
}
