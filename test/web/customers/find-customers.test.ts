// Customers are found by any part of their e-mail address, or of a name that they gave.
import { beforeAll, describe, expect, it } from 'vitest'
import { hostedReference } from '../../../src/kernel/basics/hosted-reference.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { createPlan } from '../../../src/merchant/subscriptions/create-plan.ts'
import { createSubscription } from '../../../src/merchant/subscriptions/create-subscription.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { newLink, pressPay, type Shop, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let merchant: Shop
let visitor: AppVisitor

beforeAll(async () => {
  merchant = await shop(world())
  visitor = await appVisitor(world(), merchant.tenant.businessId, 'viewer')
  await payAs(merchant, 'chloe@north-gate.example', 'Chloé Dubois')
  await payAs(merchant, 'o_k@example.com', 'Olu 100% Kuti')
  await payAs(merchant, 'Olu@Example.com', 'Olu King')
  // Married meanwhile. Both names are the same customer.
  await payAs(merchant, 'olu@example.com', 'Olu Adeyemi')
  await pressPay(world(), await newLink(world(), merchant), { email: 'plain@example.com' })
})

// Payers of subscriptions have a name.
async function payAs({ tenant }: Shop, payerEmail: string, payerName: string): Promise<void> {
  const actor = { ...tenant, kind: 'system', name: 'test' } as const
  const { id: planId } = await runOperation(createPlan, world().context, actor, {
    name: 'Gold',
    currency: 'NGN',
    amountMinor: 100_000n,
    intervalUnit: 'month',
    intervalCount: 1,
    timeZone: 'UTC',
  })
  const subscribing = { planId, payerEmail, payerName }
  const { id } = await runOperation(createSubscription, world().context, actor, subscribing)
  const page = `/pay/s/${hostedReference(tenant, id)}`
  const { status } = await pressPay(world(), page, { email: payerEmail })
  expect(status).toBe(303)
}

// The addresses of the customers in the list.
async function found(text: string, of = visitor): Promise<string[]> {
  const { status, text: page } = await of.get(`/customers?q=${encodeURIComponent(text)}`)
  expect(status).toBe(200)
  const links = page.matchAll(/<td[^>]*><a href="[^"]*\/customers\/([^"]*)"/g)
  return [...links].map(([, key = '']) => decodeURIComponent(key))
}

describe('a customer is found by', () => {
  it.each([
    ['the beginning of the address', 'chlo', ['chloe@north-gate.example']],
    ['the middle of the address', 'rth-ga', ['chloe@north-gate.example']],
    ['the middle of the name', 'Dub', ['chloe@north-gate.example']],
    ['two words of the name', 'é dubois', ['chloe@north-gate.example']],
    ['capital letters, with their accents', 'CHLOÉ', ['chloe@north-gate.example']],
    ['each name that they gave, once', 'olu', ['o_k@example.com', 'olu@example.com']],
    ['a former name', 'king', ['olu@example.com']],
    ['a percent sign, which is no wildcard', '%', ['o_k@example.com']],
    ['an underscore, which is no wildcard', '_', ['o_k@example.com']],
    ['a part of the address, without a name', 'plai', ['plain@example.com']],
  ])('%s', async (_, text, emails) => {
    expect(await found(text)).toEqual(emails)
  })
})

it('says what was searched for, and the way back, when no one is found', async () => {
  const { text } = await visitor.get('/customers?q=%3Cb%3Eunknown')
  expect(text).toContain('No name and no e-mail address contains “&lt;b>unknown”')
  expect(text).toContain('Show all customers')
  expect(await found('\\')).toEqual([])
})

it('goes on with the same text on the next page', async () => {
  const { text } = await visitor.get('/customers?q=olu&after=o_k%40example.com')
  expect(text).toContain('olu%40example.com')
  expect(text).not.toContain('o_k%40example.com')
})

it('finds no one of another business, or of the sandbox', async () => {
  const other = await shop(world())
  await payAs(other, 'chloe@other.example', 'Chloé Other')
  const stranger = await appVisitor(world(), other.tenant.businessId)
  expect(await found('chlo', stranger)).toEqual(['chloe@other.example'])
  expect(await found('chlo')).toEqual(['chloe@north-gate.example'])
  const { text } = await visitor.get('/test/customers?q=chlo')
  expect(text).toContain('No customers found')
})

it('finds them in the search over everything', async () => {
  const { text } = await visitor.get('/search?q=dubois')
  expect(text).toMatch(/class="search-hit" href="[^"]*\/customers\/chloe%40north-gate.example"/)
  const other = await appVisitor(world(), (await shop(world())).tenant.businessId)
  expect((await other.get('/search?q=dubois')).text).not.toContain('chloe')
})
