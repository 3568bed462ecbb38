// Taking money: the payer's steps, and the ways in which the outcome reaches us.
import { expect } from 'vitest'
import { listChargebacksOfPayment } from '../../src/merchant/chargebacks/chargeback-store.ts'
import type { PaymentStatus } from '../../src/merchant/payments/payment.ts'
import { listRefundsOfPayment } from '../../src/merchant/refunds/refund-store.ts'
import { countsOf, type ItemShop, newItemLink, orderItems } from '../support/link-items.ts'
import {
  type Begun,
  comeBack,
  discrepanciesOf,
  eventsOf,
  newLink,
  paidPayment,
  payment,
  pressPay,
  type Shop,
  shop,
  storedPayment,
} from '../support/payments.ts'
import type { CallResult } from '../support/world.ts'
import type { Lane } from './lane.ts'
import { operation } from './sweep.ts'

export const chargeOperations = [
  operation({
    name: 'a payer pays and comes back',
    async setUp({ world }) {
      await withholdWebhooks({ world })
      const seller = await shop(world)
      return { ...seller, page: await newLink(world, seller) }
    },
    run: payAndComeBack,
    again: payAndComeBack,
    async end(lane, subject) {
      await expectCharged(lane, await onlyPayment(lane, subject))
    },
    effects: async (lane, subject) => ({
      ...(await onlyPayment(lane, subject)),
      counts: { charge: 1 },
    }),
  }),
  operation({
    name: 'a payer buys the last item',
    async setUp({ world }) {
      await withholdWebhooks({ world })
      const owner = await shop(world)
      return newItemLink(world, owner, [{ name: 'Chair', amount: 1000, stock: 1 }])
    },
    run: buyAndComeBack,
    again: buyAndComeBack,
    async end(lane, subject) {
      await expectCharged(lane, await onlyPayment(lane, subject))
      expect(await countsOf(lane.world, subject)).toEqual(['1 0'])
    },
    effects: async (lane, subject) => ({
      ...(await onlyPayment(lane, subject)),
      counts: { charge: 1 },
    }),
  }),
  operation({
    name: 'a payer goes away with the last item',
    async setUp({ world }) {
      const owner = await shop(world)
      return newItemLink(world, owner, [{ name: 'Chair', amount: 1000, stock: 1 }])
    },
    async run(lane, subject) {
      await orderItems(lane.world, subject, [], { token })
    },
    async end(lane, subject) {
      expect(await countsOf(lane.world, subject)).toEqual(['0 0'])
    },
    effects: async (lane, subject) => ({ ...(await onlyPayment(lane, subject)), counts: {} }),
  }),
  operation({
    name: 'a webhook tells of a payment',
    setUp: ({ world }) => payment(world),
    async run({ world }, begun) {
      await world.simulator.pay(begun.tenant, begun.reference)
      await world.simulator.drain()
    },
    end: expectCharged,
    effects: (_lane, begun) => ({ ...begun, counts: { charge: 1 } }),
  }),
  operation({
    name: 'the poller finds a payment',
    async setUp({ world }) {
      await withholdWebhooks({ world })
      return payment(world)
    },
    async run({ world }, begun) {
      await world.simulator.pay(begun.tenant, begun.reference)
    },
    end: expectCharged,
    effects: (_lane, begun) => ({ ...begun, counts: { charge: 1 } }),
  }),
  operation({
    name: 'a payer goes away',
    setUp: ({ world }) => payment(world),
    run: async () => undefined,
    end: (lane, begun) => expectEnded(lane, begun, 'failed', ['payment.failed']),
    effects: (_lane, begun) => ({ ...begun, counts: {} }),
  }),
  operation({
    name: 'a card is declined',
    async setUp({ world }) {
      await withholdWebhooks({ world })
      return payment(world)
    },
    async run({ world }, begun) {
      await world.simulator.pay(begun.tenant, begun.reference, 'do_not_honour')
      await comeBack(world, begun.reference)
    },
    async again({ world }, begun) {
      await comeBack(world, begun.reference)
    },
    end: (lane, begun) => expectEnded(lane, begun, 'failed', ['payment.failed']),
    effects: (_lane, begun) => ({ ...begun, counts: {} }),
  }),
  operation({
    name: 'a merchant cancels a payment',
    setUp: ({ world }) => payment(world),
    run: cancel,
    again: cancel,
    end: (lane, begun) => expectEnded(lane, begun, 'cancelled', []),
    effects: (_lane, begun) => ({ ...begun, counts: {} }),
  }),
  operation({
    name: 'a payer pays after the cancel',
    async setUp(lane) {
      const { world } = lane
      await withholdWebhooks(lane)
      const begun = await payment(world)
      await cancel(lane, begun)
      // So that giving it back takes two tries.
      const rule = { operation: refundCall, effect: 'refuse', status: 400, count: 1 }
      await world.simulator.rule(begun.tenant, rule)
      return begun
    },
    async run({ world }, begun) {
      await world.simulator.pay(begun.tenant, begun.reference)
      await comeBack(world, begun.reference)
    },
    async end(lane, begun) {
      await expectEnded(lane, begun, 'cancelled', [])
      await expectGivenBack(lane, begun, 'late_success')
    },
    effects: (_lane, begun) => ({ ...begun, counts: { charge: 1, refund: 1 } }),
  }),
  operation({
    name: 'a payer pays too much',
    async setUp(lane) {
      await withholdWebhooks(lane)
      const begun = await payment(lane.world)
      const rule = { operation: 'charge', effect: 'overpay', difference: '150', count: 1 }
      await lane.world.simulator.rule(begun.tenant, rule)
      return begun
    },
    async run({ world }, begun) {
      await world.simulator.pay(begun.tenant, begun.reference)
      await comeBack(world, begun.reference)
    },
    async end(lane, begun) {
      await expectCharged(lane, begun)
      await expectGivenBack(lane, begun, 'overpayment')
    },
    effects: (_lane, begun) => ({ ...begun, counts: { charge: 1, refund: 1 } }),
  }),
  operation({
    name: 'a webhook tells of a chargeback',
    setUp: paidLongAgo,
    async run({ world }, begun) {
      const { reference } = begun
      const act = { subject: 'charge', reference, step: 'charge_back' }
      await world.simulator.control(begun.tenant, 'POST', '/act', act)
      await world.simulator.drain()
    },
    async end(lane, begun) {
      await expectCharged(lane, begun)
      const { sql } = lane.world.database
      const chargebacks = await listChargebacksOfPayment(sql, begun.tenant, begun.id)
      expect(chargebacks).toMatchObject([{ status: 'open', amountMinor: 100_000n }])
      expect(await discrepanciesOf(lane.world, begun.tenant)).toMatchObject([
        { cause: 'chargeback' },
      ])
    },
    effects: (_lane, begun) => ({ ...begun, counts: { charge: 1, chargeback: 1 } }),
  }),
]

