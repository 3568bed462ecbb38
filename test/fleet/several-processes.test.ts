// Three api and three worker processes share one database and one Redis. While merchants and payers
// are busy, processes die, all are restarted in turn, and the database and Redis go away for a
// while: nothing is lost and nothing happens twice.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checkInvariants } from '../support/invariants.ts'
import { startFleet } from './fleet.ts'
import { expectNothingLostOrDoubled, newMerchant, roundsOfAll, trade } from './traffic.ts'

const merchants = 3

test('nothing is lost or done twice while processes, database and Redis come and go', async () => {
  const fleet = await startFleet()
  await Promise.all(
    (['api', 'worker'] as const).flatMap((role) => [1, 2, 3].map(() => fleet.start(role))),
  )
  const traders = await Promise.all(Array.from({ length: merchants }, () => newMerchant(fleet)))
  let isOver = false
  const trading = Promise.all(traders.map((one) => trade(fleet, one, () => isOver)))
  try {
    await kill(['worker', 'api', 'worker', 'api'])
    await fleet.redis.kill()
    await roundsOfAll(traders)
    await fleet.redis.restart()
    await fleet.wayToDatabase.stop()
    await pause(2000)
    await fleet.wayToDatabase.start()
    await roundsOfAll(traders)
    for (const member of fleet.members()) await fleet.replace(member, 'SIGTERM')
    await kill(['api', 'worker'])
  } finally {
    isOver = true
    await trading
  }
  // Refunds whose outcome is not known are given up after a day.
  await fleet.settle(30)
  for (const one of traders) await expectNothingLostOrDoubled(fleet, one)
  const { database, context } = fleet.world
  const checked = await checkInvariants(database, context.clock.now())
  expect(checked.filter(({ violations }) => violations.length > 0)).toEqual([])
  const dead = await database.sql`
    select kind, last_error
    from kernel.jobs
    where dead_at is not null`
  expect([...dead]).toEqual([])
  // Some were refunded while all this went on.
  expect(traders.flatMap(({ refunded }) => [...refunded]).length).toBeGreaterThan(0)

  async function kill(roles: readonly ('api' | 'worker')[]) {
    for (const role of roles) {
      await roundsOfAll(traders)
      const alike = fleet.members().filter((member) => member.role === role)
      const member = alike[Math.floor(Math.random() * alike.length)]
      if (member) await fleet.replace(member, 'SIGKILL')
    }
  }
})
