// No business waits for the backlog of another.
import { expect, it } from 'vitest'
import { bookDueMovements } from '../../../src/books/service-money/book-movement.ts'
import type { NewMovement } from '../../../src/books/service-money/movement.ts'
import { insertMovements, listMovements } from '../../../src/books/service-money/movement-store.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

async function due(tenant: Tenant, count: number, day: string): Promise<void> {
  const { context, database } = world()
  const movements: NewMovement[] = Array.from({ length: count }, () => ({
    ...{ id: context.ids.uuid(), kind: 'other', objectId: context.ids.uuid(), paymentId: null },
    ...{ happenedAt: new Date(`2026-01-${day}T10:00:00Z`), currency: 'EUR', heldMinor: 100n },
    ...{ feeMinor: 0n, shareMinor: 0n, offerId: null, offerText: null },
  }))
  const now = context.clock.now()
  await database.transaction((tx) => insertMovements(tx, tenant, movements, now))
}

const bookedOf = async ({ tenant }: SettlingBooks) =>
  (await listMovements(world().database.sql, tenant, 'booked', 200)).length

it('a backlog is booked in turns', async () => {
  const made = [await settlingBooks(world()), await settlingBooks(world())]
  const [first, second] = made.sort((left, right) =>
    left.tenant.businessId < right.tenant.businessId ? -1 : 1,
  )
  if (!first || !second) throw new Error('two books are made')
  // What is older would be first, if it were not for the turns.
  await due(first.tenant, 45, '10')
  await due(second.tenant, 1, '20')
  const { context } = world()
  const stop = new AbortController()
  let bookings = 0
  const failpoint = (name: string) => {
    if (name === 'movement.booked') bookings += 1
    if (bookings === 25) stop.abort()
  }
  await bookDueMovements({ ...context, failpoint }, stop.signal)
  expect([await bookedOf(first), await bookedOf(second)]).toEqual([24, 1])
  await bookDueMovements(context, new AbortController().signal)
  expect([await bookedOf(first), await bookedOf(second)]).toEqual([45, 1])
})
