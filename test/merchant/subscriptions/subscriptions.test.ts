// How a subscription starts and ends: the page, the first charge, the saved card, and cancelling.
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { lift, pause } from '../../support/pauses.ts'
import {
  balancesOf,
  comeBack,
  discrepanciesOf,
  eventsOf,
  pressPay,
  shop,
} from '../../support/payments.ts'
import {
  cancel,
  chargesOf,
  paying,
  renewDue,
  stateOf,
  subscribed,
  subscription,
} from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2027-01-31T10:00:00.000Z'))
const world = useWorld({ clock })
const dayMs = 24 * 60 * 60 * 1000

afterEach(() => expectInvariants(world().database))

describe('the first charge', () => {
  it('is paid on a page that says what is agreed to, with the address filled in', async () => {
    const one = await subscription(world())
    const page = await world().call('GET', one.page)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Gold')
    expect(page.text).toContain(
      '₦1,000.00 every month until you cancel. To cancel, contact Corner shop.',
    )
    expect(page.text).toContain('value="payer@example.com"')
    expect(await stateOf(world(), one)).toMatchObject({ status: 'incomplete', nextAt: null })
  })

  it('begins the subscription on the day it is collected, in the days of the plan', async () => {
    const one = await subscription(world(), { timeZone: 'Pacific/Kiritimati' })
    const begun = await paying(world(), one)
    expect(await stateOf(world(), one)).toMatchObject({ status: 'incomplete', anchorDay: null })
    await world().simulator.pay(begun.tenant, begun.reference)
    expect((await comeBack(world(), begun.reference)).text).toContain('Paid. Thank you!')
    expect(await stateOf(world(), one)).toMatchObject({
      status: 'active',
      anchorDay: '2027-02-01',
      cardEmail: 'payer@example.com',
      nextAt: new Date('2027-02-28T10:00:00.000Z'),
      periods: [{ number: 1, startsOn: '2027-02-01', endsBefore: '2027-03-01', failures: 0 }],
    })
  })

  // covers: subscription_id: present instead of the two ids
  // covers: Subscription charges and renewals are referred to by `subscription_id`
  // covers: payment.succeeded: sent when a payment link or QR charge succeeded
  // covers: data: id, amount, currency
  it('tells of the subscription in place of link and code, and of nothing else', async () => {
    const one = await subscribed(world())
    const [payment] = await chargesOf(world(), one)
    const [event] = await eventsOf(world(), one.tenant)
    expect(event).toEqual({
      type: 'payment.succeeded',
      objectId: payment?.id,
      data: {
        id: payment?.id,
        amount: 100_000,
        currency: 'NGN',
        fee_amount: 1_500,
        net_amount: 98_500,
        status: 'succeeded',
        subscription_id: one.id,
      },
    })
    const list = await world().call('GET', '/merchant/api/v1/payments', { key: one.key })
    expect(list.body.data).toMatchObject([{ id: payment?.id, subscription_id: one.id }])
    expect(list.body.data[0]).not.toHaveProperty('payment_link_id')
    expect(list.body.data[0]).not.toHaveProperty('qr_code_id')
  })

  it('keeps what the provider gives for the card sealed', async () => {
    const one = await subscribed(world())
    const { cardSealed } = await stateOf(world(), one)
    const secrets = world().context.secrets
    const token = secrets.open(cardSealed ?? Buffer.alloc(0), `merchant.subscriptions/${one.id}`)
    expect(token.toString()).toMatch(/^flw-t1nf-/)
    expect(world().logLines.join('')).not.toContain(token.toString())
    expect(() => secrets.open(cardSealed ?? Buffer.alloc(0), 'another row')).toThrow()
  })

  it('can be tried again after a decline, and a decline changes nothing else', async () => {
    const one = await subscription(world())
    const first = await paying(world(), one)
    await world().simulator.pay(first.tenant, first.reference, 'insufficient_funds')
    await comeBack(world(), first.reference)
    expect(await stateOf(world(), one)).toMatchObject({
      status: 'incomplete',
      periods: [{ failures: 0, paidAt: null }],
    })
    expect(await eventsOf(world(), one.tenant)).toMatchObject([
      { type: 'payment.failed', data: { status: 'failed', subscription_id: one.id } },
    ])
    const second = await paying(world(), one)
    await world().simulator.pay(second.tenant, second.reference)
    await comeBack(world(), second.reference)
    expect((await stateOf(world(), one)).status).toBe('active')
  })

  it('is made once by two browsers, and by many presses on one page', async () => {
    const one = await subscription(world())
    const token = 'a-token-of-one-page'
    const pressed = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        pressPay(world(), one.page, { token: index < 3 ? token : `${token}-${index}` }),
      ),
    )
    const statuses = pressed.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([303, 409]))
    expect(await chargesOf(world(), one)).toHaveLength(1)
    const other = await world().call('GET', one.page)
    expect([other.status, other.text.includes('A payment is in progress')]).toEqual([409, true])
  })

  it('is not asked for again once it is paid', async () => {
    const one = await subscribed(world())
    const page = await world().call('GET', one.page)
    expect([page.status, page.text.includes('No payment is due')]).toEqual([410, true])
    expect((await pressPay(world(), one.page)).status).toBe(410)
    expect(await chargesOf(world(), one)).toHaveLength(1)
  })

  it('waits while payments are paused, and while the business is not verified', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const closed = await subscription(world(), {}, await shop(world(), { businessId }))
    expect((await world().call('GET', closed.page)).status).toBe(410)
    const one = await subscription(world())
    await pause(world(), 'payments')
    expect((await pressPay(world(), one.page)).status).toBe(503)
    await lift(world(), 'payments')
    expect(await chargesOf(world(), one)).toEqual([])
  })
})

