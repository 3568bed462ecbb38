// Endpoints of the books: chosen events, tests on demand, switching off and on again.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { booksWebhooks } from '../../src/books/webhooks/webhook-profile.ts'
import { insertMembership } from '../../src/kernel/auth/membership-store.ts'
import { insertPerson } from '../../src/kernel/auth/person-store.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import {
  createEndpoint,
  deleteEndpoint,
  updateEndpoint,
} from '../../src/kernel/endpoints/manage-endpoints.ts'
import { replayEvents } from '../../src/kernel/endpoints/replay-events.ts'
import { retryDelivery } from '../../src/kernel/endpoints/retry-delivery.ts'
import { sendTestEvent } from '../../src/kernel/endpoints/send-test-event.ts'
import { switchOnEndpoint } from '../../src/kernel/endpoints/switch-on.ts'
import { tendEndpointsSchedule } from '../../src/kernel/endpoints/tend-endpoints.ts'
import { findEndpoint } from '../../src/kernel/webhooks/endpoint-store.ts'
import { merchantWebhooks } from '../../src/merchant/webhooks/webhook-profile.ts'
import { expectInvariants } from '../support/invariants.ts'
import { handOut } from '../support/run-log.ts'
import { useWebhookWorld } from '../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../support/webhooks.ts'

const { world, clock, drain, answer, receiver } = useWebhookWorld()
let tenant: Tenant
beforeEach(async () => {
  tenant = { businessId: await world().business(), environment: 'live' }
  clock.advance(86_400_000)
})
afterAll(() => expectInvariants(world().database))

const actor = () => ({ kind: 'system', name: 'test', ...tenant }) as const
const member = (role: 'owner' | 'approver' | 'viewer') =>
  ({ kind: 'person', personId: 'someone', role, ...tenant }) as const
const event = (type: string) => newEvent(world(), tenant, { service: 'books', type })
const types = () => receiver().received.map(({ headers }) => headers['x-accounting-event'])
const stateOf = async (id: string) =>
  (await findEndpoint(world().database.sql, tenant, 'books', id))?.state
const actsOn = (id: string) => world().database.sql<{ action: string }[]>`
  select action
  from kernel.audit_log
  where object_id = ${id}
  order by id`

async function create(eventTypes: string[] | null, url = receiver().url) {
  const made = await createEndpoint(world().context, actor(), booksWebhooks, { url, eventTypes })
  handOut(made.secret)
  return made.endpoint
}

