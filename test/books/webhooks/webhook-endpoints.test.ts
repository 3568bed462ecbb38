// Endpoints of the books: created, changed, deleted, and tried with a test event.
import { describe, expect, it } from 'vitest'
import { booksEndpoints } from '../../../src/books/webhooks/webhook-operations.ts'
import { booksWebhooks } from '../../../src/books/webhooks/webhook-profile.ts'
import {
  createEndpoint,
  deleteEndpoint,
  updateEndpoint,
} from '../../../src/kernel/endpoints/manage-endpoints.ts'
import { replayEvents } from '../../../src/kernel/endpoints/replay-events.ts'
import { retryDelivery } from '../../../src/kernel/endpoints/retry-delivery.ts'
import { sendTestEvent } from '../../../src/kernel/endpoints/send-test-event.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { useBooksEndpoints } from '../../support/books-endpoints.ts'
import { expectEventAsDescribed } from '../../support/openapi.ts'
import { handOut } from '../../support/run-log.ts'
import { attemptsOf, deliveriesOf } from '../../support/webhooks.ts'

const {
  world,
  clock,
  drain,
  answer,
  receiver,
  tenant,
  actor,
  event,
  types,
  actsOn,
  create,
  failInRow,
} = useBooksEndpoints()
const member = (role: 'owner' | 'approver' | 'viewer') =>
  ({ kind: 'person', personId: 'someone', role, ...tenant() }) as const
const allTime = { from: '1970-01-01T00:00:00Z', to: '1970-01-02T00:00:00Z' }

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
    ['a test, which is sent on request', ['test.ping']],
  ])('is refused with %s', async (_, eventTypes) => {
    await expect(create(eventTypes)).rejects.toMatchObject({ kind: 'invalid_request' })
  })

  it('is refused with a test in other words than with an event that there is not', async () => {
    await expect(create(['invoice.paid', 'test.ping'])).rejects.toMatchObject({
      error: {
        fieldErrors: {
          events: ['test.ping cannot be chosen: it is sent to any endpoint on request.'],
        },
      },
    })
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
    const states = new Set((await deliveriesOf(world(), tenant())).map(({ state }) => state))
    expect(states).toEqual(new Set(['ended']))
    await expect(deleteEndpoint(world().context, actor(), booksWebhooks, id)).rejects.toMatchObject(
      { kind: 'not_found' },
    )
  })

  // covers: owners and admins can also manage webhook endpoints in the dashboard
  it('is managed by owners and admins alone', async () => {
    const { context } = world()
    const settings = { url: receiver().url, eventTypes: null }
    const { id, secret } = await runOperation(
      booksEndpoints.createEndpoint,
      context,
      member('owner'),
      settings,
    )
    handOut(secret)
    for (const role of ['approver', 'viewer'] as const) {
      const by = member(role)
      const acts = [
        () => runOperation(booksEndpoints.createEndpoint, context, by, settings),
        () => runOperation(booksEndpoints.updateEndpoint, context, by, { id, ...settings }),
        () => runOperation(booksEndpoints.deleteEndpoint, context, by, { id }),
        () => runOperation(booksEndpoints.switchOnEndpoint, context, by, { id }),
        () => runOperation(booksEndpoints.sendTestEvent, context, by, { id }),
        () => runOperation(booksEndpoints.retryDelivery, context, by, { id }),
        () => runOperation(booksEndpoints.replayEvents, context, by, { id, ...allTime }),
        () => runOperation(booksEndpoints.redriveDeliveries, context, by, {}),
      ]
      for (const act of acts) {
        await expect(act()).rejects.toMatchObject({ kind: 'permission_denied' })
      }
      const listed = await runOperation(booksEndpoints.listEndpoints, context, by, {})
      expect(listed.map((endpoint) => endpoint.id)).toEqual([id])
    }
  })
})

it('a receiver has five seconds for its answer', { tags: ['long'] }, async () => {
  await create(null)
  answer(500)
  await event('contact.test')
  await drain()
  const [delivery] = await deliveriesOf(world(), tenant())
  receiver().answer(() => undefined)
  const start = performance.now()
  const retried = await retryDelivery(world().context, actor(), booksWebhooks, delivery?.id ?? '')
  expect(retried).toMatchObject({ statusCode: null, error: 'timeout' })
  expect(performance.now() - start).toBeGreaterThan(4900)
  expect(booksWebhooks.timeoutMs).toBe(5000)
  answer(200)
  clock.advance(60_000)
  await drain()
})

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
    expectEventAsDescribed('books', body)
    expect(body).toEqual({
      id: sent.eventId,
      type: 'test.ping',
      created_at: clock.now().toISOString(),
      org_id: tenant().businessId,
      data: { id: sent.eventId, endpoint_id: id },
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
    expect(await attemptsOf(world(), tenant())).toMatchObject([
      { error: 'status' },
      { error: null },
    ])
    const range = { from: new Date(0), to: new Date(clock.now().getTime() + 1) }
    expect(await replayEvents(world().context, actor(), booksWebhooks, id, range)).toEqual({
      missing: 0,
      again: 0,
      waiting: 0,
    })
  })
})
