// Webhooks as rows: written in the transaction of the change, and claimed by the sender afterwards.
// A claim marks the row as sent before anything is sent: the provider does not retry, and a crash
// in between loses the webhook, as there.
import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type NewWebhook = {
  readonly event: string
  readonly reference: string
  readonly body: string
  readonly waitsForNext: boolean
  readonly dueAt: Date | null
  readonly createdAt: Date
}

export async function insertWebhook(tx: Tx, tenant: Tenant, webhook: NewWebhook): Promise<bigint> {
  const { businessId, environment } = tenant
  const [row] = await tx<{ id: bigint }[]>`
    insert into simulator.webhooks ${tx({ businessId, environment, ...webhook })}
    returning id`
  return row?.id ?? 0n
}

// A webhook that should be overtaken is sent right after the one that overtook it.
export async function updateOvertaken(
  tx: Tx,
  tenant: Tenant,
  overtakenBy: bigint,
  now: Date,
): Promise<void> {
  await tx`
    update simulator.webhooks
    set due_at = ${now},
      waits_for_next = false,
      send_order = ${overtakenBy * 2n + 1n}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and waits_for_next
      and sent_at is null`
}

export type ClaimedWebhook = {
  readonly businessId: string
  readonly environment: Environment
  readonly id: bigint
  readonly sendOrder: bigint
  readonly body: string
  readonly webhookUrl: string | null
  readonly webhookHash: string | null
}

// Of all worlds, since one sender serves them; these tables are never distributed.
export async function updateDueToSent(tx: Tx, now: Date, limit: number): Promise<ClaimedWebhook[]> {
  const rows = await tx<ClaimedWebhook[]>`
    update simulator.webhooks as webhook
    set sent_at = ${now}
    from (
      select business_id, environment, id
      from simulator.webhooks
      where sent_at is null
        and due_at <= ${now}
      order by coalesce(send_order, id * 2)
      limit ${limit}
      for update skip locked
    ) as due
    join simulator.worlds as world using (business_id, environment)
    where webhook.business_id = due.business_id
      and webhook.environment = due.environment
      and webhook.id = due.id
    returning webhook.business_id, webhook.environment, webhook.id, webhook.body,
      coalesce(webhook.send_order, webhook.id * 2) as send_order,
      world.webhook_url, world.webhook_hash`
  return rows.toSorted((left, right) => (left.sendOrder < right.sendOrder ? -1 : 1))
}

export async function updateSendOutcome(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
  outcome: { statusCode: number | null; error: string | null },
): Promise<void> {
  await sql`
    update simulator.webhooks
    set status_code = ${outcome.statusCode},
      error = ${outcome.error}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export type WebhookRow = {
  readonly id: bigint
  readonly event: string
  readonly reference: string
  readonly body: string
  readonly dueAt: Date | null
  readonly sentAt: Date | null
  readonly statusCode: number | null
  readonly error: string | null
}

export async function listWebhooks(
  sql: Sql | Tx,
  tenant: Tenant,
  reference: string | undefined,
): Promise<WebhookRow[]> {
  return sql<WebhookRow[]>`
    select id, event, reference, body, due_at, sent_at, status_code, error
    from simulator.webhooks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${reference ?? null}::text is null or reference = ${reference ?? null})
    order by id`
}

// Sends a withheld webhook, or sends one again.
export async function updateWebhookDue(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update simulator.webhooks
    set due_at = ${now},
      sent_at = null,
      waits_for_next = false
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return rows.count === 1
}