describe('an endpoint of the books', () => {
  it('is made with chosen events, a secret that is shown once, and a line in the audit log', async () => {
    const { endpoint, secret } = await createEndpoint(world().context, actor(), booksWebhooks, {
      url: `${receiver().url}?token=of-the-receiver`,
      eventTypes: ['lead.won', 'invoice.paid'],
    })
    handOut(secret)
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/)
    expect(endpoint).toMatchObject({
      service: 'books',
      eventTypes: ['invoice.paid', 'lead.won'],
      state: 'on',
      failuresInRow: 0,
      oldSecretUntil: null,
    })
    const [act] = await world().database.sql`
      select action, detail
      from kernel.audit_log
      where object_id = ${endpoint.id}`
    expect(act).toEqual({
      action: 'webhook.create',
      detail: { host: `127.0.0.1:${receiver().port}`, events: ['invoice.paid', 'lead.won'] },
    })
  })

  it.each([
    ['no events', []],
    ['an event that there is not', ['invoice.paid', 'invoice.eaten']],
    ['a test, which is sent to whoever asks for it', ['test.ping']],
  ])('is refused with %s', async (_, eventTypes) => {
    await expect(create(eventTypes)).rejects.toMatchObject({ kind: 'invalid_request' })
  })

  it.each([
    ['http', 'http://example.com/'],
    ['a private address', 'https://10.0.0.1/'],
    ['a user name', 'https://user@example.com/'],
    ['501 characters', `https://example.com/${'a'.repeat(481)}`],
  ])('is refused with an address that has %s', async (_, url) => {
    await expect(create(null, url)).rejects.toMatchObject({ kind: 'invalid_request' })
    const { id } = await create(null)
    await expect(
      updateEndpoint(world().context, actor(), booksWebhooks, id, { url }),
    ).rejects.toMatchObject({ kind: 'invalid_request' })
  })

  it('is told of what it has chosen, from the moment on at which it chose', async () => {
    const { id } = await create(['invoice.paid'])
    const { context } = world()
    await event('lead.test')
    const changed = await updateEndpoint(context, actor(), booksWebhooks, id, {
      eventTypes: ['lead.won'],
    })
    expect(changed.eventTypes).toEqual(['lead.won'])
    await event('invoice.test')
    await drain()
    expect(types()).toEqual([])
    await updateEndpoint(context, actor(), booksWebhooks, id, { eventTypes: null })
    await event('invoice.test')
    await drain()
    expect(types()).toEqual(['invoice.test'])
    const actions = (await actsOn(id)).map(({ action }) => action)
    expect(actions).toEqual(['webhook.create', 'webhook.update', 'webhook.update'])
  })

  it('has what is on its way sent to its new address', async () => {
    const { id } = await create(null, 'https://127.0.0.1:1/old')
    await event('contact.test')
    await drain()
    const url = `${receiver().url}/new`
    await updateEndpoint(world().context, actor(), booksWebhooks, id, { url })
    clock.advance(6000)
    await drain()
    expect(receiver().received).toMatchObject([{ path: '/hook/new' }])
  })

  it('that was removed is told nothing more, also of what waited while it was off', async () => {
    const { id } = await create(null)
    await failInRow(20)
    await drain()
    clock.advance(86_400_000)
    await drain()
    await deleteEndpoint(world().context, actor(), booksWebhooks, id)
    const states = new Set((await deliveriesOf(world(), tenant)).map(({ state }) => state))
    expect(states).toEqual(new Set(['ended']))
    await expect(deleteEndpoint(world().context, actor(), booksWebhooks, id)).rejects.toMatchObject(
      { kind: 'not_found' },
    )
  })

  it('is managed by owners and admins alone', async () => {
    const { context } = world()
    const settings = { url: receiver().url, eventTypes: null }
    const { endpoint, secret } = await createEndpoint(
      context,
      member('owner'),
      booksWebhooks,
      settings,
    )
    handOut(secret)
    for (const role of ['approver', 'viewer'] as const) {
      const acts = [
        () => createEndpoint(context, member(role), booksWebhooks, settings),
        () => updateEndpoint(context, member(role), booksWebhooks, endpoint.id, settings),
        () => deleteEndpoint(context, member(role), booksWebhooks, endpoint.id),
        () => switchOnEndpoint(context, member(role), booksWebhooks, endpoint.id),
        () => sendTestEvent(context, member(role), booksWebhooks, endpoint.id),
        () => retryDelivery(context, member(role), booksWebhooks, endpoint.id),
        () => replayEvents(context, member(role), booksWebhooks, endpoint.id, allTime),
      ]
      for (const act of acts) {
        await expect(act()).rejects.toMatchObject({ kind: 'permission_denied' })
      }
    }
  })
})

it('a receiver has five seconds for its answer', async () => {
  await create(null)
  answer(500)
  await event('contact.test')
  await drain()
  const [delivery] = await deliveriesOf(world(), tenant)
  receiver().answer(() => undefined)
  const start = performance.now()
  const retried = await retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
  expect(retried).toMatchObject({ statusCode: null, error: 'timeout' })
  expect(performance.now() - start).toBeGreaterThan(4900)
  expect(booksWebhooks.timeoutMs).toBe(5000)
  answer(200)
  clock.advance(60_000)
  await drain()
}, 60_000)

