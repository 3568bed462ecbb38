// A large backlog of one business is recorded in pages, and no other business waits for it.

import { afterEach, beforeEach, expect, it } from 'vitest'
import { setServiceMoney } from '../../src/books/service-money/set-service-money.ts'
import { bookServiceMoneySchedule } from '../../src/bridge/book-service-money.ts'
import { findLedgerPage } from '../../src/bridge/movement-source-store.ts'
import { recordPage } from '../../src/bridge/record-movements.ts'
import { lowestUuidAt } from '../../src/kernel/basics/id.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { post } from '../../src/kernel/ledger/ledger.ts'
import { posting } from '../../src/kernel/ledger/posting.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../support/clock.ts'
import { type Books, newBooks } from '../support/documents.ts'
import { expectInvariants } from '../support/invariants.ts'
import { useWorld } from '../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
const minute = 60_000

// In the order in which they are looked at.
let first: Books
let second: Books

beforeEach(async () => {
  const made = [await newBooks(world()), await newBooks(world())]
  const [one, other] = made.sort((left, right) => (left.businessId < right.businessId ? -1 : 1))
  if (!one || !other) throw new Error('two books are made')
  first = one
  second = other
})
afterEach(async () => {
  await expectInvariants(world().database)
  // The next test looks at its own.
  for (const { owner } of [first, second]) {
    await runOperation(setServiceMoney, world().context, owner, { isOn: false })
  }
})

async function move(tenant: Tenant, count: number, currencies = ['EUR']): Promise<void> {
  const { context, database } = world()
  const { businessId, environment } = tenant
  const moved = posting({
    kind: 'opening.balance',
    lines: currencies.flatMap((currency) => [
      { account: 'provider:balance', currency, amountMinor: 1n },
      { account: 'merchant:available', currency, amountMinor: -1n },
    ]),
  })
  await database.transaction(async (tx) => {
    for (let n = 0; n < count; n += 1) await post(tx, context, { businessId, environment }, moved)
  })
}

async function taken({ businessId }: Tenant): Promise<number> {
  const [row] = await world().database.sql<{ count: number }[]>`
    select count(*)::integer as count
    from books.service_movements
    where business_id = ${businessId}`
  return row?.count ?? 0
}

// Stopped as soon as so many pages had something in them.
async function run(pages = Number.POSITIVE_INFINITY): Promise<void> {
  const stop = new AbortController()
  let seen = 0
  const failpoint = (name: string) => {
    if (name !== 'movement.taken') return
    seen += 1
    if (seen === pages) stop.abort()
  }
  await bookServiceMoneySchedule.run({ ...world().context, failpoint }, stop.signal)
}

it('takes a page of each business in turn, and goes on where it was stopped', async () => {
  await move(first, 1010)
  await move(second, 1)
  await run(2)
  expect([await taken(first), await taken(second)]).toEqual([500, 1])
  clock.advance(2 * minute)
  await run(1)
  // A page begins with the last entry of the one before.
  expect(await taken(first)).toBe(999)
  await run(1)
  expect(await taken(first)).toBe(1010)
})

it('looks at as many entries as were asked for, also where all of them were taken down', async () => {
  await move(first, 25)
  const { context, database } = world()
  const { businessId, environment } = first
  const tenant = { businessId, environment }
  const since = new Date(clock.now().getTime() - minute)
  const look = (from: string, before?: string) =>
    database.transaction((tx) => findLedgerPage(tx, tenant, { from, before, since, limit: 10 }))
  const page = await look(lowestUuidAt(since))
  expect(page.untakenIds).toHaveLength(10)
  expect(page.next).toBe(page.untakenIds.at(-1))
  await recordPage(context, tenant, undefined)
  expect(await taken(first)).toBe(25)
  expect(await look(lowestUuidAt(since))).toEqual({ untakenIds: [], next: page.next })
  expect(await look(lowestUuidAt(since), page.next)).toEqual({ untakenIds: [], next: undefined })
})

it('keeps on taking down what comes while someone names another day', async () => {
  await move(first, 510)
  const { context } = world()
  const { businessId, environment, owner } = first
  const tenant = { businessId, environment }
  const place = await recordPage(context, tenant, undefined)
  await runOperation(setServiceMoney, context, owner, { from: '2026-01-01' })
  expect(await recordPage(context, tenant, place)).toBeUndefined()
  expect(await taken(first)).toBe(500)
  await run(1)
  expect(await taken(first)).toBe(510)
})

it('refuses an entry in two currencies aloud, and takes down those of others', async () => {
  await move(first, 1, ['EUR', 'USD'])
  await move(second, 1)
  await expect(run()).rejects.toThrow('moves money in two currencies')
  expect([await taken(first), await taken(second)]).toEqual([0, 1])
})