export const refundCall = 'POST /transactions/:id/refund'

// The browser keeps the token of the form, so pressing again after a crash is the same press.
const token = 'the-token-of-this-form'

// Where the payer stopped they go on: they do not pay twice what they have paid.
async function payAndComeBack(lane: Lane, subject: Shop & { page: string }): Promise<void> {
  await payFor(lane, subject, await pressPay(lane.world, subject.page, { token }))
}

async function buyAndComeBack(lane: Lane, subject: ItemShop): Promise<void> {
  await payFor(lane, subject, await orderItems(lane.world, subject, [], { token }))
}

async function payFor(lane: Lane, subject: Shop, { status, text }: CallResult): Promise<void> {
  const { world } = lane
  expect(status, text).toBe(303)
  const { tenant, reference } = await onlyPayment(lane, subject)
  const { charge = 0 } = await world.simulator.effects(tenant, reference)
  if (charge === 0) await world.simulator.pay(tenant, reference)
  await comeBack(world, reference)
}

// The last look at the payment is over, and all that is swept is what comes after.
export async function paidLongAgo(lane: Lane, seller?: Shop): Promise<Begun> {
  const begun = await paidPayment(lane.world, seller)
  await lane.pass(3600)
  return begun
}

async function cancel({ world }: Lane, { id, key }: Begun): Promise<void> {
  const path = `/merchant/api/v1/payments/${id}/cancel`
  const { status, text } = await world.call('POST', path, { key, body: {} })
  expect(status, text).toBe(200)
}

// So that only the other ways are tested.
export async function withholdWebhooks({ world }: Pick<Lane, 'world'>): Promise<void> {
  const rule = { operation: 'webhook', effect: 'withhold' }
  await world.simulator.rule({ businessId: '', environment: 'live' }, rule)
}

async function onlyPayment({ world }: Lane, { tenant, key }: Shop): Promise<Begun> {
  const rows = await world.database.sql<{ id: string; reference: string }[]>`
    select id, provider_reference as reference
    from merchant.payments
    where business_id = ${tenant.businessId}`
  const [only] = rows
  expect(rows.length, 'payments').toBe(1)
  return { tenant, key, id: only?.id ?? '', reference: only?.reference ?? '' }
}

async function expectCharged(lane: Lane, begun: Begun): Promise<void> {
  await expectEnded(lane, begun, 'succeeded', ['payment.succeeded'])
  expect((await storedPayment(lane.world, begun)).settledAt).not.toBeNull()
}

async function expectEnded(
  { world }: Lane,
  begun: Begun,
  status: PaymentStatus,
  events: readonly string[],
): Promise<void> {
  expect(await storedPayment(world, begun)).toMatchObject({ status })
  expect((await eventsOf(world, begun.tenant)).map(({ type }) => type)).toEqual(events)
}

async function expectGivenBack(
  { world }: Lane,
  begun: Begun,
  cause: 'late_success' | 'overpayment',
): Promise<void> {
  const refunds = await listRefundsOfPayment(world.database.sql, begun.tenant, begun.id)
  expect(refunds).toMatchObject([{ cause, status: 'settled' }])
  expect(await discrepanciesOf(world, begun.tenant)).toMatchObject([{ cause }])
}
