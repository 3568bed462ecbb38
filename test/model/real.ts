// The application for the commands: one shop in a whole application on a real database, with the
// simulated provider over HTTP and a controlled clock.

import { expect } from 'vitest'
import { jobs, schedules } from '../../src/app/background-work.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { bookServiceMoneySchedule } from '../../src/bridge/book-service-money.ts'
import type { PersonActor } from '../../src/kernel/auth/actor.ts'
import type { People } from '../../src/kernel/auth/people.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { createWorker } from '../../src/kernel/jobs/worker.ts'
import { creditBalanceOf } from '../../src/kernel/ledger/ledger.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { setThreshold } from '../../src/merchant/approvals/set-threshold.ts'
import { listBusinessBalances } from '../../src/merchant/balances/balance-store.ts'
import { writeSettlementAccount } from '../../src/merchant/business/set-settlement-account.ts'
import { ledgerAccounts } from '../../src/merchant/ledger-accounts.ts'
import { payoutReference } from '../../src/merchant/payouts/payout.ts'
import { listPayouts } from '../../src/merchant/payouts/payout-store.ts'
import { listRecipients } from '../../src/merchant/recipients/recipient-store.ts'
import type { ManualClock } from '../support/clock.ts'
import { newBooks } from '../support/documents.ts'
import { expectInvariants } from '../support/invariants.ts'
import { type Shop, shop } from '../support/payments.ts'
import { credit, settlementAccount } from '../support/payouts.ts'
import { amountOn } from '../support/service-money.ts'
import type { CallResult, World } from '../support/world.ts'
import { type Model, type Payment, thresholdMinor } from './model.ts'
import { balancesOf, openingMinor, payoutThresholdMinor } from './money-out.ts'
import { suspenseMinor } from './suspense.ts'

export type Real = Shop & {
  readonly world: World
  readonly clock: ManualClock
  readonly approver: PersonActor
  // Of an invoice in the books that is larger than all that is paid.
  readonly invoiceNumber: string
  call(method: string, path: string, options?: object): Promise<CallResult>
  // Something at the provider; see docs/simulator.md.
  control(path: string, body: object): Promise<void>
  // Misbehaviour for what the callback does about one payment, and not a moment longer.
  under<Value>(rules: readonly object[], act: () => Promise<Value>): Promise<Value>
  runBackground(): Promise<void>
  // The one payment that the model does not know yet; of one subscription, if it is given.
  findNewPayment(model: Model, subscriptionId?: string): Promise<Pick<Payment, 'id' | 'reference'>>
}

export async function createReal(
  world: World,
  clock: ManualClock,
  people: People,
  approverId: string,
): Promise<Real> {
  const owner = await shop(world)
  const { tenant, key } = owner
  const { businessId } = tenant
  const system = { kind: 'system', name: 'test', ...tenant } as const
  await world.database.transaction(async (tx) => {
    await people.addMembership(tx, businessId, approverId, 'approver')
    await writeSettlementAccount(tx, world.context, system, settlementAccount)
    const currency = 'NGN'
    const thresholds = [
      { operation: 'refund', currency, amountMinor: thresholdMinor },
      { operation: 'payout', currency, amountMinor: payoutThresholdMinor },
    ] as const
    for (const one of thresholds) await setThreshold(tx, world.context, system, one)
  })
  await credit(world, tenant, 'NGN', openingMinor)
  const invoiceNumber = await issueInvoice(world, businessId)
  // Whether the provider's own wallet covers something is another matter.
  await world.simulator.control(tenant, 'POST', '/fund', { amount: '1000000', currency: 'NGN' })
  const { signal } = new AbortController()
  return {
    ...owner,
    world,
    clock,
    invoiceNumber,
    approver: { kind: 'person', personId: approverId, role: 'approver', ...tenant },
    call: (method, path, options = {}) =>
      world.call(method, `/merchant/api/v1${path}`, { key, ...options }),
    control: (path, body) => world.simulator.control(tenant, 'POST', path, body),
    async under(rules, act) {
      for (const rule of rules) await world.simulator.rule(tenant, { ...rule })
      try {
        return await act()
      } finally {
        if (rules.length > 0) await world.simulator.removeRules(tenant)
      }
    },
    async runBackground() {
      const { context } = world
      await world.simulator.drain()
      await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
      for (const schedule of schedules) await schedule.run(context, signal)
    },
    findNewPayment: (model, subscriptionId) => findNewPayment(world, tenant, model, subscriptionId),
  }
}

