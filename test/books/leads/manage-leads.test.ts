import { beforeAll, describe, expect, it } from 'vitest'
import { createLead } from '../../../src/books/leads/create-lead.ts'
import { editLead } from '../../../src/books/leads/edit-lead.ts'
import type { Lead } from '../../../src/books/leads/lead.ts'
import { listLeads } from '../../../src/books/leads/lead-store.ts'
import { loseLead } from '../../../src/books/leads/lose-lead.ts'
import { moveLead } from '../../../src/books/leads/move-lead.ts'
import { winLead } from '../../../src/books/leads/win-lead.ts'
import type { PersonActor, Role } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { expectBooksEventsAsDescribed } from '../../support/openapi.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let businessId: string
const input = {
  name: 'Ada Example',
  company: 'Example Ltd',
  email: 'ada@example.com',
  phone: null,
  notes: null,
  value: '12500.50',
  currency: 'EUR',
}

beforeAll(async () => {
  businessId = await world().business()
})

const person = (role: Role): PersonActor => ({
  kind: 'person',
  personId: '0190a000-0000-7000-8000-000000000001',
  role,
  businessId,
  environment: 'live',
})
const create = () => runOperation(createLead, world().context, person('member'), input)

async function eventsOf(lead: Lead) {
  const events = await world().database.sql<{ type: string; data: unknown }[]>`
    select type, data from kernel.events where object_id = ${lead.id} order by id`
  expectBooksEventsAsDescribed(events)
  return events
}

async function actsOn(lead: Lead): Promise<string[]> {
  const rows = await world().database.sql<{ action: string }[]>`
    select action from kernel.audit_log where object_id = ${lead.id} order by at, id`
  return rows.map(({ action }) => action)
}

describe('a lead', () => {
  it('starts as new, moves forward and back, and each act is in the audit log', async () => {
    const lead = await create()
    const { value: _value, ...stored } = input
    expect(lead).toMatchObject({ ...stored, valueMinor: 1_250_050n, status: 'new' })
    const { context } = world()
    expect(
      (await runOperation(moveLead, context, person('member'), { id: lead.id, status: 'quoted' }))
        .status,
    ).toBe('quoted')
    expect(
      (
        await runOperation(moveLead, context, person('member'), {
          id: lead.id,
          status: 'contacted',
        })
      ).status,
    ).toBe('contacted')
    const edited = await runOperation(editLead, context, person('member'), {
      id: lead.id,
      ...input,
      name: 'Ada B',
    })
    expect(edited).toMatchObject({ name: 'Ada B', status: 'contacted' })
    expect(await actsOn(lead)).toEqual(['lead.create', 'lead.move', 'lead.move', 'lead.edit'])
    expect(await eventsOf(lead)).toEqual([])
    const listed = await listLeads(world().database.sql, person('viewer'), 'contacted', 10)
    expect(listed.map(({ id }) => id)).toContain(lead.id)
  })

  it('that is won is told by one event with exactly the documented data', async () => {
    const lead = await create()
    await runOperation(winLead, world().context, person('member'), { id: lead.id })
    expect(await eventsOf(lead)).toEqual([
      {
        type: 'lead.won',
        data: {
          id: lead.id,
          name: 'Ada Example',
          company: 'Example Ltd',
          value: 12500.5,
          currency: 'EUR',
          contact_id: null,
          quote_id: null,
        },
      },
    ])
  })

  it('of two who win it at once, one does, and there is one event', async () => {
    const lead = await create()
    const { context } = world()
    const tries = [1, 2, 3].map(() =>
      runOperation(winLead, context, person('member'), { id: lead.id }),
    )
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await eventsOf(lead)).toHaveLength(1)
  })
})

describe('refused is', () => {
  it.each(['won', 'lost'] as const)('every change of a lead that is %s', async (end) => {
    const lead = await create()
    const { context } = world()
    const actor = person('owner')
    if (end === 'won') await runOperation(winLead, context, actor, { id: lead.id })
    else await runOperation(loseLead, context, actor, { id: lead.id, reason: 'too dear' })
    const message = `The lead is ${end} and can no longer change.`
    await expect(
      runOperation(moveLead, context, actor, { id: lead.id, status: 'new' }),
    ).rejects.toThrow(message)
    await expect(runOperation(editLead, context, actor, { id: lead.id, ...input })).rejects.toThrow(
      message,
    )
    await expect(runOperation(winLead, context, actor, { id: lead.id })).rejects.toThrow(message)
    await expect(runOperation(loseLead, context, actor, { id: lead.id })).rejects.toThrow(message)
  })

  it('a viewer who writes', async () => {
    await expect(
      runOperation(createLead, world().context, person('viewer'), input),
    ).rejects.toThrow('Only an')
  })

  it('a contact of another business, and nothing changes', async () => {
    const lead = await create()
    const stranger = await world().key({ service: 'books' })
    const made = await world().call('POST', '/books/api/v1/contacts', {
      key: stranger.text,
      body: { name: 'Stranger' },
    })
    const { context } = world()
    const won = runOperation(winLead, context, person('member'), {
      id: lead.id,
      contactId: made.body.id,
    })
    await expect(won).rejects.toThrow('No such contact')
    expect(await eventsOf(lead)).toEqual([])
    expect(
      (await runOperation(moveLead, context, person('member'), { id: lead.id, status: 'new' }))
        .status,
    ).toBe('new')
  })

  it('a lead of another business', async () => {
    const lead = await create()
    const elsewhere = { ...person('owner'), businessId: await world().business() }
    await expect(
      runOperation(moveLead, world().context, elsewhere, { id: lead.id, status: 'new' }),
    ).rejects.toThrow('No such lead')
  })
})