describe('test.ping', () => {
  it('goes to the endpoint it was asked for alone, whatever that has chosen', async () => {
    const { id } = await create(['invoice.paid'])
    await create(null, `${receiver().url}/other`)
    const sent = await sendTestEvent(world().context, actor(), booksWebhooks, id)
    await drain()
    expect(receiver().received).toMatchObject([
      {
        path: '/hook',
        headers: {
          'x-accounting-event': 'test.ping',
          'x-accounting-delivery': sent.deliveryId,
          'x-accounting-event-id': sent.eventId,
          'x-accounting-attempt': '1',
        },
      },
    ])
    const body = JSON.parse(String(receiver().received[0]?.raw))
    expect(body).toEqual({
      id: sent.eventId,
      type: 'test.ping',
      created_at: clock.now().toISOString(),
      org_id: tenant.businessId,
      data: { endpoint_id: id },
    })
  })

  it('is tried again like any other, and a replay leaves it out', async () => {
    const { id } = await create(null)
    answer(500)
    await sendTestEvent(world().context, actor(), booksWebhooks, id)
    await drain()
    answer(200)
    clock.advance(6000)
    await drain()
    expect(await attemptsOf(world(), tenant)).toMatchObject([{ error: 'status' }, { error: null }])
    const range = { from: new Date(0), to: new Date(clock.now().getTime() + 1) }
    expect(await replayEvents(world().context, actor(), booksWebhooks, id, range)).toEqual({
      missing: 0,
      again: 0,
      waiting: 0,
    })
  })

  it('is not for merchants, whose interface has no such event', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    await expect(
      sendTestEvent(world().context, actor(), merchantWebhooks, id),
    ).rejects.toMatchObject({ kind: 'invalid_request' })
  })
})

describe('after twenty failures in a row', () => {
  it('the endpoint is off, and its owners are told by mail and in the audit log', async () => {
    const emails = await owners('ada', 'grace')
    const { id } = await create(null, `${receiver().url}?token=of-the-receiver`)
    await failInRow(19)
    expect(await stateOf(id)).toBe('on')
    expect(await mails()).toEqual([])
    await failInRow(1)
    expect(await stateOf(id)).toBe('off')
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.recipients.toSorted()).toEqual(emails)
    expect(mail?.subject).toBe(`Webhooks to 127.0.0.1:${receiver().port} are switched off`)
    expect(mail?.bodyText).toContain(
      `cli webhooks on --business ${tenant.businessId} --endpoint ${id}\n`,
    )
    expect(JSON.stringify(mail)).not.toContain('of-the-receiver')
    expect((await actsOn(id)).at(-1)).toEqual({ action: 'webhook.switch_off' })
  })

  it('nobody is in the way of switching off: not owners without an address, nor none', async () => {
    const { id } = await create(null)
    await failInRow(20)
    expect(await stateOf(id)).toBe('off')
  })

  it('the row is broken by any 2xx, a retry’s as well', async () => {
    const { id } = await create(null)
    await failInRow(19)
    answer(299)
    const [delivery] = await deliveriesOf(world(), tenant)
    await retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
    await failInRow(19)
    expect(await stateOf(id)).toBe('on')
    await failInRow(1)
    expect(await stateOf(id)).toBe('off')
  })

  it('a failed retry counts too, and afterwards retries and tests are refused', async () => {
    const { id } = await create(null)
    await failInRow(19)
    const [delivery] = await deliveriesOf(world(), tenant)
    const retry = () => retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
    expect(await retry()).toMatchObject({ succeeded: false, attemptNumber: 2 })
    expect(await stateOf(id)).toBe('off')
    await expect(retry()).rejects.toMatchObject({ kind: 'invalid_request' })
    await expect(sendTestEvent(world().context, actor(), booksWebhooks, id)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
  })
})

