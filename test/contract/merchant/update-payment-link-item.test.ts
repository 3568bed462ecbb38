import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { shop } from '../../support/payments.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payment-links'
const order = {
  title: 'Order',
  currency: 'NGN',
  items: [
    { name: 'T-shirt', amount: 25, maxQuantity: 5, stock: 3 },
    { name: 'Delivery', amount: 3 },
  ],
}

async function link() {
  const { key } = await shop(world())
  const { body } = await call('POST', path, { key, body: order })
  const change = (changes: object, itemId = body.items[0].id, as = key) =>
    call('PATCH', `${path}/${body.id}/items/${itemId}`, { key: as, body: changes })
  return { body, change }
}

describe('200', () => {
  it('changes what is sent and leaves the rest', async () => {
    const { body, change } = await link()
    expect(body).toMatchObject({
      amount: null,
      items: [
        { name: 'T-shirt', amount: 25, min_quantity: 0, max_quantity: 5, stock: 3, sold: 0 },
        { name: 'Delivery', amount: 3, min_quantity: 1, max_quantity: 1, stock: null },
      ],
    })
    const [shirt, delivery] = body.items
    const dearer = await change({ amount: 27.5 })
    const items = [{ ...shirt, amount: 27.5, amount_minor: 2750 }, delivery]
    expect([dearer.status, dearer.body]).toEqual([200, { ...body, items }])
    expect((await change({ stock: 10 })).body.items[0]).toMatchObject({ amount: 27.5, stock: 10 })
    expect((await change({})).body.items[0]).toMatchObject({ amount: 27.5, stock: 10 })
    expect((await change({ stock: null })).body.items[0].stock).toBeNull()
  })
})

describe('400', () => {
  it.each([
    ['a price of nothing', { amount: 0 }, 'amount'],
    ['too many decimals', { amount: 1.005 }, 'amount'],
    ['a negative stock', { stock: -1 }, 'stock'],
    ['a part of a piece', { stock: 1.5 }, 'stock'],
  ])('is the answer to %s', async (_what, changes, field) => {
    const { change } = await link()
    const { status, body } = await change(changes)
    expect([status, Object.keys(body.error.fieldErrors)]).toEqual([400, [field]])
  })
})

describe('a new link', () => {
  const item = { name: 'T-shirt', amount: 25 }

  it.each<[string, string, object]>([
    ['no items', 'items', { items: [] }],
    ['items beside an amount', 'amount', { amount: 5, items: [item] }],
    ['items beside a preset amount', 'presetAmount', { presetAmount: 5, items: [item] }],
    ['more items than 20', 'items', { items: Array(21).fill(item) }],
    ['an item without a name', 'items', { items: [{ amount: 1 }] }],
    ['an item without a price', 'items', { items: [{ name: 'A' }] }],
    ['an item of no pieces', 'items', { items: [{ ...item, quantity: 0 }] }],
    ['an unknown field', 'items', { items: [{ ...item, colour: 'red' }] }],
    [
      'a fixed and a chosen quantity',
      'items',
      { items: [{ ...item, quantity: 2, maxQuantity: 3 }] },
    ],
    ['a least without a most', 'items', { items: [{ ...item, minQuantity: 2 }] }],
    ['a most below the least', 'items', { items: [{ ...item, minQuantity: 3, maxQuantity: 2 }] }],
    [
      'items that cost more than a payment can be',
      'items',
      { items: [{ ...item, amount: 60_000_000, quantity: 2 }] },
    ],
  ])('is refused for %s', async (_what, field, fields) => {
    const { key } = await shop(world())
    const answer = await call('POST', path, {
      key,
      body: { ...order, items: undefined, ...fields },
    })
    expect([answer.status, Object.keys(answer.body.error.fieldErrors)]).toEqual([400, [field]])
  })
})

describe('404', () => {
  it('is the answer for an item that the link does not have, and for another business', async () => {
    const { body, change } = await link()
    expect((await change({ stock: 1 }, body.id)).status).toBe(404)
    const { key } = await shop(world())
    expect((await change({ stock: 1 }, undefined, key)).status).toBe(404)
  })
})