// So large that all payments together don't pay it.
export const firstInvoiceMinor = 100_000_000n

async function issueInvoice(world: World, businessId: string): Promise<string> {
  const { context } = world
  const books = await newBooks(world, { businessId })
  const line = { description: 'Work', unitPrice: '1000000', accountId: books.account('4000') }
  const { id } = await books.draft('invoice', { lines: [line] })
  const { number } = await runOperation(issueDocument, context, books.owner, { id })
  return number ?? ''
}

async function findNewPayment(
  { database }: World,
  { businessId }: Tenant,
  { payments }: Model,
  subscriptionId?: string,
): Promise<Pick<Payment, 'id' | 'reference'>> {
  const rows = await database.sql<
    { id: string; subscriptionId: string | null; reference: string }[]
  >`
    select id, subscription_id, provider_reference as reference
    from merchant.payments
    where business_id = ${businessId}`
  const known = new Set(payments.map(({ id }) => id))
  const made = rows.filter(
    (one) => !known.has(one.id) && one.subscriptionId === (subscriptionId ?? null),
  )
  expect(made, 'new payments').toHaveLength(1)
  const { id = '', reference = '' } = made[0] ?? {}
  return { id, reference }
}

// Everything that must always hold does, too.
export async function expectAgreement(model: Model, real: Real): Promise<void> {
  await expectSame(model, real)
  await expectInvariants(real.world.database)
}

// After every command: the merchant sees what the model says, and the ledger owes what it should.
export async function expectSame(model: Model, real: Real): Promise<void> {
  // What the provider sends is delivered before anybody looks, so that a run can be repeated.
  await real.world.simulator.drain()
  const { tenant, world } = real
  const rows = await world.database.sql<{ id: string; status: string; refundedMinor: bigint }[]>`
    select id, status, refunded_minor
    from merchant.payments
    where business_id = ${tenant.businessId}`
  const seen = rows.map(({ id, status, refundedMinor }) => `${id} ${status} ${refundedMinor}`)
  const meant = model.payments.map(
    ({ id, status, refundedMinor }) => `${id} ${status} ${refundedMinor}`,
  )
  expect(seen.toSorted()).toEqual(meant.toSorted())
  await expectPayouts(model, real)
  await expectRecipients(model, real)
  await expectSubscriptions(model, real)
  const [balance] = await listBusinessBalances(world.database.sql, tenant)
  expect({
    pending: balance?.pendingMinor,
    available: balance?.availableMinor,
    reserved: balance?.reservedMinor,
    wallet: balance?.walletMinor,
  }).toEqual(balancesOf(model))
  await expectSuspense(model, real)
  await expectBooks(model, real)
}

// The books follow by themselves: clearing is what the service holds, and nothing waits.
async function expectBooks(model: Model, { tenant, world }: Real): Promise<void> {
  await bookServiceMoneySchedule.run(world.context, new AbortController().signal)
  const waiting = await world.database.sql`
    select kind, reason
    from books.service_movements
    where business_id = ${tenant.businessId}
      and status <> 'booked'`
  expect([...waiting], 'what waits in the books').toEqual([])
  const { pending, available, reserved, wallet } = balancesOf(model)
  const heldMinor = pending + available + reserved + wallet
  expect(await amountOn(world, tenant, '1150', 'NGN'), 'clearing').toBe(heldMinor)
}

