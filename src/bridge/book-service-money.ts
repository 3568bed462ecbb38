// Between the two services: whatever makes what the payment service holds for a business more or
// less is taken down in the books, and booked there. The services do not know each other; this
// stands above both.
//
// The payment service does nothing for it: its ledger is read, which is append-only and has every
// movement once, also those of which no event is documented. An entry may be committed after
// another with a later id, so what was looked at is looked at again: the last minute each time,
// once a minute for longer than a transaction lasts, and once a day for some days. What is there
// already is left out. Nothing is lost then, and nothing is taken down twice.
import type { BooksContext } from '../books/context.ts'
import { bookDueMovements } from '../books/service-money/book-movement.ts'
import type { MovementKind, NewMovement } from '../books/service-money/movement.ts'
import { insertMovements } from '../books/service-money/movement-store.ts'
import {
  lockServiceSettings,
  updateServiceSettings,
} from '../books/service-money/service-settings-store.ts'
import { addSeconds } from '../kernel/basics/clock.ts'
import { lowestUuidAt } from '../kernel/basics/id.ts'
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Tx } from '../kernel/db/database.ts'
import { defineSchedule } from '../kernel/jobs/schedule.ts'
import { type LedgerMovement, listTenantsToTake, listUntaken } from './movement-source-store.ts'

const batchSize = 500
const minute = 60
const day = 24 * 3600
const nearSeconds = minute
const lookEverySeconds = minute
// A statement ends after thirty seconds and money moves in a few of them; clocks of several
// processes may differ by some.
const overlapSeconds = 10 * minute
const lookBackEverySeconds = day
const lookBackSeconds = 3 * day

export const bookServiceMoneySchedule = defineSchedule({
  name: 'book-service-money',
  everySeconds: 10,
  run: (context: BooksContext, signal) => bookServiceMoney(context, signal),
})

async function bookServiceMoney(context: BooksContext, signal: AbortSignal): Promise<void> {
  const { database, clock } = context
  const now = clock.now()
  const tenants = await listTenantsToTake(database.sql, {
    lookedAt: addSeconds(now, -lookEverySeconds),
    lookedBackAt: addSeconds(now, -lookBackEverySeconds),
  })
  const failures: unknown[] = []
  for (const tenant of tenants) {
    try {
      await takeAll(context, tenant, signal)
    } catch (error) {
      // One business must not hold up the others; the schedule tells of it, and tries again.
      failures.push(error)
    }
  }
  await bookDueMovements(context, signal)
  if (failures.length > 0) throw failures[0]
}

async function takeAll(context: BooksContext, tenant: Tenant, signal: AbortSignal): Promise<void> {
  for (let taken = batchSize; taken === batchSize && !signal.aborted; ) {
    taken = await context.database.transaction((tx) => takeMovements(tx, context, tenant))
    if (taken > 0) context.failpoint('movement.taken')
  }
}

// Returns how many were taken down.
async function takeMovements(tx: Tx, context: BooksContext, tenant: Tenant): Promise<number> {
  const settings = await lockServiceSettings(tx, tenant)
  if (!settings?.isOn) return 0
  const now = context.clock.now()
  const isLookingBack = settings.lookedBackAt <= addSeconds(now, -lookBackEverySeconds)
  const isFar = isLookingBack || settings.lookedAt <= addSeconds(now, -lookEverySeconds)
  const from = isFar ? settings.lookFrom : settings.nearFrom
  const farBack = lowestUuidAt(addSeconds(now, -lookBackSeconds))
  const found = await listUntaken(tx, tenant, {
    from: isLookingBack && farBack < from ? farBack : from,
    since: settings.since,
    limit: batchSize,
  })
  if (found.length > 0) await insertMovements(tx, tenant, found.map(movementOf), now)
  if (isFar && found.length < batchSize) {
    await updateServiceSettings(tx, tenant, {
      lookFrom: later(settings.lookFrom, lowestUuidAt(addSeconds(now, -overlapSeconds))),
      nearFrom: later(settings.nearFrom, lowestUuidAt(addSeconds(now, -nearSeconds))),
      lookedAt: now,
      ...(isLookingBack && { lookedBackAt: now }),
    })
  }
  if (found.length > 0) context.failpoint('movement.taking')
  return found.length
}

const later = (one: string, other: string) => (one > other ? one : other)

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

// A provider that changes its mind again makes `charge.reversed.2`.
function movementOf({ kind, sourceId, ...movement }: LedgerMovement): NewMovement {
  const plain = kind.replace(/\.\d+$/, '')
  return { ...movement, kind: kinds[plain] ?? 'other', objectId: sourceId ?? movement.id }
}