describe('cancelling', () => {
  it('now ends it: nothing is charged any more, and its page says so', async () => {
    const one = await subscribed(world())
    expect(await cancel(world(), one)).toMatchObject({ status: 'cancelled', nextAt: null })
    clock.advance(40 * dayMs)
    await renewDue(world())
    expect(await chargesOf(world(), one)).toHaveLength(1)
    const page = await world().call('GET', one.page)
    expect([page.status, page.text.includes('has ended')]).toEqual([410, true])
    // It may well have been charged before.
    expect(page.text).not.toContain('Nothing was charged')
  })

  it('at the end of the period ends it when the next would have been charged', async () => {
    const one = await subscribed(world(), { intervalUnit: 'week' })
    expect(await cancel(world(), one, 'period_end')).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
    })
    expect((await cancel(world(), one, 'period_end')).status).toBe('active')
    clock.advance(5 * dayMs)
    await renewDue(world())
    expect((await stateOf(world(), one)).status).toBe('active')
    clock.advance(2 * dayMs)
    await renewDue(world())
    expect((await stateOf(world(), one)).status).toBe('cancelled')
    expect(await chargesOf(world(), one)).toHaveLength(1)
  })

  it('before the first charge voids it, and gives back what is paid all the same', async () => {
    const one = await subscription(world())
    const begun = await paying(world(), one)
    expect((await cancel(world(), one, 'period_end')).status).toBe('cancelled')
    await world().simulator.pay(begun.tenant, begun.reference)
    await comeBack(world(), begun.reference)
    expect(await chargesOf(world(), one)).toMatchObject([{ status: 'cancelled' }])
    expect(await discrepanciesOf(world(), one.tenant)).toMatchObject([{ cause: 'late_success' }])
    expect((await stateOf(world(), one)).status).toBe('cancelled')
  })

  it('can be repeated, and is on record once', async () => {
    const one = await subscribed(world())
    await cancel(world(), one)
    await cancel(world(), one)
    const acts = await world().database.sql`
      select action
      from kernel.audit_log
      where object_id = ${one.id}
      order by id`
    expect(acts.map(({ action }) => action)).toEqual([
      'subscription.create',
      'subscription.begin',
      'subscription.cancel',
    ])
  })

  it('cannot be done to a subscription of someone else', async () => {
    const one = await subscribed(world())
    const { tenant } = await shop(world())
    await expect(cancel(world(), { ...one, tenant })).rejects.toMatchObject({ kind: 'not_found' })
    expect((await stateOf(world(), one)).status).toBe('active')
  })
})

describe('a subscription charge', () => {
  it('is booked, settled and refunded as any other', async () => {
    const one = await subscribed(world())
    const [payment] = await chargesOf(world(), one)
    const balances = await balancesOf(world(), one.tenant)
    expect(balances).toMatchObject({ 'merchant:available NGN': -98_500n })
    const path = `/merchant/api/v1/payments/${payment?.id}/refund`
    const answer = await world().call('POST', path, { key: one.key, body: { amount: 40_000 } })
    expect(answer.status).toBeOneOf([200, 202])
    expect((await stateOf(world(), one)).status).toBe('active')
  })

  it('of the saved card cannot be cancelled on the page', async () => {
    const one = await subscribed(world())
    const drop = { operation: 'POST /tokenized-charges', effect: 'drop', count: 1 }
    await world().simulator.rule(one.tenant, drop)
    clock.advance(32 * dayMs)
    await renewDue(world())
    const renewal = (await chargesOf(world(), one)).at(-1)
    await comeBack(world(), renewal?.providerReference ?? '', '?status=cancelled')
    expect((await chargesOf(world(), one)).at(-1)?.status).toBe('processing')
    expect((await stateOf(world(), one)).status).toBe('active')
    clock.advance(10 * 60 * 1000)
    await renewDue(world())
    expect((await chargesOf(world(), one)).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ])
  })
})