// What the system gives back by itself, and when, the model does not follow; that it comes out of
// suspense shows here.
async function expectSuspense(model: Model, { tenant, world }: Real): Promise<void> {
  const { sql } = world.database
  const [given] = await sql<{ amountMinor: bigint }[]>`
    select coalesce(sum(amount_minor), 0)::bigint as amount_minor
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and currency = 'NGN'
      and cause <> 'requested'
      and status in ('accepted', 'settled')`
  const account = { account: ledgerAccounts.suspense, currency: 'NGN' }
  const meantMinor = suspenseMinor(model, given?.amountMinor ?? 0n)
  expect(await creditBalanceOf(sql, tenant, account), 'suspense').toBe(meantMinor)
}

async function expectPayouts({ payouts }: Model, { tenant, world }: Real): Promise<void> {
  const stored = await listPayouts(world.database.sql, tenant, payouts.length + 1)
  const seen = stored.map(
    ({ id, status, contradictedAt }) => `${id} ${status} ${contradictedAt !== null}`,
  )
  const meant = payouts.map(({ id, status, isContradicted }) => `${id} ${status} ${isContradicted}`)
  expect(seen.toSorted()).toEqual(meant.toSorted())
}

async function expectRecipients({ recipients }: Model, { tenant, world }: Real): Promise<void> {
  const stored = await listRecipients(world.database.sql, tenant)
  const seen = stored.map(
    ({ id, subaccountId, disabled }) => `${id} ${subaccountId !== null} ${disabled}`,
  )
  const meant = recipients.map(
    ({ id, isRegistered, isDisabled }) => `${id} ${isRegistered} ${isDisabled}`,
  )
  expect(seen.toSorted()).toEqual(meant.toSorted())
}

// When each is due next is compared to the moment.
async function expectSubscriptions(
  { subscriptions }: Model,
  { tenant, world }: Real,
): Promise<void> {
  const seen = await world.database.sql<Record<string, unknown>[]>`
    select
      subscription.id, subscription.status, subscription.cancel_at_period_end,
      subscription.next_at, newest.number, newest.paid_at is not null as is_paid, newest.failures,
      newest.sends
    from merchant.subscriptions as subscription
    join merchant.subscription_periods as newest
      on newest.business_id = subscription.business_id
      and newest.environment = subscription.environment
      and newest.subscription_id = subscription.id
      and newest.number = subscription.period
    where subscription.business_id = ${tenant.businessId}
    order by subscription.id`
  const meant = subscriptions.map((one) => ({
    id: one.id,
    status: one.status,
    cancelAtPeriodEnd: one.endsWithPeriod,
    nextAt: one.nextAtMs === undefined ? null : new Date(one.nextAtMs),
    number: one.period,
    isPaid: one.isPaid,
    failures: one.failures,
    sends: one.charge?.sends ?? 0,
  }))
  expect([...seen]).toEqual(meant.toSorted((left, right) => (left.id < right.id ? -1 : 1)))
}

// At the end of a run: for one intent the provider acted once.
export async function expectEffects(model: Model, real: Real): Promise<void> {
  for (const payment of model.payments) {
    const done = await real.world.simulator.effects(real.tenant, payment.reference)
    const taken = ['successful', 'reversed'].includes(payment.charge?.status ?? '')
    expect(done.charge ?? 0, 'charges').toBe(taken ? 1 : 0)
    const counted = payment.refunds.filter(({ state }) => ['executed', 'reversed'].includes(state))
    // What the system gives back by itself is the one thing that the model does not follow.
    const owed = await real.world.database.sql`
      select
      from merchant.refunds
      where payment_id = ${payment.id}
        and cause <> 'requested'
        and provider_refund_id is not null`
    expect(done.refund ?? 0, 'refunds').toBe(counted.length + owed.length)
  }
  const { effects } = real.world.simulator
  for (const { id, transfer } of model.payouts) {
    const done = await effects(real.tenant, payoutReference(real.tenant, id))
    expect(done.transfer ?? 0, 'transfers').toBe(transfer ? 1 : 0)
  }
  for (const { id } of model.recipients) {
    expect((await effects(real.tenant, id)).subaccount, 'sub-accounts').toBe(1)
  }
}
