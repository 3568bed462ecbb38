// Payments as payers make them: a link or code created through the API, Pay pressed on our page, a
// card used at the simulated provider, and back to our page.

import { hostedReference, parseHostedReference } from '../../src/kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { listBalances } from '../../src/kernel/ledger/ledger-store.ts'
import type { Payment } from '../../src/merchant/payments/payment.ts'
import { findPayment } from '../../src/merchant/payments/payment-store.ts'
import type { CallResult, World } from './world.ts'

export type Shop = { readonly tenant: Tenant; readonly key: string }

export async function shop(world: World, tenancy: Partial<Tenant> = {}): Promise<Shop> {
  const environment = tenancy.environment ?? 'live'
  const businessId = tenancy.businessId ?? (await world.business())
  const { text } = await world.key({ service: 'merchant', businessId, environment })
  return { tenant: { businessId, environment }, key: text }
}

// The path of the hosted page of a new link; 1,000.00 NGN unless told otherwise.
export async function newLink(world: World, { key }: Shop, body: object = {}): Promise<string> {
  return newPage(world, key, '/payment-links', {
    title: 'Order 1001',
    currency: 'NGN',
    amount: 1000,
    ...body,
  })
}

export async function newCode(world: World, { key }: Shop, body: object = {}): Promise<string> {
  return newPage(world, key, '/qr-codes', {
    mode: 'fixed_amount',
    currency: 'NGN',
    amount: 100_000,
    ...body,
  })
}

async function newPage(world: World, key: string, path: string, body: object): Promise<string> {
  const answer = await world.call('POST', `/merchant/api/v1${path}`, { key, body })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
  return new URL(answer.body.url).pathname
}

// Presses Pay as a browser without JavaScript does.
export async function pressPay(
  world: World,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<CallResult> {
  return world.call('POST', path, {
    rawBody: new URLSearchParams({ email: 'payer@example.com', ...fields }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: world.context.publicUrl,
      ...headers,
    },
  })
}

export type Begun = Shop & { readonly id: string; readonly reference: string }

// A pending payment whose payer is on the provider's page.
export async function payment(world: World, owner?: Shop, path?: string): Promise<Begun> {
  const seller = owner ?? (await shop(world))
  const page = path ?? (await newLink(world, seller))
  const before = new Set(await paymentIds(world, seller.tenant))
  const answer = await pressPay(world, page)
  if (answer.status !== 303) throw new Error(`Pay answered ${answer.status}: ${answer.text}`)
  const id = (await paymentIds(world, seller.tenant)).find((one) => !before.has(one))
  if (id === undefined) throw new Error('pressing Pay made no payment')
  return { ...seller, id, reference: hostedReference(seller.tenant, id) }
}

// One that was paid with a test card and that the payer came back from.
export async function paidPayment(world: World, owner?: Shop, path?: string): Promise<Begun> {
  const begun = await payment(world, owner, path)
  await world.simulator.pay(begun.tenant, begun.reference)
  await comeBack(world, begun.reference)
  return begun
}

export async function comeBack(world: World, reference: string, query = ''): Promise<CallResult> {
  return world.call('GET', `/pay/return/${reference}${query}`)
}

export async function storedPayment(
  world: World,
  { tenant, id }: Pick<Begun, 'tenant' | 'id'>,
): Promise<Payment> {
  const found = await findPayment(world.database.sql, tenant, id)
  if (!found) throw new Error(`there is no payment ${id}`)
  return found
}

// The payment that a redirect to our return page is about.
export function returnedTo(answer: CallResult): string | undefined {
  const reference = /\/pay\/return\/(\w+)/.exec(answer.headers.get('location') ?? '')?.[1]
  return reference && parseHostedReference(reference)?.id
}

async function paymentIds({ database }: World, tenant: Tenant): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select id
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id`
  return rows.map(({ id }) => id)
}

// What is booked for a tenant, by account; what is zero is left out.
export async function balancesOf(
  { database }: World,
  tenant: Tenant,
): Promise<Record<string, bigint>> {
  const balances = await listBalances(database.sql, tenant)
  return Object.fromEntries(
    balances
      .filter(({ balanceMinor }) => balanceMinor !== 0n)
      .map(({ account, currency, balanceMinor }) => [`${account} ${currency}`, balanceMinor]),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into details of every shape
export type StoredDiscrepancy = { cause: string; objectId: string; detail: any }

export async function discrepanciesOf(
  { database }: World,
  tenant: Tenant,
): Promise<StoredDiscrepancy[]> {
  return database.sql<StoredDiscrepancy[]>`
    select cause, object_id, detail
    from merchant.breaks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id`
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
export type StoredEvent = { type: string; objectId: string; data: any }

export async function eventsOf({ database }: World, tenant: Tenant): Promise<StoredEvent[]> {
  return database.sql<StoredEvent[]>`
    select type, object_id, data
    from kernel.events
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id`
}
