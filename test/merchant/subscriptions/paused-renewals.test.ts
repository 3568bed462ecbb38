// Renewals while payments are paused: sent ones complete, new ones wait, and no period is charged
// twice or skipped.
import { afterEach, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { lift, pause } from '../../support/pauses.ts'
import { type Shop, shop } from '../../support/payments.ts'
import {
  chargesOf,
  renewDue,
  type Subscribed,
  stateOf,
  subscribed,
} from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
const chargeCall = 'POST /tokenized-charges'
const weekly = { intervalUnit: 'week' } as const
// Its days begin an hour later.
const oneHourBehind = { ...weekly, timeZone: 'Etc/GMT+1' }

afterEach(async () => {
  await lift(world(), 'payments')
  await expectInvariants(world().database)
})

async function at(moment: string): Promise<void> {
  clock.set(new Date(moment))
  await renewDue(world())
}

const statuses = async (one: Subscribed) =>
  (await chargesOf(world(), one)).map(({ status }) => status)

// How often the card was charged for the newest period, and how often we sent that.
async function newestOf(one: Subscribed) {
  const newest = (await chargesOf(world(), one)).at(-1)
  const reference = newest?.providerReference ?? ''
  const { charge = 0 } = await world().simulator.effects(one.tenant, reference)
  const { sends } = (await stateOf(world(), one)).periods.at(-1) ?? {}
  return { charges: charge, sends }
}

// How many payments of each period there are, all of them collected.
async function charged({ businessId }: Tenant): Promise<Record<string, number>> {
  const rows = await world().database.sql<{ period: number; count: number; open: number }[]>`
    select subscription_period as period, count(*)::integer as count,
      (count(*) filter (where status <> 'succeeded'))::integer as open
    from merchant.payments
    where business_id = ${businessId}
    group by subscription_period`
  expect(rows.filter(({ open }) => open > 0)).toEqual([])
  return Object.fromEntries(rows.map(({ period, count }) => [period, count]))
}

async function subscribedMany(owner: Shop, count: number): Promise<Subscribed[]> {
  const many: Subscribed[] = []
  for (let made = 0; made < count; made += 1) {
    many.push(await subscribed(world(), oneHourBehind, owner))
  }
  return many
}

it('a charge whose answer was lost is looked up, and not sent again', async () => {
  clock.set(new Date('2027-02-01T10:00:00.000Z'))
  const lost = await subscribed(world(), weekly)
  const { rule } = world().simulator
  await rule(lost.tenant, { operation: 'webhook', effect: 'withhold' })
  await rule(lost.tenant, { operation: chargeCall, effect: 'drop_after', count: 1 })
  await at('2027-02-08T00:00:00.000Z')
  await pause(world(), 'payments', 6 * 60 * 60)
  await at('2027-02-08T00:02:00.000Z')
  expect(await statuses(lost)).toEqual(['succeeded', 'succeeded'])
  expect(await newestOf(lost)).toEqual({ charges: 1, sends: 1 })
})

it('a charge that is declined is tried again only when the pause is over', async () => {
  clock.set(new Date('2027-03-01T10:00:00.000Z'))
  const declined = await subscribed(world(), weekly)
  const decline = { operation: 'charge', effect: 'decline', count: 1 }
  await world().simulator.rule(declined.tenant, decline)
  await at('2027-03-08T00:00:00.000Z')
  await pause(world(), 'payments', 36 * 60 * 60)
  await at('2027-03-09T00:00:00.000Z')
  expect(await statuses(declined)).toEqual(['succeeded', 'failed'])
  await at('2027-03-09T12:00:00.000Z')
  expect(await statuses(declined)).toEqual(['succeeded', 'failed', 'succeeded'])
  expect(await newestOf(declined)).toEqual({ charges: 1, sends: 1 })
})

// So many take their time; the limit only ends what hangs.
const slow = { tags: ['long'], timeout: 900_000 }

it('a charge that did not get through is sent again, however many others wait', slow, async () => {
  clock.set(new Date('2027-04-01T10:00:00.000Z'))
  const lost = await subscribed(world(), weekly)
  // As many as are read at a time, and one more.
  const waiting = await subscribedMany(await shop(world()), 101)
  await world().simulator.rule(lost.tenant, { operation: chargeCall, effect: 'drop', count: 2 })
  await at('2027-04-08T00:00:00.000Z')
  await pause(world(), 'payments', 6 * 60 * 60)
  // From now on those that wait have been due for longer than the next look at the lost one.
  await at('2027-04-08T01:00:00.000Z')
  expect(await statuses(lost)).toEqual(['succeeded', 'processing'])
  await at('2027-04-08T01:11:00.000Z')
  expect(await statuses(lost)).toEqual(['succeeded', 'succeeded'])
  expect(await newestOf(lost)).toEqual({ charges: 1, sends: 3 })
  const [first] = waiting
  if (!first) throw new Error('no one waits')
  expect(await charged(first.tenant)).toEqual({ 1: 101 })
  await lift(world(), 'payments')
  await at('2027-04-08T01:12:00.000Z')
  expect(await charged(first.tenant)).toEqual({ 1: 101, 2: 101 })
  expect(await newestOf(first)).toEqual({ charges: 1, sends: 1 })
})
