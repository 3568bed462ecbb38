// Each invariant of the books holds for data from the interface, and detects its kind of damage.
import { beforeEach, expect, test } from 'vitest'
import { invariants } from '../../src/app/invariants.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let tenant: Tenant
let contactId: string

beforeEach(async () => {
  const { sql } = world().database
  await sql`truncate kernel.idempotency_keys, kernel.events`
  await sql`delete from books.contacts`
  const { text, businessId } = await world().key({ service: 'books' })
  tenant = { businessId, environment: 'live' }
  const headers = { 'idempotency-key': 'order-1' }
  const path = '/books/api/v1/contacts'
  const made = await world().call('POST', path, { key: text, body: { name: 'A' }, headers })
  contactId = made.body.id
  expect(await broken()).toEqual({})
})

async function broken() {
  const found: Record<string, readonly Record<string, unknown>[]> = {}
  for (const invariant of invariants) {
    const { sql } = world().database
    const violations = await invariant.violations(sql, world().context.clock.now())
    if (violations.length > 0) found[invariant.id] = violations
  }
  return found
}

test('a contact without its event is found', async () => {
  await world().database.sql`delete from kernel.events`
  expect(await broken()).toEqual({ 'I7.3': [{ ...tenant, contactId, events: 0 }] })
})

test('a contact with two events is found', async () => {
  const { sql } = world().database
  await sql`
    insert into kernel.events
    select business_id, environment, gen_random_uuid(), service, type, object_id, data, created_at
    from kernel.events`
  expect(await broken()).toEqual({ 'I7.3': [{ ...tenant, contactId, events: 2 }] })
})

test('an event and a key of a contact that is gone are found', async () => {
  await world().database.sql`delete from books.contacts`
  expect(await broken()).toMatchObject({
    'I5.1': [{ ...tenant, key: 'order-1', objectId: contactId }],
    'I8.1': [{ ...tenant, objectId: contactId }],
  })
})

test('the contact of another environment is not taken for it', async () => {
  await world().database.sql`update books.contacts set environment = 'test'`
  expect(Object.keys(await broken()).sort()).toEqual(['I5.1', 'I7.3', 'I8.1'])
})

test('a contact that is merged into a merged one is found', async () => {
  const { sql } = world().database
  const merged = [world().context.ids.uuid(), world().context.ids.uuid()]
  for (const id of merged) {
    await sql`
      insert into books.contacts
        (business_id, environment, id, name, is_customer, is_supplier, payment_terms_days, active,
         merged_into, created_at)
      values
        (${tenant.businessId}, ${tenant.environment}, ${id}, 'B', true, false, 0, true,
         ${id === merged[0] ? contactId : (merged[0] ?? null)}, now())`
  }
  expect((await broken())['I14.28']).toEqual([{ ...tenant, contactId: merged[1] }])
})
