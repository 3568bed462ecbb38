// The subscriber's own page: what it shows, and how the subscription ends there.
import { afterEach, describe, expect, it } from 'vitest'
import { hostedReference } from '../../../src/kernel/basics/hosted-reference.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { pressPay } from '../../support/payments.ts'
import { ownPage } from '../../support/subscriber-page.ts'
import {
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

const clock = manualClock(new Date('2027-01-31T10:00:00.000Z'))
const world = useWorld({ clock })
const dayMs = 24 * 60 * 60 * 1000

afterEach(() => expectInvariants(world().database))
afterEach(() => cancelAll(world()))

const open = async (one: Subscribed, rest = '', headers: Record<string, string> = {}) =>
  world().call('GET', `${await ownPage(world(), one)}${rest}`, { headers })

const press = async (one: Subscribed, rest: string, fields: Record<string, string> = {}) =>
  pressPay(world(), `${await ownPage(world(), one)}${rest}`, fields)

async function pass(days: number): Promise<void> {
  clock.advance(days * dayMs)
  await renewDue(world())
}

describe('the page', () => {
  it('shows the next charge, the card and every payment with its receipt', async () => {
    const one = await subscribed(world())
    await pass(28)
    const { status, text, headers } = await open(one)
    expect(status).toBe(200)
    expect(text).toContain('Corner shop')
    expect(text).toContain('Gold')
    expect(text).toContain('₦1,000.00')
    expect(text).toContain('31 March 2027')
    expect(text).toContain('Verve •••• 4667')
    for (const { id } of await chargesOf(world(), one)) {
      expect(text).toContain(`/receipt/${hostedReference(one.tenant, id)}/`)
    }
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(text).not.toContain('payer@example.com')
    expect(text).not.toContain('<script')
  })

  it('is in French for a reader of French', async () => {
    const one = await subscribed(world())
    const { text } = await open(one, '', { 'accept-language': 'fr-CA,fr' })
    expect(text).toContain('Prochain débit')
    expect(text).toContain('Résilier l’abonnement')
  })

  it('shows its own subscription only, also for two of one e-mail', async () => {
    const one = await subscribed(world())
    const other = await subscribed(world(), { name: 'Silver' }, one)
    const [payment] = await chargesOf(world(), other)
    const { text } = await open(one)
    expect(text).not.toContain('Silver')
    expect(text).not.toContain(hostedReference(one.tenant, payment?.id ?? ''))
    const after = await open(one, `?after=${payment?.id}`)
    expect(after.text).not.toContain(hostedReference(one.tenant, payment?.id ?? ''))
  })

  it('has an address that the ids of subscription and payments do not lead to', async () => {
    const one = await subscribed(world())
    const [payment] = await chargesOf(world(), one)
    for (const id of [one.id, payment?.id ?? '']) {
      const answer = await world().call('GET', `/s/${hostedReference(one.tenant, id)}`)
      expect(answer.status).toBe(404)
    }
    const reference = (await ownPage(world(), one)).slice('/s/'.length)
    const elsewhere = reference.replace(/l(?=.{22}$)/, 't')
    expect(elsewhere).not.toBe(reference)
    expect((await world().call('GET', `/s/${elsewhere}`)).status).toBe(404)
    const returned = await world().call(
      'GET',
      `/pay/return/${hostedReference(one.tenant, payment?.id ?? '')}`,
    )
    expect(returned.text).not.toContain('/s/')
  })

  it('shows older payments on further pages', async () => {
    const one = await subscribed(world(), { intervalUnit: 'day' })
    for (let day = 0; day < 13; day += 1) await pass(1)
    const newest = await open(one)
    const after = /\?after=([0-9a-f-]+)/.exec(newest.text)?.[1]
    const older = await open(one, `?after=${after}`)
    const receipts = (text: string) => text.match(/\/receipt\/\w+/g) ?? []
    expect(receipts(newest.text)).toHaveLength(12)
    expect(receipts(older.text)).toHaveLength(2)
    expect(older.text).not.toContain('?after=')
    expect((await open(one, '?after=x')).status).toBe(200)
  })

  it('leads to the payment of the first period, or of one that failed', async () => {
    const unpaid = await subscription(world())
    expect((await open(unpaid)).text).toContain(`href="${unpaid.page}"`)
    const one = await subscribed(world())
    expect((await open(one)).text).not.toContain(`href="${one.page}"`)
    await world().simulator.rule(one.tenant, { operation: 'charge', effect: 'decline' })
    await pass(32)
    const { text } = await open(one)
    expect(text).toContain('We could not charge your card.')
    expect(text).toContain(`href="${one.page}"`)
  })
})

describe('cancelling', () => {
  it('asks first, and ends with the paid period', async () => {
    const one = await subscribed(world())
    const asked = await open(one, '/cancel')
    expect(asked.text).toContain('at the end of the time that you have paid for')
    expect(await stateOf(world(), one)).toMatchObject({ cancelAtPeriodEnd: false })
    const pressed = await press(one, '/cancel', { when: 'period_end' })
    expect(pressed.headers.get('location')).toBe(await ownPage(world(), one))
    expect(await stateOf(world(), one)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
    const { text } = await open(one)
    expect(text).toContain('Your subscription is cancelled. It ends on')
    expect(text).not.toContain('/cancel"')
    await pass(32)
    expect(await stateOf(world(), one)).toMatchObject({ status: 'cancelled' })
    expect(await chargesOf(world(), one)).toHaveLength(1)
  })

  it('ends at once where the subscriber wants that', async () => {
    const one = await subscribed(world())
    await press(one, '/cancel', { when: 'now' })
    expect(await stateOf(world(), one)).toMatchObject({ status: 'cancelled', nextAt: null })
    expect((await open(one)).text).toContain('You will not be charged again.')
  })

  it('happens once, however often it is pressed', async () => {
    const one = await subscribed(world())
    const pressed = await Promise.all(
      Array.from({ length: 4 }, () => press(one, '/cancel', { when: 'now' })),
    )
    expect(pressed.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    const [acts] = await world().database.sql`
      select count(*)::integer as count
      from kernel.audit_log
      where business_id = ${one.tenant.businessId}
        and action = 'subscription.cancel'`
    expect(acts?.count).toBe(1)
    expect((await open(one, '/cancel')).status).toBe(303)
  })

  it('lets a charge that was sent complete, and charges nothing after it', async () => {
    const one = await subscribed(world())
    await world().simulator.rule(one.tenant, { operation: 'webhook', effect: 'withhold' })
    const lost = { operation: 'POST /tokenized-charges', effect: 'drop_after', count: 1 }
    await world().simulator.rule(one.tenant, lost)
    await pass(32)
    expect((await open(one)).text).toContain('A payment is being made.')
    expect((await open(one, '/cancel')).text).toContain('It may still be completed.')
    await press(one, '/cancel', { when: 'period_end' })
    expect(await stateOf(world(), one)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
    await pass(1)
    const paid = (await chargesOf(world(), one)).map(({ status }) => status)
    expect(paid).toEqual(['succeeded', 'succeeded'])
    await pass(32)
    expect(await stateOf(world(), one)).toMatchObject({ status: 'cancelled' })
    expect(await chargesOf(world(), one)).toHaveLength(2)
  })

  it('is one of two things when it meets a renewal: the charge, or the end', async () => {
    const several = await Promise.all(Array.from({ length: 4 }, () => subscribed(world())))
    clock.advance(32 * dayMs)
    await Promise.all([
      renewDue(world()),
      ...several.map((one) => press(one, '/cancel', { when: 'now' })),
    ])
    for (const one of several) {
      const { status, periods } = await stateOf(world(), one)
      expect(status).toBe('cancelled')
      const charges = await chargesOf(world(), one)
      expect(charges.every((charge) => charge.status === 'succeeded')).toBe(true)
      expect(charges).toHaveLength(periods.length)
    }
  })

  it('gives up a payment of the subscriber that has not been made', async () => {
    const one = await subscription(world())
    const begun = await paying(world(), one)
    await press(one, '/cancel', { when: 'now' })
    const [payment] = await chargesOf(world(), one)
    expect(payment).toMatchObject({ id: begun.id, status: 'cancelled' })
  })
})
