// Endpoints and events for tests of webhooks.
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { endpointSecretRow, newEndpointSecret } from '../../src/kernel/webhooks/endpoint.ts'
import { insertEndpoint } from '../../src/kernel/webhooks/endpoint-store.ts'
import { publish } from '../../src/kernel/webhooks/event.ts'
import { handOut } from './run-log.ts'
import type { World } from './world.ts'

export type TestEndpoint = { readonly id: string; readonly secret: string }

// As a service would, without asking whether the address may be sent to.
export async function newEndpoint(
  { context, database }: World,
  tenant: Tenant,
  url: string,
  service: 'merchant' | 'books' = 'merchant',
  eventTypes: readonly string[] | null = null,
): Promise<TestEndpoint> {
  const id = context.ids.uuid()
  const secret = newEndpointSecret(context.ids)
  handOut(secret)
  const secretSealed = context.secrets.seal(secret, endpointSecretRow(id))
  const createdAt = context.clock.now()
  await database.transaction((tx) =>
    insertEndpoint(tx, tenant, {
      ...{ id, service, url, eventTypes, createdAt, secretSealed },
    }),
  )
  return { id, secret }
}

// An event of something that is not there, for tests that look at its way only.
export async function newEvent(
  { context, database }: World,
  tenant: Tenant,
  event: { service?: string; type?: string; data?: Record<string, string | bigint> } = {},
): Promise<string> {
  const objectId = context.ids.uuid()
  const { service = 'merchant', type = 'payment.test', data = { id: objectId } } = event
  await database.transaction((tx) =>
    publish(tx, context, tenant, { service, type, objectId, data }),
  )
  return objectId
}

export type StoredAttempt = {
  deliveryId: string
  attemptNumber: number
  isManual: boolean
  attemptedAt: Date
  statusCode: number | null
  error: string | null
  nextRetryAt: Date | null
  deadLettered: boolean
}

export async function attemptsOf({ database }: World, tenant: Tenant): Promise<StoredAttempt[]> {
  return database.sql<StoredAttempt[]>`
    select delivery_id, attempt_number, is_manual, attempted_at, status_code, error, next_retry_at,
      dead_lettered
    from kernel.webhook_attempts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by attempted_at, delivery_id, attempt_number`
}

export async function deliveriesOf({ database }: World, tenant: Tenant) {
  return database.sql<{ id: string; endpointId: string; state: string; isQueued: boolean }[]>`
    select delivery.id, delivery.endpoint_id, queue.delivery_id is not null as is_queued,
      case
        when delivery.stopped_as is not null then delivery.stopped_as
        when queue.scheduled_at is not null and queue.run_at = 'infinity' then 'held'
        when queue.scheduled_at is not null then 'open'
        when exists (
          select from kernel.webhook_attempts attempt
          where attempt.business_id = delivery.business_id
            and attempt.delivery_id = delivery.id
            and attempt.succeeded
        ) then 'delivered'
        else 'lost'
      end as state
    from kernel.webhook_deliveries delivery
    left join kernel.webhook_queue queue
      on queue.business_id = delivery.business_id
      and queue.delivery_id = delivery.id
    where delivery.business_id = ${tenant.businessId}
      and delivery.environment = ${tenant.environment}
    order by delivery.id`
}
