// The events of a tenant from now on. Ids are made before their transaction commits, so a smaller
// one may turn up after a greater one: each look goes back a while, and what is known is left out.
// All times are those of the rows, since the clock of this machine may be another than that of the
// service.
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
  // What has come since the last look. One that fails has seen nothing: the next finds it all.
  look(sql: Sql): Promise<StreamItem[]>
}

// No transaction of the service is open for as long, and no two of its clocks differ by as much.
const lookBackMs = 120_000

export async function openEventStream(sql: Sql, tenant: Tenant): Promise<EventStream> {
  const events = createWindow(timeOfId(await findNewestEventId(sql, tenant)))
  const resends = createWindow((await findNewestAttemptTime(sql, tenant)) ?? new Date(0))

  // Everything is read before any of it is marked as seen.
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

  // What is there already is no news.
  await look(sql)
  return { look }
}

// What was seen lately.
function createWindow(newest: Date) {
  let latest = newest
  const seen = new Map<string, Date>()
  const from = () => addMilliseconds(latest, -Math.min(lookBackMs, latest.getTime()))
  return {
    from,
    known: () => [...seen.keys()],
    // False when it was taken before.
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
