// A subscriber replaces the card: the check is refunded, the old card stays until the new one
// works, and no period is charged twice or on the wrong card.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { lift, pause } from '../../support/pauses.ts'
import { balancesOf, eventsOf, pressPay } from '../../support/payments.ts'
import { cardChecksOf, changedCard, changingCard, ownPage } from '../../support/subscriber-page.ts'
import {
  cancel,
  cancelAll,
  chargesOf,
  paying,
  renewDue,
  type Subscribed,
  stateOf,
  subscribed,
  subscription,
} from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const start = new Date('2027-01-31T10:00:00.000Z')
const clock = manualClock(start)
const world = useWorld({ clock })
const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs

beforeEach(() => clock.set(start))
afterEach(() => expectInvariants(world().database))
afterEach(() => cancelAll(world()))

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await renewDue(world())
}

const rule = (one: Subscribed, order: Record<string, unknown>) =>
  world().simulator.rule(one.tenant, order)
const loseAnswer = async (one: Subscribed, effect: 'drop' | 'drop_after') => {
  await rule(one, { operation: 'webhook', effect: 'withhold' })
  await rule(one, { operation: 'POST /tokenized-charges', effect, count: 1 })
}
const settleRefunds = () =>
  resolveRefundsSchedule.run(world().context, new AbortController().signal)

// The last digits of the card of each charge, as the provider told them.
async function cardsOf(one: Subscribed): Promise<(string | null)[]> {
  const rows = await world().database.sql<{ cardLast4: string | null }[]>`
    select card_last4
    from merchant.payments
    where business_id = ${one.tenant.businessId}
      and environment = ${one.tenant.environment}
      and subscription_id = ${one.id}
    order by id`
  return rows.map(({ cardLast4 }) => cardLast4)
}

describe('a new card', () => {
  it('is charged from the next period on, and its check is refunded', async () => {
    const one = await subscribed(world())
    const before = await balancesOf(world(), one.tenant)
    const { text } = await changedCard(world(), one)
    expect(text).toContain('Your card is changed')
    expect(text).toContain('Visa •••• 4246')
    await settleRefunds()
    const [check] = await cardChecksOf(world(), one)
    expect(check).toMatchObject({ status: 'refunded', amountMinor: 10_000n, feeMinor: 0n })
    const after = await balancesOf(world(), one.tenant)
    expect(after['merchant:available NGN']).toBe(before['merchant:available NGN'])
    expect(await chargesOf(world(), one)).toHaveLength(1)
    await pass(32 * dayMs)
    expect(await cardsOf(one)).toEqual(['4667', '4246'])
    expect(await stateOf(world(), one)).toMatchObject({ cardLast4: '4246', status: 'active' })
  })

  it('is told to receivers as a payment of no period and its refund', async () => {
    const one = await subscribed(world())
    await changedCard(world(), one)
    await settleRefunds()
    const [check] = await cardChecksOf(world(), one)
    const told = (await eventsOf(world(), one.tenant)).filter(
      (event) => event.objectId === check?.id,
    )
    expect(told).toMatchObject([
      { type: 'payment.succeeded', data: { payment_link_id: null, qr_code_id: null } },
      { type: 'payment.refunded', data: { fully_refunded: true } },
    ])
    expect(told[0]?.data).not.toHaveProperty('subscription_id')
  })

  it('is not refunded by hand while the refund is on its way', async () => {
    const one = await subscribed(world())
    await changedCard(world(), one)
    const [check] = await cardChecksOf(world(), one)
    const path = `/merchant/api/v1/payments/${check?.id}/refund`
    const answer = await world().call('POST', path, { key: one.key, body: {} })
    expect(answer.status).toBe(409)
  })

  it('that is declined leaves the old one, which is still charged', async () => {
    const one = await subscribed(world())
    const { text } = await changedCard(world(), one, 'insufficient_funds')
    expect(text).toContain('Your card was not changed')
    expect(text).toContain('There was not enough money in your account. Your present card stays.')
    await pass(32 * dayMs)
    expect(await cardsOf(one)).toEqual(['4667', '4667'])
  })

  it('can be followed by another change at once', async () => {
    const one = await subscribed(world())
    const page = `${await ownPage(world(), one)}/card`
    const { headers } = await changedCard(world(), one)
    // The browser sends the form of the first change no more.
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`; Path=${page};.*Max-Age=0`)),
    ])
  })

  it('that the subscriber does not enter leaves the old one', async () => {
    const one = await subscribed(world())
    const check = await changingCard(world(), one)
    const path = `${await ownPage(world(), one)}/card/${check.id}`
    expect((await world().call('GET', path)).text).toContain('Waiting for your bank')
    const back = await world().call('GET', `${path}?status=cancelled`)
    expect(back.text).toContain('You cancelled the payment. Your present card stays.')
    expect(await stateOf(world(), one)).toMatchObject({ cardLast4: '4667' })
  })

  it('is checked once for a double click, and a second page gives up the first', async () => {
    const one = await subscribed(world())
    const page = `${await ownPage(world(), one)}/card`
    const opened = await world().call('GET', page)
    const token = /name="token" value="([^"]+)"/.exec(opened.text)?.[1] ?? ''
    await Promise.all([pressPay(world(), page, { token }), pressPay(world(), page, { token })])
    expect(await cardChecksOf(world(), one)).toHaveLength(1)
    await changedCard(world(), one)
    const [first] = await cardChecksOf(world(), one)
    expect(first?.status).toBe('cancelled')
    await world().simulator.pay(one.tenant, first?.providerReference ?? '', 'pin')
    await world().call('GET', `${page}/${first?.id}`)
    await world().call('GET', `/pay/return/${first?.providerReference}`)
    expect(await stateOf(world(), one)).toMatchObject({ cardLast4: '4246' })
    await settleRefunds()
    const refunds = await world().database.sql`
      select cause
      from merchant.refunds
      where business_id = ${one.tenant.businessId}
      order by id`
    expect(refunds.map(({ cause }) => cause)).toEqual(['card_check', 'late_success'])
  })

  it('is refused while payments are paused, after the end, and before the start', async () => {
    const one = await subscribed(world())
    const page = `${await ownPage(world(), one)}/card`
    await pause(world(), 'payments', 3600)
    expect((await pressPay(world(), page)).status).toBe(503)
    await lift(world(), 'payments')
    await cancel(world(), one)
    const unpaid = await subscription(world())
    for (const path of [page, `${await ownPage(world(), unpaid)}/card`]) {
      const answer = await pressPay(world(), path)
      expect(answer.headers.get('location')).toBe(path.slice(0, -'/card'.length))
    }
    expect(await cardChecksOf(world(), one)).toEqual([])
  })

  it('is not kept by a subscription that has ended meanwhile, and is refunded', async () => {
    const one = await subscribed(world())
    const check = await changingCard(world(), one)
    await cancel(world(), one)
    await world().simulator.pay(one.tenant, check.providerReference, 'visa_3ds')
    const back = await world().call('GET', `${await ownPage(world(), one)}/card/${check.id}`)
    expect(back.text).toContain('Your subscription has ended, or you have chosen another card')
    expect(await stateOf(world(), one)).toMatchObject({ cardLast4: '4667' })
    await settleRefunds()
    expect((await cardChecksOf(world(), one))[0]?.status).toBe('refunded')
  })

  it('of one subscription is not shown on the page of another', async () => {
    const one = await subscribed(world())
    const other = await subscribed(world(), {}, one)
    const check = await changingCard(world(), one)
    const path = `${await ownPage(world(), other)}/card`
    expect((await world().call('GET', `${path}/${check.id}`)).status).toBe(404)
    expect((await world().call('GET', `${path}/x`)).status).toBe(404)
    const [first] = await chargesOf(world(), other)
    expect((await world().call('GET', `${path}/${first?.id}`)).status).toBe(404)
  })
})

