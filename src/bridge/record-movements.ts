// Records the movements of the merchant ledger in the books. The ledger is append-only and contains
// every movement once, including those without a documented event.
//
// An entry can be committed after another with a later id, so entries are read more than once. Each
// read starts a minute back (`nearFrom`: everything before was read at least once). Once a minute,
// the entries from ten minutes back until there are read again (`lookFrom`: everything before is
// complete). Once a day, that position is set back by some days. Entries that are already recorded
// are skipped, so nothing is lost and nothing is recorded twice.
//
// Entries are read in pages, and both positions are stored with each page, so a backlog of any size
// is processed over many runs.
import type { BooksContext } from '../books/context.ts'
import type { MovementKind, NewMovement } from '../books/service-money/movement.ts'
import { insertMovements } from '../books/service-money/movement-store.ts'
import type { ServiceSettings } from '../books/service-money/service-settings.ts'
import {
  lockServiceSettings,
  updateServiceSettings,
} from '../books/service-money/service-settings-store.ts'
import { assert } from '../kernel/basics/assert.ts'
import { addSeconds } from '../kernel/basics/clock.ts'
import { lowestUuidAt } from '../kernel/basics/id.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Tx } from '../kernel/db/database.ts'
import {
  findLedgerPage,
  type LedgerMovement,
  listLedgerMovements,
} from './movement-source-store.ts'

const pageSize = 500
const minute = 60
const day = 24 * 3600
const nearSeconds = minute
export const pollEverySeconds = minute
// A statement ends after thirty seconds, and money moves in a few of them. The clocks of several
// processes can differ a little.
const overlapSeconds = 10 * minute
export const lookBackEverySeconds = day
const lookBackSeconds = 3 * day

// Where the next page starts, in new or in older entries.
export type Place = {
  readonly isFar: boolean
  readonly from: string
  // A different start day starts over.
  readonly since: Date
}

// Returns where to continue, or undefined if everything due has been read.
export async function recordPage(
  context: BooksContext,
  tenant: Tenant,
  place: Place | undefined,
): Promise<Place | undefined> {
  const page = await context.database.transaction((tx) => record(tx, context, tenant, place))
  if (page.recorded > 0) context.failpoint('movement.taken')
  return page.place
}

type Recorded = { readonly recorded: number; readonly place: Place | undefined }

async function record(
  tx: Tx,
  context: BooksContext,
  tenant: Tenant,
  place: Place | undefined,
): Promise<Recorded> {
  const settings = await lockServiceSettings(tx, tenant)
  const isAnother = place && place.since.getTime() !== settings?.since.getTime()
  if (!settings?.isOn || isAnother) return { recorded: 0, place: undefined }
  const { since, nearFrom } = settings
  const isFar = place?.isFar ?? false
  const page = await findLedgerPage(tx, tenant, {
    from: place?.from ?? nearFrom,
    before: isFar ? nearFrom : undefined,
    since,
    limit: pageSize,
  })
  const found = await listMovements(tx, tenant, page.untakenIds)
  if (found.length > 0) await insertMovements(tx, tenant, found, context.clock.now())
  const moved = isFar ? farMoved : nearMoved
  const { changes, next } = moved(settings, context.clock.now(), page.next)
  if (Object.keys(changes).length > 0) await updateServiceSettings(tx, tenant, changes)
  if (found.length > 0) context.failpoint('movement.taking')
  return { recorded: found.length, place: next && { ...next, since } }
}

async function listMovements(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<NewMovement[]> {
  if (ids.length === 0) return []
  const found = await listLedgerMovements(tx, tenant, ids)
  // The second would have the id of the first, and be lost.
  const isOneEach = new Set(found.map(({ id }) => id)).size === found.length
  assert(isOneEach, 'an entry of the merchant ledger moves money in two currencies')
  return found.map(movementOf)
}

type Moved = {
  readonly changes: Partial<ServiceSettings>
  readonly next: Omit<Place, 'since'> | undefined
}

// New entries were read, up to an entry or to the end. At the end, older entries may be due.
function nearMoved(settings: ServiceSettings, now: Date, last: string | undefined): Moved {
  const reached = earlier(last, lowestUuidAt(addSeconds(now, -nearSeconds)))
  const isFurther = reached > settings.nearFrom
  const changes = isFurther ? { nearFrom: reached } : {}
  if (last !== undefined) return { changes, next: { isFar: false, from: last } }
  const isBack = settings.lookedBackAt <= addSeconds(now, -lookBackEverySeconds)
  if (!isBack && settings.lookedAt > addSeconds(now, -pollEverySeconds)) {
    return { changes, next: undefined }
  }
  if (!isBack) return { changes, next: { isFar: true, from: settings.lookFrom } }
  const lookFrom = earlier(settings.lookFrom, lowestUuidAt(addSeconds(now, -lookBackSeconds)))
  return {
    changes: { ...changes, lookFrom, lookedBackAt: now },
    next: { isFar: true, from: lookFrom },
  }
}

// Older entries were read. Some may still be committed.
function farMoved(settings: ServiceSettings, now: Date, last: string | undefined): Moved {
  const done = earlier(settings.nearFrom, lowestUuidAt(addSeconds(now, -overlapSeconds)))
  const reached = earlier(last, done)
  const changes = {
    ...(reached > settings.lookFrom && { lookFrom: reached }),
    ...(last === undefined && { lookedAt: now }),
  }
  return { changes, next: last === undefined ? undefined : { isFar: true, from: last } }
}

function earlier(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other
}

const kinds: Readonly<Record<string, MovementKind>> = {
  'charge.succeeded': 'collected',
  'charge.reversed': 'collection_reversed',
  'charge.restored': 'collection_restored',
  'refund.accepted': 'refunded',
  'refund.reversed': 'refund_reversed',
  'chargeback.opened': 'charged_back',
  'chargeback.won': 'chargeback_won',
  'payout.completed': 'paid_out',
  'payout.reversed': 'payout_reversed',
  'payout.restored': 'payout_restored',
}

// A provider that changes its answer again causes `charge.reversed.2`.
function movementOf({ kind, sourceId, ...movement }: LedgerMovement): NewMovement {
  const plain = kind.replace(/\.\d+$/, '')
  return { ...movement, kind: kinds[plain] ?? 'other', objectId: sourceId ?? movement.id }
}
