import { expect, test } from 'vitest'
import { createPeople } from '../../src/kernel/auth/people.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { createWorker } from '../../src/kernel/jobs/worker.ts'
import { createDemo } from '../../src/start/demo.ts'
import { fillSampleDataJob, queueSampleData } from '../../src/start/sample/fill-sample-data.ts'
import { planSampleData } from '../../src/start/sample/sample-plan.ts'
import { expectInvariants } from '../support/invariants.ts'
import { handOut } from '../support/run-log.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ simulatorServesLive: false })

test('the plan is in order, covers 90 days, and is the same again', () => {
  const until = new Date('2026-05-20T15:00:00.000Z')
  const steps = planSampleData('a business', until)
  const times = steps.map(({ at }) => at.getTime())
  expect(times).toEqual(times.toSorted((left, right) => left - right))
  expect(steps.length).toBeGreaterThan(300)
  expect(steps[0]?.at.toISOString().slice(0, 10)).toBe('2026-02-19')
  expect(steps.at(-1)?.at.getTime()).toBeLessThan(until.getTime())
  expect(planSampleData('a business', until).map(({ at }) => at.getTime())).toEqual(times)
})

test('an empty demo business has no payments and no job', async () => {
  const { tenant } = await demo(false)
  await fill()
  expect(await payments(tenant)).toEqual({})
})

test('a demo business is filled once, through the operations, and all invariants hold', {
  tags: ['long'],
  timeout: 900_000,
}, async () => {
  const { tenant, job } = await demo(true)
  await fill()

  const made = await payments(tenant)
  expect(made.succeeded).toBeGreaterThan(200)
  for (const status of ['failed', 'cancelled', 'partially_refunded', 'refunded']) {
    expect(made[status], status).toBeGreaterThan(0)
  }
  const payouts = await counts('merchant.payouts', 'status', tenant)
  expect(payouts).toMatchObject({ failed: 1, pending: 1 })
  expect(payouts.completed).toBeGreaterThan(5)
  expect(await counts('merchant.subscriptions', 'status', tenant)).toMatchObject({ active: 7 })
  expect(await counts('merchant.approvals', 'state', tenant)).toMatchObject({ pending: 2 })
  expect(await counts('merchant.breaks', 'cause', tenant)).toMatchObject({ underpayment: 1 })
  // Decided disputes depend on payments, and a payment that does not get through is left out.
  const disputes = await counts('merchant.chargebacks', 'status', tenant)
  expect(disputes.open).toBe(1)
  expect((disputes.won ?? 0) + (disputes.lost ?? 0)).toBeGreaterThan(0)
  expect(await counts('books.documents', 'kind', tenant)).toEqual({
    ...{ invoice: 16, credit_note: 1, bill: 8, expense_claim: 1 },
  })
  expect(await counts('books.quotes', 'status', tenant)).toMatchObject({ draft: 1, sent: 2 })
  await expectInvariants(world().database)

  // Nothing was sent to anyone.
  const { sql } = world().database
  const mails = await sql`select state from kernel.mails where state <> 'kept'`
  expect(mails).toHaveLength(0)
  expect(await sql`select 1 from kernel.webhook_deliveries`).toHaveLength(0)

  // A process that died starts again where its slice started.
  await world().database.transaction((tx) => queueSampleData(tx, world().context, tenant, job))
  await fill()
  expect(await payments(tenant)).toEqual(made)
  await expectInvariants(world().database)
})

async function demo(withSample: boolean) {
  const { context, database } = world()
  const people = await createPeople(context, context)
  const made = await createDemo(context, people, { withSample })
  const { owner, approver } = made.app
  handOut(owner.password, approver.password, owner.totp_secret, approver.totp_secret)
  handOut(...owner.backup_codes, ...approver.backup_codes)
  handOut(made.merchant.live_key, made.merchant.test_key)
  handOut(made.books.key, made.books.read_key, made.books.test_key)
  const tenant: Tenant = { businessId: made.business_id, environment: 'live' }
  const [job] = await database.sql<{ payload: Parameters<typeof queueSampleData>[3] }[]>`
    select payload
    from kernel.jobs
    where business_id = ${tenant.businessId}
      and kind = 'fill-sample-data'`
  return { tenant, job: job?.payload ?? { ownerId: '', approverId: '', until: '', step: 0 } }
}

async function fill(): Promise<void> {
  const { context } = world()
  await createWorker({ context, jobs: [fillSampleDataJob], schedules: [], slots: 1 }).drain()
}

function payments(tenant: Tenant): Promise<Record<string, number>> {
  return counts('merchant.payments', 'status', tenant)
}

async function counts(
  table: string,
  column: string,
  tenant: Tenant,
): Promise<Record<string, number>> {
  const { sql } = world().database
  const rows = await sql<{ value: string; count: number }[]>`
    select ${sql.unsafe(column)} as value, count(*)::integer as count
    from ${sql.unsafe(table)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    group by 1`
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]))
}
