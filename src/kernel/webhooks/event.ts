// An event is written in the transaction of its change, together with a delivery for every endpoint
// that receives it. So there is no event without its change, and no change without its event.
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { shardOf } from '../jobs/job.ts'
import type { Decimal } from '../money/decimal.ts'
import { insertEvent } from './event-store.ts'

type EventValue = string | number | bigint | Decimal | boolean | null
type EventGroup = Readonly<Record<string, EventValue>>

export type NewEvent = {
  readonly service: string
  readonly type: string
  readonly objectId: string
  readonly data: Readonly<Record<string, EventValue | EventGroup | readonly EventGroup[]>>
}

export async function publish(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  event: NewEvent,
): Promise<void> {
  await insertEvent(tx, tenant, {
    ...event,
    id: context.ids.uuid(),
    createdAt: context.clock.now(),
    shard: shardOf(tenant),
    isDelivered: context.sample === undefined && !context.keepsEventsBack,
  })
  context.onPublished?.()
}
