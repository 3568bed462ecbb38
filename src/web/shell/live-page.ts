// A stream of server-sent events that tells open pages to refresh themselves. Turbo then loads the
// page again and changes only what differs. A stream ends after a while, and the browser opens the
// next one with the last id that it saw, so nothing is missed in between.
import { setTimeout as wait } from 'node:timers/promises'
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { getUnreadNotices } from '../../kernel/notices/list-notices.ts'
import { type AppRoute, definePage } from './define-page.ts'
import type { Visit } from './visit.ts'

const tickMs = 500
// How often the database is asked, in ticks.
const ticksPerLook = 4
// Within the time that proxies leave a silent connection open.
const ticksMax = 50
const reconnectMs = 1000

export function livePages({ getLastChange }: AccessOperations, isOpen: () => boolean): AppRoute[] {
  return definePage({
    path: '/live',
    operation: getLastChange,
    isPassive: true,
    show: async (visit) => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
      pieces: changes(visit, () => newestOf(visit, getLastChange), isOpen),
    }),
  })
}

// What changed in the business, and what the bell of this person shows: a notice comes a moment
// after its fact.
async function newestOf(
  visit: Visit,
  getLastChange: AccessOperations['getLastChange'],
): Promise<string> {
  const change = await visit.run(getLastChange, {})
  const { count, newest } = await visit.run(getUnreadNotices, {})
  return `${change ?? ''}/${newest[0]?.id ?? ''}/${count}`
}

async function* changes(
  visit: Visit,
  readNewest: () => Promise<string>,
  isOpen: () => boolean,
): AsyncGenerator<string> {
  let seen = visit.request.headers.get('last-event-id') ?? (await readNewest())
  yield `retry: ${reconnectMs}\nid: ${seen}\ndata:\n\n`
  const { signal } = visit.request
  // No one listens any more when the visitor has left.
  for (let tick = 1; tick <= ticksMax && isOpen() && !signal.aborted; tick += 1) {
    await wait(tickMs)
    if (tick % ticksPerLook !== 0) continue
    const isStillOpen = await visit.isStillOpen()
    const newest = isStillOpen ? await readNewest() : ''
    if (isStillOpen && newest === seen) continue
    seen = newest
    yield `id: ${newest}\ndata: <turbo-stream action="refresh"></turbo-stream>\n\n`
    // The refresh leads to the sign-in.
    if (!isStillOpen) return
  }
}
