// A link for more than one thing: what payers order, what they pay, and the stock.
import { afterEach, describe, expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { openLinkOffer } from '../../../src/merchant/checkout/open-offer.ts'
import { startCheckout } from '../../../src/merchant/checkout/start-checkout.ts'
import { orderOf, totalOf } from '../../../src/merchant/payment-links/payment-link-item.ts'
import type { PaymentStatus } from '../../../src/merchant/payments/payment.ts'
import { manualClock } from '../../support/clock.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import {
  countsOf,
  type ItemShop,
  itemsOf,
  newItemLink,
  orderItems,
} from '../../support/link-items.ts'
import { comeBack, discrepanciesOf, eventsOf, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

afterEach(() => expectInvariants(world().database))

const shirt = { name: 'T-shirt', amount: 25, minQuantity: 1, maxQuantity: 5, stock: 3 }
const mug = { name: 'Mug', amount: 7.5, maxQuantity: 4 }
const delivery = { name: 'Delivery', amount: 3 }

const stand = async (items: readonly object[] = [shirt, mug, delivery], body: object = {}) =>
  newItemLink(world(), await shop(world()), items, body)

type StoredPayment = {
  id: string
  status: PaymentStatus
  amountMinor: bigint
  providerReference: string
}

const paymentsOf = ({ tenant }: ItemShop) => world().database.sql<StoredPayment[]>`
  select id, status, amount_minor, provider_reference
  from merchant.payments
  where business_id = ${tenant.businessId}
  order by id`

const lastReference = async (owner: ItemShop) =>
  (await paymentsOf(owner)).at(-1)?.providerReference ?? ''

async function orderAndPay(owner: ItemShop, quantities: readonly (number | undefined)[]) {
  expect((await orderItems(world(), owner, quantities)).status).toBe(303)
  const reference = await lastReference(owner)
  await world().simulator.pay(owner.tenant, reference)
  return comeBack(world(), reference)
}

// Lets time pass and does what has become due.
async function pass(minutes: number): Promise<void> {
  clock.advance(minutes * 60_000)
  const { context } = world()
  await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
}

const api = (owner: ItemShop, method: 'GET' | 'PATCH', path: string, body?: object) =>
  world().call(method, `/merchant/api/v1${path}`, { key: owner.key, ...(body && { body }) })

const change = async (owner: ItemShop, at: number, body: object) => {
  const id = (await itemsOf(world(), owner))[at]?.id
  return api(owner, 'PATCH', `/payment-links/${owner.linkId}/items/${id}`, body)
}

describe('an order', () => {
  it('is what the payer chose and what is fixed, at the prices of the link', async () => {
    const owner = await stand()
    const end = await orderAndPay(owner, [2, 1])
    expect(end.text).toContain('2 × ₦25.00')
    expect(end.text).toContain('Delivery')
    const [paid] = await paymentsOf(owner)
    expect(paid).toMatchObject({ status: 'succeeded', amountMinor: 6050n })
    expect(await countsOf(world(), owner)).toEqual(['2 0', '1 0', '1 0'])
    const items = [
      { name: 'T-shirt', unit_amount: 2500, quantity: 2, amount: 5000 },
      { name: 'Mug', unit_amount: 750, quantity: 1, amount: 750 },
      { name: 'Delivery', unit_amount: 300, quantity: 1, amount: 300 },
    ]
    const record = await api(owner, 'GET', `/payments/${paid?.id}`)
    expect(record.body.items).toMatchObject(items)
    const [event] = await eventsOf(world(), owner.tenant)
    expect(event?.type).toBe('payment.succeeded')
    expect(event?.data.items).toMatchObject(items)
  })

  it('leaves out what the payer takes none of', async () => {
    const owner = await stand()
    await orderAndPay(owner, [1, 0])
    const [paid] = await paymentsOf(owner)
    const { body } = await api(owner, 'GET', `/payments/${paid?.id}`)
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['T-shirt', 'Delivery'])
  })

  it.each([
    ['more than the most', [6], 'from 1 to 5'],
    ['less than the least', [0], 'from 1 to 5'],
    ['a negative number', [-1], 'from 1 to 5'],
  ])('of %s is refused at its field', async (_what, quantities, text) => {
    const owner = await stand()
    const refused = await orderItems(world(), owner, quantities, { total: '1' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(text)
    expect(await paymentsOf(owner)).toEqual([])
  })

  it('of nothing is refused', async () => {
    const owner = await stand([mug])
    const refused = await orderItems(world(), owner, [0])
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Choose at least one.')
  })

  it('above what one payment can be is refused', async () => {
    const owner = await stand([{ name: 'House', amount: 60_000_000, maxQuantity: 2 }])
    const refused = await orderItems(world(), owner, [2])
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('One payment can be')
  })

  it('whose total the payer has not seen is shown first, as without a script', async () => {
    const owner = await stand()
    const shown = await orderItems(world(), owner, [3], { total: '2800' })
    expect(shown.status).toBe(409)
    expect(shown.text).toContain('The total is ₦78.00. Nothing was charged.')
    expect(shown.text).toContain('name="total" value="7800"')
    expect(await paymentsOf(owner)).toEqual([])
  })

  it('at a price that changed meanwhile is shown with the new total first', async () => {
    const owner = await stand()
    const seen = { total: '2800' }
    expect((await change(owner, 0, { amount: 30 })).status).toBe(200)
    const shown = await orderItems(world(), owner, [1], seen)
    expect(shown.status).toBe(409)
    expect(shown.text).toContain('The total is ₦33.00.')
    expect(await countsOf(world(), owner)).toEqual(['0 0', '0 0', '0 0'])
  })

  it('at a price that changed after the page was read is not reserved', async () => {
    const owner = await stand([shirt])
    const { context } = world()
    const offer = await openLinkOffer(context, { tenant: owner.tenant, id: owner.linkId })
    if (offer?.price.kind !== 'items') throw new Error('a link without items')
    const lines = orderOf(offer.price.items, {})
    await change(owner, 0, { amount: 30 })
    const started = await startCheckout(context, {
      offer,
      lines,
      amountMinor: totalOf(lines),
      payerEmail: 'payer@example.com',
      token: 'a-token-of-a-form-1',
    })
    expect(started.kind).toBe('changed')
    expect(await paymentsOf(owner)).toEqual([])
  })

  it('pressed again is the same payment; another order ends it and frees its items', async () => {
    const owner = await stand()
    const token = 'a-token-of-a-form-1'
    await orderItems(world(), owner, [3], { token })
    await orderItems(world(), owner, [3], { token })
    expect(await paymentsOf(owner)).toHaveLength(1)
    expect(await countsOf(world(), owner)).toEqual(['0 3', '0 0', '0 1'])
    // All shirts are reserved, by this payer.
    expect((await orderItems(world(), owner, [2, 1], { token })).status).toBe(303)
    expect((await paymentsOf(owner)).map(({ status }) => status)).toEqual(['cancelled', 'pending'])
    expect(await countsOf(world(), owner)).toEqual(['0 2', '0 1', '0 1'])
  })

  it('is told of in French', async () => {
    const owner = await stand()
    const page = await world().call('GET', `${owner.page}?lang=fr`)
    expect(page.text).toContain('Votre commande')
    expect(page.text).toContain('plus que 3 disponibles')
  })
})

describe('the stock', () => {
  it('goes to one of two payers who press Pay for the last one at once', async () => {
    const owner = await stand([{ ...shirt, stock: 1 }, delivery])
    const presses = await Promise.all([1, 2, 3, 4].map(() => orderItems(world(), owner, [1])))
    expect(presses.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409])
    expect(await countsOf(world(), owner)).toEqual(['0 1', '0 1'])
    expect((await world().call('GET', owner.page)).text).toContain('Sold out')
  })

  it('is told of at the item when too little is left', async () => {
    const owner = await stand()
    await orderAndPay(owner, [2])
    const refused = await orderItems(world(), owner, [2])
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Only 1 left: enter 1 at most.')
    expect(await countsOf(world(), owner)).toEqual(['2 0', '0 0', '1 0'])
  })

  it('is given back when the payer cancels', async () => {
    const owner = await stand([{ ...shirt, stock: 1, maxQuantity: 1 }])
    await orderItems(world(), owner, [1])
    await comeBack(world(), await lastReference(owner), '?status=cancelled')
    expect(await countsOf(world(), owner)).toEqual(['0 0'])
    const [event] = await eventsOf(world(), owner.tenant)
    expect(event).toMatchObject({ type: 'payment.failed', data: { items: [{ quantity: 1 }] } })
  })

  it('is given back when the merchant cancels, and a charge after that is refunded', async () => {
    const owner = await stand([{ ...shirt, stock: 1 }])
    await orderItems(world(), owner, [1])
    const [begun] = await paymentsOf(owner)
    const cancelled = await world().call('POST', `/merchant/api/v1/payments/${begun?.id}/cancel`, {
      key: owner.key,
      body: {},
    })
    expect(cancelled.status).toBe(200)
    expect(await countsOf(world(), owner)).toEqual(['0 0'])
    // Someone else buys it; then the first payer pays after all.
    await orderAndPay(owner, [1])
    await world().simulator.pay(owner.tenant, begun?.providerReference ?? '')
    await comeBack(world(), begun?.providerReference ?? '')
    expect(await countsOf(world(), owner)).toEqual(['1 0'])
    const causes = (await discrepanciesOf(world(), owner.tenant)).map(({ cause }) => cause)
    expect(causes).toEqual(['late_success'])
  })

  it('stays reserved while the outcome is unknown, and is given back when it is known', async () => {
    const owner = await stand([{ ...shirt, stock: 1 }])
    await orderItems(world(), owner, [1])
    const rule = { operation: 'GET /transactions/verify_by_reference', effect: 'drop' }
    await world().simulator.rule(owner.tenant, rule)
    await pass(24 * 60)
    expect(await countsOf(world(), owner)).toEqual(['0 1'])
    expect((await orderItems(world(), owner, [1])).status).toBe(409)
    await world().simulator.removeRules(owner.tenant)
    await pass(24 * 60)
    expect(await countsOf(world(), owner)).toEqual(['0 0'])
  })

  it('can be raised, but not below what is sold or reserved', async () => {
    const owner = await stand()
    await orderAndPay(owner, [2])
    await orderItems(world(), owner, [1])
    const refused = await change(owner, 0, { stock: 2 })
    expect(refused.status).toBe(400)
    expect(refused.body.error.fieldErrors.stock).toEqual([
      'At least 3: so many are sold or being paid for.',
    ])
    const raised = await change(owner, 0, { stock: 4 })
    expect(raised.body.items[0]).toMatchObject({ stock: 4, sold: 2, reserved: 1 })
    expect((await change(owner, 0, { stock: null })).body.items[0].stock).toBeNull()
  })

  it('is compared with the payments', async () => {
    const owner = await stand()
    await orderAndPay(owner, [1])
    const { sql } = world().database
    const put = (sold: number) => sql`
      update merchant.payment_link_items
      set sold = ${sold}
      where business_id = ${owner.tenant.businessId}
        and position = 1`
    await put(2)
    expect(await brokenInvariants(world().database)).toEqual(['I6.6'])
    await put(1)
    const price = (minor: bigint) => sql`
      update merchant.payment_items
      set unit_amount_minor = ${minor}
      where business_id = ${owner.tenant.businessId}
        and position = 1`
    await price(2600n)
    expect(await brokenInvariants(world().database)).toEqual(['I6.7'])
    await price(2500n)
  })
})
