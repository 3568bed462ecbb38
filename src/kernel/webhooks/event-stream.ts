// The events of a tenant from now on. Ids are made before their transaction commits, so a smaller
// id can appear after a larger one: each look goes back a while and skips known events. All times
// are those of the rows, since the clock of this machine may differ from the service's.
import { addMilliseconds } from '../basics/clock.ts'
import { lowestUuidAt } from '../basics/id.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'
import {
  findNewestAttemptTime,
  findNewestEventId,
  listNewEvents,
  listResentEvents,
  type StreamedEvent,
} from './event-stream-store.ts'

export type StreamItem = Tenant & { readonly event: StreamedEvent; readonly isResent: boolean }

export type EventStream = {
  // Returns the events since the last look. After a look that fails, the next one finds everything.
  look(sql: Sql): Promise<StreamItem[]>
}

// No transaction of the service is open for as long, and no two of its clocks differ by as much.
const lookBackMs = 120_000

export async function openEventStream(sql: Sql, tenant: Tenant): Promise<EventStream> {
  const events = createWindow(timeOfId(await findNewestEventId(sql, tenant)))
  const resends = createWindow((await findNewestAttemptTime(sql, tenant)) ?? new Date(0))

  // Everything is read before any event is marked as seen.
  async function look(from: Sql): Promise<StreamItem[]> {
    const made = await listNewEvents(from, tenant, lowestUuidAt(events.from()), events.known())
    const sentAgain = await listResentEvents(from, tenant, resends.from())
    const fresh = made.filter(({ id }) => events.take(id, timeOfId(id)))
    const resent = sentAgain.filter(({ deliveryId, attemptNumber, attemptedAt }) =>
      resends.take(`${deliveryId}/${attemptNumber}`, attemptedAt),
    )
    return [
      ...fresh.map((event) => ({ ...tenant, event, isResent: false })),
      ...resent.map((event) => ({ ...tenant, event, isResent: true })),
    ]
  }

  // Existing events are not new.
  await look(sql)
  return { look }
}

// The events seen recently.
function createWindow(newest: Date) {
  let latest = newest
  const seen = new Map<string, Date>()
  const from = () => addMilliseconds(latest, -Math.min(lookBackMs, latest.getTime()))
  return {
    from,
    known: () => [...seen.keys()],
    // False if it was seen before.
    take(key: string, at: Date): boolean {
      if (seen.has(key)) return false
      seen.set(key, at)
      if (at > latest) {
        latest = at
        for (const [old, time] of seen) if (time < from()) seen.delete(old)
      }
      return true
    },
  }
}

function timeOfId(id: string | undefined): Date {
  return new Date(id === undefined ? 0 : Number.parseInt(id.replace('-', '').slice(0, 12), 16))
}
