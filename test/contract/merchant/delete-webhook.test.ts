import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { finishEndpointsSchedule } from '../../../src/kernel/endpoints/finish-endpoints.ts'
import { useWebhookWorld } from '../../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'

const { world, call, subscriber, clock, drain, answer, receiver } = useWebhookWorld()
const path = '/merchant/api/v1/webhooks'
const remove = (key: string, id: string) => call('DELETE', `${path}/${id}`, { key })

describe('200', () => {
  // covers: DELETE /webhooks/{id}, webhooks:manage: 200 removed
  it('removes the endpoint, and writes into the audit log who did', async () => {
    const { tenant, key, id } = await subscriber()
    const { status, body } = await remove(key, id)
    expect(status).toBe(200)
    expect(body).toEqual({ id, deleted: true })
    await newEvent(world(), tenant)
    expect(await deliveriesOf(world(), tenant)).toEqual([])
    const acts = await world().database.sql`
      select object_id
      from kernel.audit_log
      where business_id = ${tenant.businessId}
        and action = 'webhook.delete'`
    expect(acts).toEqual([{ objectId: id }])
  })

  it('ends a backlog that is longer than one step', async () => {
    const { tenant, key, id } = await subscriber()
    await newEvent(world(), tenant)
    const { sql } = world().database
    await sql`
      with more as (
        insert into kernel.webhook_deliveries
          (business_id, environment, id, endpoint_id, event_id, created_at)
        select business_id, environment, gen_random_uuid(), endpoint_id, gen_random_uuid(),
          created_at
        from kernel.webhook_deliveries
        cross join generate_series(1, 1100)
        where endpoint_id = ${id}
        returning id, event_id
      )
      insert into kernel.webhook_queue
        (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
      select shard, business_id, environment, more.id, endpoint_id, more.event_id, run_at,
        scheduled_at
      from kernel.webhook_queue
      cross join more
      where endpoint_id = ${id}`
    await remove(key, id)
    // Goes on where the call may have left it.
    await finishEndpointsSchedule.run(world().context, new AbortController().signal)
    const deliveries = await deliveriesOf(world(), tenant)
    expect(deliveries).toHaveLength(1101)
    expect(deliveries.filter(({ state, isQueued }) => state !== 'ended' || isQueued)).toEqual([])
    // They tell of no event.
    await sql`
      delete from kernel.webhook_deliveries
      where endpoint_id = ${id}`
  })

  // covers: DELETE /webhooks/{id}, webhooks:manage: 200 removed
  it('ends what waits to be delivered there, keeps its log, and leaves the others', async () => {
    const { tenant, key, id } = await subscriber()
    const other = await newEndpoint(world(), tenant, receiver().url)
    answer(500)
    await newEvent(world(), tenant)
    await drain()
    await newEvent(world(), tenant)
    await remove(key, id)
    const deliveries = await deliveriesOf(world(), tenant)
    const ofThis = deliveries.filter(({ endpointId }) => endpointId === id)
    const ofOther = deliveries.filter(({ endpointId }) => endpointId === other.id)
    expect(ofThis).toMatchObject(Array(2).fill({ state: 'ended', isQueued: false }))
    expect(ofOther).toMatchObject(Array(2).fill({ state: 'open', isQueued: true }))
    const sent = receiver().received.length
    clock.advance(3_600_000)
    answer(200)
    await drain()
    expect(receiver().received.length - sent).toBe(2)
    const log = await call('GET', `${path}/${id}/deliveries`, { key })
    expect(log.body.data).toMatchObject([{ attempt_number: 1, status_code: 500 }])
  })

  it('ends what the attempt that was under way had planned, without waiting for its time', async () => {
    const { tenant, key, id } = await subscriber()
    receiver().answer(async (_, response) => {
      await remove(key, id)
      response.writeHead(500).end()
    })
    await newEvent(world(), tenant)
    await drain()
    await finishEndpointsSchedule.run(world().context, new AbortController().signal)
    expect(await deliveriesOf(world(), tenant)).toMatchObject([{ state: 'ended', isQueued: false }])
    expect(await attemptsOf(world(), tenant)).toMatchObject([{ attemptNumber: 1 }])
  })

  it('lets the attempt that is under way be logged, and makes no other', async () => {
    const { tenant, key, id } = await subscriber()
    receiver().answer(async (_, response) => {
      await remove(key, id)
      response.writeHead(500).end()
    })
    await newEvent(world(), tenant)
    await drain()
    expect(await attemptsOf(world(), tenant)).toMatchObject([{ attemptNumber: 1 }])
    clock.advance(60_000)
    await drain()
    expect(receiver().received).toHaveLength(1)
    expect(await deliveriesOf(world(), tenant)).toMatchObject([{ state: 'ended', isQueued: false }])
  })
})

describe('a body that there is not', () => {
  it('may be called JSON, as many clients do', async () => {
    const { key, id } = await subscriber()
    const headers = { 'content-type': 'application/json' }
    expect((await call('DELETE', `${path}/${id}`, { key, headers })).status).toBe(200)
  })

  it('cannot be called anything', async () => {
    const { key, id } = await subscriber()
    const headers = { 'content-type': 'text/plain' }
    const { status, body } = await call('DELETE', `${path}/${id}`, { key, headers, rawBody: 'a' })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect((await remove(key, id)).status).toBe(200)
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('DELETE', `${path}/${randomUUID()}`)).status).toBe(401)
  })
})

describe('403', () => {
  // covers: DELETE /webhooks/{id}, webhooks:manage: 200 removed
  it('is the answer to a key without the scope, and removes nothing', async () => {
    const { tenant, id, key } = await subscriber()
    const { text } = await world().key({
      service: 'merchant',
      ...tenant,
      scopes: ['webhooks:read_logs'],
    })
    expect((await remove(text, id)).status).toBe(403)
    expect((await remove(key, id)).status).toBe(200)
  })
})

describe('404', () => {
  it('is the answer to an endpoint that there is not, or not any more', async () => {
    const { key, id } = await subscriber()
    expect((await remove(key, 'x')).status).toBe(404)
    expect((await remove(key, randomUUID())).status).toBe(404)
    expect((await remove(key, id)).status).toBe(200)
    expect((await remove(key, id)).status).toBe(404)
  })

  it('is the answer to one of another environment, business or service', async () => {
    const { tenant, key } = await subscriber()
    const test = await subscriber({ businessId: tenant.businessId, environment: 'test' })
    const other = await subscriber()
    const books = await newEndpoint(world(), tenant, 'https://1.1.1.1/', 'books')
    for (const { id } of [test, other, books]) expect((await remove(key, id)).status).toBe(404)
    expect((await remove(test.key, test.id)).status).toBe(200)
  })
})
