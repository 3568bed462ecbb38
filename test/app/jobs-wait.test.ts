// On a distributed database a job can be seen before the rest of its transaction. Here the rows of
// each job's cause are in a transaction of another connection that is not committed yet: the job
// waits, without an attempt, and then does its work once.
import { beforeEach, expect, it } from 'vitest'
import { jobs } from '../../src/app/background-work.ts'
import { createBatch } from '../../src/books/batches/create-batch.ts'
import { getDocument } from '../../src/books/documents/get-document.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { confirmImport } from '../../src/books/imports/confirm-import.ts'
import { startImport } from '../../src/books/imports/start-import.ts'
import { causeWaitSeconds } from '../../src/kernel/jobs/job.ts'
import { notify } from '../../src/kernel/notices/notify.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { putThreshold } from '../merchant/refunds/paid-payment.ts'
import { manualClock } from '../support/clock.ts'
import { newBooks } from '../support/documents.ts'
import { workerFor } from '../support/jobs.ts'
import { queue } from '../support/mails.ts'
import { paidPayment, payment } from '../support/payments.ts'
import { member, payer } from '../support/payouts.ts'
import { cancel, subscribed } from '../support/subscriptions.ts'
import { useWorld } from '../support/world.ts'

type Cause = {
  readonly table: string
  readonly id: string
  // Its row as it was; without, there was none.
  readonly before?: Readonly<Record<string, string | null>>
  // How often the work was done.
  effects(): Promise<number>
}

const sent: string[] = []
const clock = manualClock()
const world = useWorld({
  clock,
  mailer: {
    sender: { name: 'Tillbook', address: 'mail@example.com' },
    async send(accepted) {
      sent.push(...accepted)
      return { accepted, refused: [], problem: undefined }
    },
  },
})

const forgetJobs = async () => {
  await world().database.sql`delete from kernel.jobs`
}

beforeEach(forgetJobs)

