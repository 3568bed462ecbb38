// The application as the commands use it: one shop in a whole application on a real database, with
// the simulated provider over HTTP and a clock that moves only when told.
import { expect } from 'vitest'
import { jobs, schedules } from '../../src/background-work.ts'
import type { PersonActor } from '../../src/kernel/auth/actor.ts'
import type { People } from '../../src/kernel/auth/people.ts'
import { createWorker } from '../../src/kernel/jobs/worker.ts'
import type { ManualClock } from '../support/clock.ts'
import { expectInvariants } from '../support/invariants.ts'
import { balancesOf, type Shop, shop } from '../support/payments.ts'
import type { CallResult, World } from '../support/world.ts'
import { type Model, owedMinor, thresholdMinor } from './model.ts'

export type Real = Shop & {
  readonly world: World
  readonly clock: ManualClock
  readonly approver: PersonActor
  call(method: string, path: string, options?: object): Promise<CallResult>
  // Something at the provider; see docs/simulator.md.
  control(path: string, body: object): Promise<void>
  // Misbehaviour for what the callback does about one payment, and not a moment longer.
  under<Value>(rules: readonly object[], act: () => Promise<Value>): Promise<Value>
  runBackground(): Promise<void>
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
  await world.database.transaction((tx) =>
    people.addMembership(tx, businessId, approverId, 'approver'),
  )
  const threshold = { operation: 'refund', currency: 'NGN', amountMinor: thresholdMinor }
  const { sql } = world.database
  await sql`
    insert into merchant.approval_thresholds
      ${sql({ businessId, ...threshold, updatedAt: clock.now() })}`
  const { signal } = new AbortController()
  return {
    ...owner,
    world,
    clock,
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
  }
}

// After every command: the merchant sees what the model says, the ledger owes what it should, and
// everything that must always hold does.
export async function expectAgreement(model: Model, real: Real): Promise<void> {
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
  const balances = await balancesOf(world, tenant)
  expect({
    pending: -(balances['merchant:pending NGN'] ?? 0n),
    available: -(balances['merchant:available NGN'] ?? 0n),
  }).toEqual(owedMinor(model))
  await expectInvariants(world.database)
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
}
