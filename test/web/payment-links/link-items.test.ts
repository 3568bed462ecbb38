// Items of a payment link in the application: made with the form, sold, and changed.
import { expect, it } from 'vitest'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type ItemShop, orderItems } from '../../support/link-items.ts'
import { comeBack, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const form = {
  title: 'Fan shop',
  kind: 'items',
  currency: 'NGN',
  item_1: 'T-shirt',
  price_1: '25.00',
  most_1: '5',
  stock_1: '3',
  item_3: 'Delivery',
  price_3: '3',
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

async function fanShop(): Promise<{ visitor: AppVisitor; owner: ItemShop; path: string }> {
  const merchant = await shop(world())
  const visitor = await appVisitor(world(), merchant.tenant.businessId)
  const made = await visitor.submit('/payment-links/new', form)
  expect(made.status).toBe(303)
  const linkId = made.headers.get('location')?.split('/').at(-1) ?? ''
  const path = `/payment-links/${linkId}`
  const address = /href="([^"]*\/pay\/l\/[^"]*)"/.exec((await visitor.get(path)).text)?.[1] ?? ''
  return { visitor, path, owner: { ...merchant, linkId, page: new URL(address).pathname } }
}

it('shows what is sold, being paid and left', async () => {
  const { visitor, owner, path } = await fanShop()
  await orderItems(world(), owner, [2])
  const [begun] = await world().database.sql<{ id: string; providerReference: string }[]>`
    select id, provider_reference
    from merchant.payments
    where business_id = ${owner.tenant.businessId}`
  const reference = begun?.providerReference ?? ''
  expect(textOf((await visitor.get(path)).text)).toContain('1 to 5 0 2 1 Change')
  await world().simulator.pay(owner.tenant, reference)
  await comeBack(world(), reference)
  expect(textOf((await visitor.get(path)).text)).toContain('1 to 5 2 0 1 Change')
  expect(textOf((await visitor.get('/payment-links')).text)).toContain('2 items, from NGN 28.00')
  const payment = textOf((await visitor.get(`/payments/${begun?.id}`)).text)
  expect(payment).toContain('T-shirt 2 NGN 25.00 NGN 50.00')
  expect((await visitor.get('/payments.csv')).text).toContain('"2 × T-shirt, Delivery"')
})

it('changes the price and the stock', async () => {
  const { visitor, owner, path } = await fanShop()
  const { text } = await visitor.get(path)
  const item = /payment-links\/[^/"]+\/items\/[0-9a-f-]+/.exec(text)?.[0] ?? ''
  const refused = await visitor.submit(`/${item}`, { amount: '30', stock: 'many' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Enter a whole number.')
  expect((await visitor.submit(`/${item}`, { amount: '30', stock: '' })).status).toBe(303)
  const after = textOf((await visitor.get(path)).text)
  expect(after).toContain('T-shirt NGN 30.00 1 to 5 0 0 No limit')
  await orderItems(world(), owner, [1])
  const low = await visitor.submit(`/${item}`, { amount: '30', stock: '0' })
  expect(low.text).toContain('At least 1: so many are sold or being paid for.')
})

it('says at each row what is wrong, and keeps what was typed', async () => {
  const merchant = await shop(world())
  const visitor = await appVisitor(world(), merchant.tenant.businessId)
  const refused = await visitor.submit('/payment-links/new', {
    ...form,
    price_1: 'cheap',
    most_1: '0',
    item_3: '',
    stock_3: '2000000',
  })
  expect(refused.status).toBe(422)
  for (const [field, problem] of [
    ['price_1', 'Enter the amount in figures'],
    ['most_1', 'Must be at least the quantity.'],
    ['item_3', 'Say what it is.'],
  ]) {
    expect(refused.text).toMatch(new RegExp(`id="${field}-error">\\s*${problem}`))
  }
  expect(refused.text).toContain('value="cheap"')
  const tooMany = await visitor.submit('/payment-links/new', { ...form, stock_3: '2000000' })
  expect(tooMany.text).toMatch(/id="stock_3-error">\s*Must be a whole number from 0 to 1000000/)
  const none = {
    ...form,
    item_1: '',
    price_1: '',
    most_1: '',
    stock_1: '',
    item_3: '',
    price_3: '',
  }
  expect((await visitor.submit('/payment-links/new', none)).text).toContain(
    'Enter at least one item.',
  )
})