const causes: Readonly<Record<string, (() => Promise<Cause>)[]>> = {
  'look-at-payment': [
    async () => {
      const { id } = await payment(world())
      // The next look is queued.
      const effects = () => count('kernel.jobs', { kind: 'look-at-payment', uniqueKey: `${id}:2` })
      return { table: 'merchant.payments', id, effects }
    },
  ],
  'resolve-payment': [
    async () => {
      const { tenant, reference, id } = await payment(world())
      await world().simulator.pay(tenant, reference)
      await world().simulator.drain()
      const effects = () => count('kernel.events', { objectId: id, type: 'payment.succeeded' })
      return { table: 'merchant.payments', id, effects }
    },
  ],
  'resolve-payout': [
    async () => {
      const { body } = await (await payer(world())).payOut()
      await world().simulator.drain()
      const id: string = body.payoutId
      const effects = () =>
        count('kernel.ledger_entries', { sourceId: id, kind: 'payout.completed' })
      return { table: 'merchant.payouts', id, effects }
    },
  ],
  'look-for-chargebacks': [
    async () => {
      const { tenant, reference, id } = await paidPayment(world())
      const step = { subject: 'charge', reference, step: 'charge_back' }
      await world().simulator.control(tenant, 'POST', '/act', step)
      await world().simulator.drain()
      const effects = () => count('merchant.chargebacks', { paymentId: id })
      return { table: 'merchant.payments', id, effects }
    },
  ],
  'send-mail': [
    async () => {
      sent.length = 0
      const id = await queue(world().context)
      return { table: 'kernel.mails', id, effects: async () => sent.length }
    },
  ],
  // It finds everything in its own row: the transaction changes nothing else.
  'mail-password-reset': [],
  'mail-notice': [
    async () => {
      const { businessId } = await member(world(), await newTenant(), 'owner')
      const notice = { kind: 'transfers', fact: 'a payout', subject: 'Paid out' } as const
      await world().database.transaction((tx) =>
        notify(
          tx,
          world().context,
          { businessId, environment: 'live' },
          { ...notice, lines: ['It was paid out.'], path: '/payouts' },
        ),
      )
      const id = await onlyId('kernel.notices', businessId)
      return { table: 'kernel.notices', id, effects: mailsOf(businessId) }
    },
  ],
  'mail-payer': [
    async () => {
      const { tenant, id } = await paidPayment(world())
      const noAmounts = { fee_minor: null, net_minor: null, succeeded_at: null, settled_at: null }
      const before = { status: 'processing', ...noAmounts }
      return { table: 'merchant.payments', id, before, effects: mailsOf(tenant.businessId) }
    },
    async () => {
      const { tenant, key, id: paymentId } = await paidPayment(world())
      await forgetJobs()
      await putThreshold(world(), tenant, 'NGN', 100_000_000n)
      await world().simulator.control(tenant, 'POST', '/fund', { amount: 10_000, currency: 'NGN' })
      const path = `/merchant/api/v1/payments/${paymentId}/refund`
      const answer = await world().call('POST', path, { key, body: {} })
      expect(answer.status, answer.text).toBe(200)
      const id = await onlyId('merchant.refunds', tenant.businessId)
      const before = { status: 'pending' }
      return { table: 'merchant.refunds', id, before, effects: mailsOf(tenant.businessId) }
    },
  ],
  'mail-subscriber': [
    async () => {
      const { tenant, id } = await subscribed(world())
      const before = { status: 'incomplete', next_at: null }
      return { table: 'merchant.subscriptions', id, before, effects: mailsOf(tenant.businessId) }
    },
    async () => {
      const one = await subscribed(world())
      await forgetJobs()
      await cancel(world(), one)
      const next_at = clock.now().toISOString()
      const before = { status: 'active', cancelled_at: null, next_at }
      const effects = mailsOf(one.tenant.businessId)
      return { table: 'merchant.subscriptions', id: one.id, before, effects }
    },
  ],
  'draw-document': [
    async () => {
      const books = await newBooks(world())
      const { id } = await books.draft('invoice')
      await runOperation(issueDocument, world().context, books.owner, { id })
      const effects = () => count('books.document_files', { documentId: id })
      return { table: 'books.documents', id, before: { snapshot: null }, effects }
    },
  ],
  'finish-batch': [
    async () => {
      const books = await newBooks(world())
      const owner = await member(world(), books.owner, 'owner')
      const { id: documentId } = await books.draft('invoice')
      const { version } = await runOperation(getDocument, world().context, owner, {
        id: documentId,
      })
      const { id } = await runOperation(createBatch, world().context, owner, {
        side: 'sales',
        act: 'issue',
        documents: [{ id: documentId, version }],
      })
      const effects = () => count('kernel.audit_log', { objectId: id, action: 'batch.finish' })
      return { table: 'books.batches', id, effects }
    },
  ],
  'run-import': [
    async () => {
      const { id } = await startedImport()
      const effects = () => count('kernel.audit_log', { objectId: id, action: 'import.check' })
      return { table: 'books.imports', id, effects }
    },
    async () => {
      const { id, admin } = await startedImport()
      await run('run-import')
      await runOperation(confirmImport, world().context, admin, { id })
      const { businessId } = admin
      const effects = () => count('books.contacts', { businessId, environment: 'live' })
      return { table: 'books.imports', id, before: { status: 'checked' }, effects }
    },
  ],
}

it('there is a case for every kind of job', () => {
  expect(Object.keys(causes).toSorted()).toEqual(jobs.map(({ kind }) => kind).toSorted())
})

const cases = Object.entries(causes).flatMap(([kind, makes]) =>
  makes.map((make, index) => ({ kind, make, case: index + 1 })),
)

it.each(cases)('$kind waits for its cause ($case)', async ({ kind, make }) => {
  const cause = await make()
  await makeDue(kind)
  const [queued] = await queuedOf(kind)
  if (!queued) throw new Error(`no job ${kind} was queued`)
  const same = { id: queued.id, attempts: 0, image: expect.any(String) }
  await whileUncommitted(cause, async () => {
    await run(kind)
    expect(await queuedOf(kind)).toEqual([same])
    expect(await cause.effects()).toBe(0)
  })
  clock.advance(10_000)
  await run(kind)
  expect(await queuedOf(kind)).not.toContainEqual(same)
  expect(await cause.effects()).toBe(1)
  // A job may run twice.
  await queueAgain(queued.image)
  await run(kind)
  expect(await cause.effects()).toBe(1)
})

