// Each invariant of quotes and leads holds for what people do, and detects its kind of damage.

import { beforeAll, expect, it } from 'vitest'
import { invariants } from '../../../src/app/invariants.ts'
import { createLead } from '../../../src/books/leads/create-lead.ts'
import { winLead } from '../../../src/books/leads/win-lead.ts'
import { createQuote } from '../../../src/books/quotes/create-quote.ts'
import { decideQuote } from '../../../src/books/quotes/decide-quote.ts'
import { sendQuote } from '../../../src/books/quotes/send-quote.ts'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let actor: Actor
let contactId: string

beforeAll(async () => {
  const { text: key, businessId } = await world().key({ service: 'books' })
  actor = { kind: 'system', name: 'test', businessId, environment: 'live' }
  const body = { name: 'Ada' }
  contactId = (await world().call('POST', '/books/api/v1/contacts', { key, body })).body.id
})

const newLead = () =>
  runOperation(createLead, world().context, actor, { name: 'Ada', currency: 'EUR' })

async function acceptedQuote(): Promise<string> {
  const { context } = world()
  const lines = [{ description: 'Widget', unitPrice: '1' }]
  const { id } = await runOperation(createQuote, context, actor, { contactId, lines })
  const { publicId } = await runOperation(sendQuote, context, actor, { id, isMailed: false })
  const decision = { publicId: publicId ?? '', decision: 'accept', name: 'Ada' } as const
  await runOperation(decideQuote, context, actor, { id, ...decision })
  return id
}

async function broken(id: string) {
  const { context, database } = world()
  const invariant = invariants.find((known) => known.id === id)
  return invariant?.violations(database.sql, context.clock.now())
}

it('an answer that no one was told of is found', async () => {
  const id = await acceptedQuote()
  expect(await broken('I7.31')).toEqual([])
  await world().database.sql`delete from kernel.events where object_id = ${id}`
  const found = { quoteId: id, status: 'accepted', events: 0 }
  expect(await broken('I7.31')).toEqual([expect.objectContaining(found)])
})

it('a lead that was won in silence is found, and news of a lead that is not won', async () => {
  const { context, database } = world()
  const [silent, loud] = [await newLead(), await newLead()]
  await runOperation(winLead, context, actor, { id: loud.id })
  expect(await broken('I7.32')).toEqual([])
  await database.sql`update books.leads set status = 'won' where id = ${silent.id}`
  await database.sql`update books.leads set status = 'lost' where id = ${loud.id}`
  expect(await broken('I7.32')).toEqual([
    expect.objectContaining({ leadId: silent.id, events: 0 }),
    expect.objectContaining({ leadId: loud.id, events: 1 }),
  ])
})

it('news of a lead that is not there is found', async () => {
  const lead = await newLead()
  await runOperation(winLead, world().context, actor, { id: lead.id })
  expect(await broken('I8.31')).toEqual([])
  await world().database.sql`delete from books.leads where id = ${lead.id}`
  expect(await broken('I8.31')).toEqual([expect.objectContaining({ objectId: lead.id })])
})
