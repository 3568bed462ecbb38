// The sums of a page, which the database adds up, agree with the rows of the list.
import { expect, it } from 'vitest'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { getSettlementSummary } from '../../../src/merchant/settlements/get-settlement-summary.ts'
import { listSettlements } from '../../../src/merchant/settlements/list-settlements.ts'
import type { Settlement } from '../../../src/merchant/settlements/settlement.ts'
import { addToTotals, type Totals } from '../../../src/merchant/settlements/settlement-totals.ts'
import { allowRefunds } from '../../support/app-visitor.ts'
import { manualClock } from '../../support/clock.ts'
import { newLink, paidPayment, shop } from '../../support/payments.ts'
import { member } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2026-05-15T12:00:00.000Z'))
const world = useWorld({ clock })
const day = 24 * 60 * 60

it('agrees with the rows, in every period', async () => {
  const owner = await shop(world())
  await allowRefunds(world(), owner.tenant)
  for (const link of [{}, { amount: 250.5 }, { currency: 'USD', amount: 40 }]) {
    const page = await newLink(world(), owner, link)
    const { id } = await paidPayment(world(), owner, page)
    const funds = { amount: 10_000, currency: 'NGN' }
    await world().simulator.control(owner.tenant, 'POST', '/fund', funds)
    const refund = await world().call('POST', `/merchant/api/v1/payments/${id}/refund`, {
      key: owner.key,
      body: { amount: 15_000 },
    })
    expect(refund.status).toBe(link.currency === 'USD' ? 400 : 200)
    clock.set(addSeconds(clock.now(), 3 * day))
  }
  const viewer = await member(world(), owner.tenant, 'viewer')
  const dayBefore = (days: number) =>
    addSeconds(clock.now(), -days * day)
      .toISOString()
      .slice(0, 10)
  const counts: number[] = []
  const refunded: boolean[] = []
  for (const wanted of [{}, { from: dayBefore(6) }, { to: dayBefore(20), from: dayBefore(30) }]) {
    const { context } = world()
    const { totals, newest, from, to } = await runOperation(
      getSettlementSummary,
      context,
      viewer,
      wanted,
    )
    const listed = await runOperation(listSettlements, context, viewer, wanted)
    const rows: Settlement[] = []
    for await (const page of listed.pages) rows.push(...page)
    const sums: Totals = new Map()
    for (const row of rows) addToTotals(sums, row)
    const expected = [...sums].map(([currency, total]) => ({ currency, ...total }))
    expect(totals).toEqual(
      expected.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
    )
    expect(newest).toEqual(rows.toReversed())
    expect([from, to]).toEqual([listed.from, listed.to])
    counts.push(rows.length)
    refunded.push(totals.some(({ refundedMinor }) => refundedMinor > 0n))
  }
  expect(counts).toEqual([3, 2, 0])
  expect(refunded).toEqual([true, true, false])
})
