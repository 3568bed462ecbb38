// `npm run test:upgrade -- COMMIT`: processes of an older version, built from that commit, are
// replaced one after the other by those of this version, while merchants and payers are busy.
import { expect, test } from 'vitest'
import { checkInvariants } from '../support/invariants.ts'
import { checkout } from '../support/processes.ts'
import { startFleet } from './fleet.ts'
import { expectNothingLostOrDoubled, newMerchant, roundsOfAll, trade } from './traffic.ts'

test('an upgrade in turn loses nothing and does nothing twice', async () => {
  const older = process.env.OLDER_HOME ?? ''
  const fleet = await startFleet()
  await fleet.world.database.sql.unsafe(
    'drop schema if exists kernel, merchant, books, simulator cascade',
  )
  for (const role of ['api', 'worker', 'api', 'worker'] as const) await fleet.start(role, older)
  const [first, ...others] = fleet.members()
  if (first) await fleet.replace(first, 'SIGTERM', checkout)
  // This version has migrated the database, and most processes are of the older one.
  const traders = await Promise.all([1, 2, 3].map(() => newMerchant(fleet)))
  let isOver = false
  const trading = Promise.all(traders.map((one) => trade(fleet, one, () => isOver)))
  try {
    await roundsOfAll(traders)
    for (const member of others) {
      await fleet.replace(member, 'SIGTERM', checkout)
      // Both versions work on one database for a while.
      await roundsOfAll(traders)
    }
  } finally {
    isOver = true
    await trading
  }
  await fleet.settle(30)
  for (const one of traders) await expectNothingLostOrDoubled(fleet, one)
  const { database, context } = fleet.world
  const checked = await checkInvariants(database, context.clock.now())
  expect(checked.filter(({ violations }) => violations.length > 0)).toEqual([])
})