describe('switching on', () => {
  // As when the process ends right after the commit.
  async function setOn(id: string): Promise<void> {
    await world().database.sql`
      update kernel.webhook_endpoints
      set state = 'on',
        failures_in_row = 0,
        state_since = ${clock.now()},
        told_since = ${clock.now()}
      where id = ${id}`
  }

  async function switchedOff() {
    const { id } = await create(null)
    await failInRow(20)
    // What is due meanwhile is held back.
    clock.advance(3_600_000)
    await drain()
    const before = receiver().received.length
    await event('contact.meanwhile')
    await event('lead.meanwhile')
    await drain()
    expect(receiver().received).toHaveLength(before)
    answer(200)
    receiver().received.length = 0
    return id
  }

  it('delivers what was on its way, and offers to replay what happened meanwhile', async () => {
    const offSince = clock.now()
    const id = await switchedOff()
    const { resumed, missed } = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect(resumed).toBe(20)
    expect(missed.count).toBe(2)
    expect(missed.from >= offSince && missed.to > clock.now()).toBe(true)
    await drain()
    expect(types()).toEqual(Array.from({ length: 20 }, () => 'contact.test'))
    const states = (await deliveriesOf(world(), tenant)).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: 20 }, () => 'delivered'))
    receiver().received.length = 0
    const range = { ...missed, isMissingOnly: true }
    const replayed = await replayEvents(world().context, actor(), booksWebhooks, id, range)
    expect(replayed).toEqual({ missing: 2, again: 0, waiting: 0 })
    await drain()
    expect(types().toSorted()).toEqual(['contact.meanwhile', 'lead.meanwhile'])
    expect((await actsOn(id)).map(({ action }) => action).slice(-2)).toEqual([
      'webhook.switch_on',
      'webhook.replay',
    ])
  })

  it('offers what was under way when the endpoint was switched off, and saw it off', async () => {
    const { id } = await create(null)
    clock.advance(3_600_000)
    await failInRow(20)
    const off = clock.now()
    // It was dated before, and written after.
    clock.set(new Date(off.getTime() - 5000))
    await event('lead.meanwhile')
    clock.set(new Date(off.getTime() + 60_000))
    const { missed } = await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    expect(missed.count).toBe(1)
    const range = { ...missed, isMissingOnly: true }
    const replayed = await replayEvents(world().context, actor(), booksWebhooks, id, range)
    expect(replayed).toMatchObject({ missing: 1 })
  })

  it('begins anew: with the count of failures, and with what must be told', async () => {
    const id = await switchedOff()
    await switchOnEndpoint(world().context, actor(), booksWebhooks, id)
    const endpoint = await findEndpoint(world().database.sql, tenant, 'books', id)
    expect(endpoint).toMatchObject({ state: 'on', failuresInRow: 0, stateSince: clock.now() })
    clock.advance(600_000)
    await drain()
    await failInRow(19)
    expect(await stateOf(id)).toBe('on')
    // What happened meanwhile stays untold, unless somebody wants it; the invariants know.
    await expectInvariants(world().database)
  })

  it('is finished by a schedule when it was cut off, or a worker came too late', async () => {
    const id = await switchedOff()
    await setOn(id)
    await drain()
    expect(receiver().received).toEqual([])
    await tendEndpointsSchedule.run(world().context, new AbortController().signal)
    await drain()
    expect(receiver().received).toHaveLength(20)
  })

  it('loses nothing that somebody retries at the same moment', async () => {
    const id = await switchedOff()
    await setOn(id)
    const [delivery] = await deliveriesOf(world(), tenant)
    receiver().answer(async (_, response) => {
      // While the retry waits for its answer, what was held goes on.
      await tendEndpointsSchedule.run(world().context, new AbortController().signal)
      response.writeHead(500).end()
    })
    const retried = await retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
    expect(retried).toMatchObject({ succeeded: false, deadLettered: false })
    const waiting = await deliveriesOf(world(), tenant)
    expect(waiting.find(({ id: one }) => one === delivery?.id)).toMatchObject({
      state: 'open',
      isQueued: true,
    })
    await expectInvariants(world().database)
    answer(200)
    await drain()
    const states = (await deliveriesOf(world(), tenant)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['delivered']))
  })

  it('is refused when the endpoint is on, or there is none', async () => {
    const { id } = await create(null)
    const { context } = world()
    await expect(switchOnEndpoint(context, actor(), booksWebhooks, id)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
    const merchant = await newEndpoint(world(), tenant, receiver().url)
    await expect(
      switchOnEndpoint(context, actor(), booksWebhooks, merchant.id),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })
})

const allTime = { from: new Date(0), to: new Date(1) }

async function failInRow(times: number): Promise<void> {
  answer(500)
  for (let count = 0; count < times; count += 1) {
    await event('contact.test')
    await drain()
  }
}

async function owners(...names: string[]): Promise<string[]> {
  const { database, context } = world()
  const createdAt = clock.now()
  const emails: string[] = []
  await database.transaction(async (tx) => {
    for (const name of names) {
      const id = context.ids.uuid()
      const email = `${name}-${id}@example.com`
      await insertPerson(tx, { id, email, name, twoFactorEnabled: false, createdAt })
      const { businessId } = tenant
      await insertMembership(tx, { businessId, personId: id, role: 'owner', createdAt })
      emails.push(email)
    }
  })
  return emails.toSorted()
}

function mails() {
  return world().database.sql<{ recipients: string[]; subject: string; bodyText: string }[]>`
    select recipients, subject, body_text
    from kernel.mails
    where business_id = ${tenant.businessId}`
}
