import type { JSONValue } from 'postgres'
import type { Tenant } from '../basics/tenant.ts'
import type { Tx } from '../db/database.ts'
import { rawBigints } from '../money/exact-number.ts'
import type { NewEvent } from './event.ts'

export async function insertEvent(
  tx: Tx,
  tenant: Tenant,
  event: NewEvent & { id: string; createdAt: Date },
): Promise<void> {
  await tx`
    insert into kernel.events
      (business_id, environment, id, service, type, object_id, data, created_at)
    values
      (${tenant.businessId}, ${tenant.environment}, ${event.id}, ${event.service}, ${event.type},
       ${event.objectId}, ${tx.json(rawBigints(event.data) as JSONValue)}, ${event.createdAt})`
}