it.each([
  ['resolve-payment', 0],
  ['mail-notice', 1],
])('without a cause, %s does not wait for ever', async (kind, left) => {
  const [make] = causes[kind] ?? []
  const cause = await make?.()
  if (!cause) throw new Error(`no case for ${kind}`)
  await makeDue(kind)
  await whileUncommitted(cause, async () => {
    clock.advance(causeWaitSeconds * 1000)
    await run(kind)
    expect((await queuedOf(kind)).map(({ attempts }) => attempts)).toEqual(Array(left).fill(1))
  })
})

// The rows are as before for everyone but the transaction that holds the change.
async function whileUncommitted({ table, id, before }: Cause, check: () => Promise<void>) {
  const { sql, transaction } = world().database
  const name = sql(table)
  const columns = await sql<{ name: string }[]>`
    select column_name as name
    from information_schema.columns
    where table_schema || '.' || table_name = ${table}
      and is_generated = 'NEVER'`
  const names = sql(columns.map((column) => column.name))
  const [row] = await sql<{ image: string }[]>`
    select to_jsonb(one)::text as image
    from ${name} as one
    where id = ${id}`
  if (!row) throw new Error(`no row ${id} of ${table}`)
  await transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    if (before) await tx`update ${name} set ${tx(before)} where id = ${id}`
    else await tx`delete from ${name} where id = ${id}`
  })
  // Not `transaction`, inside of which no job may open its own.
  const connection = await sql.reserve()
  try {
    await connection`begin`
    await connection`set local session_replication_role = replica`
    // A job may take long on a busy machine.
    await connection`set local idle_in_transaction_session_timeout = 0`
    await connection`delete from ${name} where id = ${id}`
    await connection`
      insert into ${name} (${names})
      select ${names}
      from jsonb_populate_record(null::${name}, ${row.image}::jsonb)`
    await check()
    await connection`commit`
  } finally {
    connection.release()
  }
}

type Queued = { id: string; attempts: number; image: string }

function queuedOf(kind: string): Promise<Queued[]> {
  return world().database.sql<Queued[]>`
    select id, attempts, to_jsonb(job)::text as image
    from kernel.jobs as job
    where kind = ${kind}
    order by created_at, id`
}

async function makeDue(kind: string): Promise<void> {
  await world().database.sql`
    update kernel.jobs
    set run_at = ${clock.now()}
    where kind = ${kind}`
}

async function run(kind: string): Promise<void> {
  const own = jobs.filter((job) => job.kind === kind)
  await workerFor(world().context, { jobs: own }).drain()
}

async function queueAgain(image: string): Promise<void> {
  await world().database.sql`
    insert into kernel.jobs
    select *
    from jsonb_populate_record(null::kernel.jobs, ${image}::jsonb)`
}

async function count(table: string, wanted: Readonly<Record<string, string>>): Promise<number> {
  const { sql } = world().database
  const conditions = Object.entries(wanted).map(([name, value]) => sql`and ${sql(name)} = ${value}`)
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from ${sql(table)}
    where true ${conditions}`
  return row?.count ?? 0
}

const mailsOf = (businessId: string) => () => count('kernel.mails', { businessId })

async function onlyId(table: string, businessId: string): Promise<string> {
  const { sql } = world().database
  const [row] = await sql<{ id: string }[]>`
    select id
    from ${sql(table)}
    where business_id = ${businessId}`
  return row?.id ?? ''
}

async function newTenant() {
  return { businessId: await world().business(), environment: 'live' } as const
}

async function startedImport() {
  const admin = await member(world(), await newTenant(), 'admin')
  const file = {
    name: 'contacts',
    fileName: 'contacts.csv',
    content: 'name,email\nAda,\n',
  } as const
  const { id } = await runOperation(startImport, world().context, admin, file)
  return { id, admin }
}