describe('while a renewal is under way', () => {
  it('the charge of the old card completes, and does not bring the old card back', async () => {
    const one = await subscribed(world())
    await loseAnswer(one, 'drop_after')
    await pass(32 * dayMs)
    await changedCard(world(), one)
    await pass(3 * minuteMs)
    expect(await cardsOf(one)).toEqual(['4667', '4667'])
    expect(await stateOf(world(), one)).toMatchObject({ status: 'active', cardLast4: '4246' })
    await pass(31 * dayMs)
    expect(await cardsOf(one)).toEqual(['4667', '4667', '4246'])
  })

  it('a charge that never arrived is sent again on the new card, under its reference', async () => {
    const one = await subscribed(world())
    await loseAnswer(one, 'drop')
    await pass(32 * dayMs)
    await changedCard(world(), one)
    await pass(11 * minuteMs)
    await pass(11 * minuteMs)
    expect(await cardsOf(one)).toEqual(['4667', '4246'])
    const [, renewal] = await chargesOf(world(), one)
    const effects = await world().simulator.effects(one.tenant, renewal?.providerReference ?? '')
    expect(effects).toMatchObject({ charge: 1 })
  })

  it('both happen once at the same moment', async () => {
    const one = await subscribed(world())
    const check = await changingCard(world(), one)
    await world().simulator.pay(one.tenant, check.providerReference, 'visa_3ds')
    clock.advance(32 * dayMs)
    const path = `${await ownPage(world(), one)}/card/${check.id}`
    await Promise.all([
      ...Array.from({ length: 3 }, () => renewDue(world())),
      ...Array.from({ length: 3 }, () => world().call('GET', path)),
    ])
    expect(await stateOf(world(), one)).toMatchObject({ cardLast4: '4246', status: 'active' })
    expect(await chargesOf(world(), one)).toHaveLength(2)
    const [refunds] = await world().database.sql`
      select count(*)::integer as count
      from merchant.refunds
      where business_id = ${one.tenant.businessId}`
    expect(refunds?.count).toBe(1)
  })
})

it('after a failed charge, a new card is used by the next try', async () => {
  const one = await subscribed(world())
  await rule(one, { operation: 'charge', effect: 'decline', count: 1 })
  await pass(32 * dayMs)
  expect(await stateOf(world(), one)).toMatchObject({ status: 'past_due' })
  await changedCard(world(), one)
  expect(await stateOf(world(), one)).toMatchObject({ status: 'past_due', cardLast4: '4246' })
  await pass(dayMs)
  expect(await stateOf(world(), one)).toMatchObject({ status: 'active' })
  expect(await cardsOf(one)).toEqual(['4667', null, '4246'])
})

it('a card with which a failed period was paid replaces the saved one', async () => {
  const one = await subscribed(world())
  await rule(one, { operation: 'charge', effect: 'decline', count: 1 })
  await pass(32 * dayMs)
  const begun = await paying(world(), one)
  await world().simulator.pay(one.tenant, begun.reference, 'visa_3ds')
  await world().call('GET', `/pay/return/${begun.reference}`)
  expect(await stateOf(world(), one)).toMatchObject({ status: 'active', cardLast4: '4246' })
})
