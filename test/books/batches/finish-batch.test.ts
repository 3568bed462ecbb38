// An act on many documents: what the job does to each, and that a job which was stopped in the
// middle goes on without doing anything twice.
import { beforeEach, describe, expect, it } from 'vitest'
import { createBatch } from '../../../src/books/batches/create-batch.ts'
import { finishBatchJob } from '../../../src/books/batches/finish-batch.ts'
import { getBatch } from '../../../src/books/batches/get-batch.ts'
import { getDocument } from '../../../src/books/documents/get-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { listPayments } from '../../../src/books/payments/list-payments.ts'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import { deleteMembership } from '../../../src/kernel/auth/membership-store.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { withRepeatedTransactions } from '../../support/repeated-transactions.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let visitor: AppVisitor
let owner: PersonActor

beforeEach(async () => {
  books = await newBooks(world())
  visitor = await appVisitor(world(), books.businessId)
  owner = { ...books.owner, personId: visitor.personId }
  return () => expectInvariants(world().database)
})

const read = (id: string) => runOperation(getDocument, world().context, owner, { id })

type Input = Omit<Parameters<typeof createBatch.run>[2], 'side' | 'documents'>

async function start(ids: readonly string[], input: Input) {
  const documents = await Promise.all(
    ids.map(async (id) => ({ id, version: (await read(id)).version })),
  )
  const asked = { side: 'sales' as const, documents, ...input }
  return (await runOperation(createBatch, world().context, owner, asked)).id
}

async function run(batchId: string, failAt?: string, attempt = 1): Promise<void> {
  const { businessId, environment } = books
  const job = { id: batchId, attempt, tenant: { businessId, environment }, payload: { batchId } }
  const failpoint = (name: string) => {
    if (name === failAt) throw new Error(`stopped at ${name}`)
  }
  const context = failAt ? { ...world().context, failpoint } : world().context
  await finishBatchJob.prepare(job)(context, new AbortController().signal)
}

async function results(batchId: string) {
  const { documents, finishedAt } = await runOperation(getBatch, world().context, owner, {
    id: batchId,
  })
  return { finishedAt, results: documents.map(({ status, reason }) => reason ?? status) }
}

const drafts = (count: number, input = {}) =>
  Promise.all(Array.from({ length: count }, async () => (await books.draft('invoice', input)).id))

async function issued(count: number): Promise<string[]> {
  const ids = await drafts(count)
  for (const id of ids) await runOperation(issueDocument, world().context, owner, { id })
  return ids
}

it('issues each document, in the order of the list', async () => {
  const ids = await drafts(3)
  const batch = await start(ids, { act: 'issue' })
  await run(batch)
  expect(await results(batch)).toEqual({
    finishedAt: expect.any(Date),
    results: ['done', 'done', 'done'],
  })
  const numbers = (await Promise.all(ids.map(read))).map(({ number }) => number)
  expect(numbers).toEqual(numbers.toSorted())
  expect(new Set(numbers).size).toBe(3)
})

it('refuses what was changed or decided meanwhile, and goes on with the rest', async () => {
  const [changed = '', other = '', good = ''] = await drafts(3)
  const version = (id: string) => read(id).then((document) => document.version)
  const documents = [
    { id: changed, version: (await version(changed)) - 1 },
    { id: other, version: await version(other) },
    { id: good, version: await version(good) },
  ]
  const asked = { side: 'sales', act: 'issue', documents } as const
  const { id: batch } = await runOperation(createBatch, world().context, owner, asked)
  await runOperation(issueDocument, world().context, owner, { id: other })
  await run(batch)
  expect((await results(batch)).results).toEqual([
    'Someone else has changed it meanwhile. Look at it again.',
    'An invoice that is issued cannot be issued.',
    'done',
  ])
})

it('marks a document whose transaction was rolled back by a deadlock and repeated', async () => {
  const batch = await start(await drafts(1), { act: 'issue' })
  const { businessId, environment } = books
  const tenant = { businessId, environment }
  const job = { id: batch, attempt: 1, tenant, payload: { batchId: batch } }
  const { context: own } = world()
  const context = { ...own, database: withRepeatedTransactions(own.database) }
  await finishBatchJob.prepare(job)(context, new AbortController().signal)
  expect((await results(batch)).results).toEqual(['done'])
})

describe('a job that was stopped', () => {
  it('issues nothing again', async () => {
    const ids = await drafts(2)
    const batch = await start(ids, { act: 'issue' })
    await expect(run(batch, 'document.issued')).rejects.toThrow('stopped')
    const numbers = (await Promise.all(ids.map(read))).map(({ number }) => number)
    await run(batch)
    expect((await results(batch)).results).toEqual(['done', 'done'])
    expect((await Promise.all(ids.map(read))).map(({ number }) => number)).toEqual(numbers)
  })

  it('pays nothing again', async () => {
    const ids = await issued(2)
    const payment = { accountId: books.account('1000'), date: (await read(ids[0] ?? '')).date }
    const batch = await start(ids, { act: 'record_payment', payment })
    await expect(run(batch, 'settlement.recorded')).rejects.toThrow('stopped')
    expect((await results(batch)).results).toEqual(['waiting', 'waiting'])
    await run(batch)
    expect((await results(batch)).results).toEqual(['done', 'done'])
    const payments = await runOperation(listPayments, world().context, owner, {})
    expect(payments.map(({ amountMinor }) => amountMinor)).toEqual([10_000n, 10_000n])
  })

  it('says so of what never succeeds', async () => {
    const batch = await start(await drafts(1), { act: 'issue' })
    // Fails before the document is changed.
    const { database } = world().context
    const transaction = () => Promise.reject(new Error('no transaction'))
    const broken = { ...world().context, database: { ...database, transaction } }
    const { businessId, environment } = books
    const job = { id: batch, tenant: { businessId, environment }, payload: { batchId: batch } }
    const last = finishBatchJob.prepare({ ...job, attempt: finishBatchJob.attemptsMax })
    await expect(last(broken, new AbortController().signal)).rejects.toThrow('no transaction')
    expect((await results(batch)).results).toEqual([expect.stringContaining('unexpected error')])
  })
})

it('does nothing for a person who has left', async () => {
  const [id = ''] = await drafts(1)
  const batch = await start([id], { act: 'issue' })
  await world().database.transaction((tx) =>
    deleteMembership(tx, books.businessId, visitor.personId),
  )
  await run(batch)
  expect((await results(batch)).results).toEqual([
    'The person who started it has left the business.',
  ])
  expect(await read(id)).toMatchObject({ status: 'draft' })
})

it('refuses a document of the other side, and the same one twice', async () => {
  const bill = await books.draft('bill')
  await expect(start([bill.id], { act: 'issue' })).rejects.toThrow('No such document')
  const [id = ''] = await drafts(1)
  await expect(start([id, id], { act: 'issue' })).rejects.toThrow('each document once')
})
