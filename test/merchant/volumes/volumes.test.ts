// The figures of Home: the days of the business's time zone, against the days before.
import { expect, it } from 'vitest'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { getVolumes } from '../../../src/merchant/volumes/get-volumes.ts'
import { netMinor } from '../../../src/merchant/volumes/volume.ts'
import { allowRefunds } from '../../support/app-visitor.ts'
import { manualClock } from '../../support/clock.ts'
import { newLink, paidPayment, payment, shop } from '../../support/payments.ts'
import { member } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const day = 24 * 60 * 60
const clock = manualClock()
const world = useWorld({ clock })

// 23:30 in UTC is the next day in Lagos, an hour ahead.
const late = new Date('2026-05-15T23:30:00.000Z')

async function trade() {
  const owner = await shop(world())
  const viewer = await member(world(), owner.tenant, 'viewer')
  const volumes = (timeZone: string) =>
    runOperation(getVolumes, world().context, viewer, { timeZone })
  return { owner, volumes }
}

it('puts a payment on the day it has in the time zone', async () => {
  const { owner, volumes } = await trade()
  clock.set(late)
  await paidPayment(world(), owner)
  clock.set(addSeconds(late, day / 2))
  const dayOf = async (zone: string) => {
    const [volume] = (await volumes(zone)).currencies
    expect(volume?.current).toMatchObject({ count: 1, volumeMinor: 100_000n, feeMinor: 1500n })
    return volume?.days.find(({ count }) => count > 0)?.day
  }
  expect(await dayOf('UTC')).toBe('2026-05-15')
  expect(await dayOf('Africa/Lagos')).toBe('2026-05-16')
  const [utc] = (await volumes('UTC')).currencies
  const [lagos] = (await volumes('Africa/Lagos')).currencies
  expect([utc?.today.count, lagos?.today.count]).toEqual([0, 1])
  expect([utc?.days.length, utc?.days[0]?.day]).toEqual([30, '2026-04-17'])
  expect(utc?.daysBefore.at(-1)?.day).toBe('2026-04-16')
})

it('compares with the period before, per currency, and leaves out what is older', async () => {
  const { owner, volumes } = await trade()
  for (const [daysAgo, link] of [
    [60, {}],
    [59, { amount: 250 }],
    [30, { amount: 50 }],
    [29, { amount: 400 }],
    [0, { currency: 'USD', amount: 20 }],
  ] as const) {
    clock.set(addSeconds(late, -daysAgo * day))
    await paidPayment(world(), owner, await newLink(world(), owner, link))
  }
  const { currencies } = await volumes('UTC')
  const figures = currencies.map(({ currency, today, current, previous }) => [
    currency,
    ...[today, current, previous].map(({ volumeMinor }) => volumeMinor),
  ])
  expect(figures).toEqual([
    ['NGN', 0n, 40_000n, 30_000n],
    ['USD', 2000n, 2000n, 0n],
  ])
})

it('takes refunds off the net, and counts what failed', async () => {
  const { owner, volumes } = await trade()
  await allowRefunds(world(), owner.tenant)
  // Ids never go back in time, so neither does the clock.
  clock.set(addSeconds(late, 30 * day))
  const { id } = await paidPayment(world(), owner)
  const funds = { amount: 10_000, currency: 'NGN' }
  await world().simulator.control(owner.tenant, 'POST', '/fund', funds)
  const refund = { key: owner.key, body: { amount: 30_000 } }
  const answer = await world().call('POST', `/merchant/api/v1/payments/${id}/refund`, refund)
  expect(answer.status).toBe(200)
  // One that failed, and one that has not ended.
  const failed = await payment(world(), owner)
  await payment(world(), owner)
  await world().database.sql`
    update merchant.payments
    set status = 'failed',
      failure_reason = 'declined'
    where business_id = ${owner.tenant.businessId}
      and id = ${failed.id}`
  const { currencies, outcomes } = await volumes('UTC')
  const [volume] = currencies
  expect(volume?.today).toMatchObject({ refundMinor: 30_000n })
  expect(volume && netMinor(volume.today)).toBe(100_000n - 1500n - 30_000n)
  expect(outcomes).toEqual({
    current: { succeeded: 1, failed: 1 },
    previous: { succeeded: 0, failed: 0 },
  })
})
