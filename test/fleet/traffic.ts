// What merchants and payers do all day, through whatever process takes their call. Where a call is
// cut off or refused for an outage, they do what people and programs do: the same again.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { setThreshold } from '../../src/merchant/approvals/set-threshold.ts'
import { type Begun, comeBack, eventsOf, newLink, payment } from '../support/payments.ts'
import { type Payer, payer } from '../support/payouts.ts'
import { newEndpoint } from '../support/webhooks.ts'
import type { CallResult } from '../support/world.ts'
import type { Fleet } from './fleet.ts'

export type Merchant = Payer & {
  readonly booksKey: string
  readonly contactId: string
  readonly paid: Begun[]
  // Payments whose refund was answered with 200, and whose answer got lost.
  readonly refunded: Set<string>
  readonly refundUnknown: Set<string>
  // Ids as they were answered.
  readonly payoutIds: Set<string>
  readonly invoiceIds: Set<string>
  rounds: number
}

export async function newMerchant({ world, receiver }: Fleet): Promise<Merchant> {
  const one = await payer(world)
  const { businessId } = one.tenant
  const actor = { kind: 'system', name: 'test', ...one.tenant } as const
  // Above what is refunded here, which no second person then has to approve.
  const threshold = { operation: 'refund', currency: 'NGN', amountMinor: 1_000_000n } as const
  await world.database.transaction((tx) => setThreshold(tx, world.context, actor, threshold))
  await newEndpoint(world, one.tenant, receiver.url, 'merchant')
  await newEndpoint(world, one.tenant, receiver.url, 'books', [
    'contact.created',
    'invoice.created',
  ])
  const { text: booksKey } = await world.key({ service: 'books', businessId })
  const call = await world.call('POST', '/books/api/v1/contacts', {
    key: booksKey,
    body: { name: 'A customer', is_customer: true },
  })
  return {
    ...one,
    booksKey,
    contactId: call.body.id,
    paid: [],
    refunded: new Set(),
    refundUnknown: new Set(),
    payoutIds: new Set(),
    invoiceIds: new Set(),
    rounds: 0,
  }
}

// One after the other, until told to stop. A merchant's own round is never cut short.
export async function trade(fleet: Fleet, merchant: Merchant, isOver: () => boolean) {
  while (!isOver()) {
    await sell(fleet, merchant)
    await payOut(merchant)
    await writeInvoice(fleet, merchant)
    merchant.rounds += 1
  }
}

// Until each has done something more.
export async function roundsOfAll(traders: readonly { rounds: number }[]): Promise<void> {
  const before = traders.map(({ rounds }) => rounds)
  await expect
    .poll(() => traders.every(({ rounds }, index) => rounds > (before[index] ?? 0)))
    .toBe(true)
}

async function sell(fleet: Fleet, merchant: Merchant): Promise<void> {
  const { world } = fleet
  const path = await insist(() => newLink(world, merchant))
  const begun = await insist(() => payment(world, merchant, path))
  await world.simulator.pay(begun.tenant, begun.reference)
  merchant.paid.push(begun)
  // Half of the payers close the window.
  if (merchant.rounds % 2 === 0) return
  await insist(() => comeBack(world, begun.reference))
  if ((await row(fleet, merchant, begun.id)).status !== 'succeeded') return
  const refund = await world
    .call('POST', `/merchant/api/v1/payments/${begun.id}/refund`, { key: merchant.key, body: {} })
    .catch(() => undefined)
  if (refund?.status === 200) merchant.refunded.add(begun.id)
  else merchant.refundUnknown.add(begun.id)
}

async function payOut(merchant: Merchant): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await insist(async () =>
    answered(await merchant.payOut({ amount: 10 }, { headers })),
  )
  merchant.payoutIds.add(answer.body.payoutId)
}

async function writeInvoice({ world }: Fleet, merchant: Merchant): Promise<void> {
  const answer = await insist(async () =>
    answered(
      await world.call('POST', '/books/api/v1/invoices', {
        key: merchant.booksKey,
        headers: { 'idempotency-key': randomUUID() },
        body: {
          contact_id: merchant.contactId,
          lines: [{ description: 'Work', quantity: 1, unit_price: 100 }],
        },
      }),
    ),
  )
  merchant.invoiceIds.add(answer.body.id)
}

function answered(answer: CallResult): CallResult {
  if (answer.status >= 500 || answer.status === 429) throw new Error(answer.text)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

// A caller that is cut off asks again, with the same key where there is one.
async function insist<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + 120_000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > end) throw error
      await pause(100)
    }
  }
}

export async function expectNothingLostOrDoubled(fleet: Fleet, merchant: Merchant): Promise<void> {
  const { world } = fleet
  const { tenant } = merchant
  for (const { id, reference } of merchant.paid) {
    const { status } = await row(fleet, merchant, id)
    const effects = await world.simulator.effects(tenant, reference)
    expect(effects.charge, reference).toBe(1)
    if (merchant.refunded.has(id)) expect([status, effects.refund]).toEqual(['refunded', 1])
    else if (merchant.refundUnknown.has(id)) {
      expect([
        ['refunded', 1],
        ['succeeded', 0],
      ]).toContainEqual([status, effects.refund])
    } else expect([status, effects.refund]).toEqual(['succeeded', 0])
  }
  const payouts = await world.database.sql<
    { id: string; status: string; providerReference: string }[]
  >`
    select id, status, provider_reference
    from merchant.payouts
    where business_id = ${tenant.businessId}`
  expect(new Set(payouts.map(({ id }) => id))).toEqual(merchant.payoutIds)
  for (const { status, providerReference } of payouts) {
    const { transfer } = await world.simulator.effects(tenant, providerReference)
    expect([status, transfer], providerReference).toEqual(['completed', 1])
  }
  const invoices = await world.database.sql<{ id: string }[]>`
    select id
    from books.documents
    where business_id = ${tenant.businessId}`
  expect(new Set(invoices.map(({ id }) => id))).toEqual(merchant.invoiceIds)
  await expectEveryEventReceived(fleet, merchant)
}

async function expectEveryEventReceived(fleet: Fleet, { tenant }: Merchant): Promise<void> {
  const received = new Set(
    fleet.receiver.received.map(
      ({ headers }) => headers['x-service-event-id'] ?? headers['x-accounting-event-id'],
    ),
  )
  const rows = await fleet.world.database.sql<{ id: string; type: string }[]>`
    select event.id, event.type
    from kernel.events event
    join kernel.webhook_deliveries delivery
      on delivery.business_id = event.business_id
      and delivery.event_id = event.id
    where event.business_id = ${tenant.businessId}`
  const events = await eventsOf(fleet.world, tenant)
  expect(rows.length).toBe(events.length)
  expect(rows.filter(({ id }) => !received.has(id))).toEqual([])
}

async function row({ world }: Fleet, { tenant }: Merchant, id: string) {
  const [found] = await world.database.sql<{ status: string }[]>`
    select status
    from merchant.payments
    where business_id = ${tenant.businessId}
      and id = ${id}`
  if (!found) throw new Error(`there is no payment ${id}`)
  return found
}
