import { describe, expect, it } from 'vitest'
import { useWebhookWorld } from '../../support/webhook-world.ts'
import { newEndpoint } from '../../support/webhooks.ts'

const { world, call, subscriber, clock } = useWebhookWorld()
const path = '/merchant/api/v1/webhooks'
const list = (key: string) => call('GET', path, { key })

describe('200', () => {
  it('is an empty list at first', async () => {
    const { text } = await world().key({ service: 'merchant' })
    const { status, body } = await list(text)
    expect(status).toBe(200)
    expect(body).toEqual({ data: [] })
  })

  // covers: The creation response returns a signing secret
  // covers: GET /webhooks, webhooks:read_logs or webhooks:manage: 200 list
  // covers: POST /webhooks, webhooks:manage
  it('shows every endpoint, the newest first, without its secret', async () => {
    const { tenant, key, id } = await subscriber()
    const second = await newEndpoint(world(), tenant, 'https://1.1.1.1/second')
    const { body, text } = await list(key)
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([second.id, id])
    expect(body.data[0]).toEqual({
      id: second.id,
      url: 'https://1.1.1.1/second',
      environment: 'live',
      created_at: clock.now().toISOString(),
    })
    expect(text).not.toMatch(/whsec_|secret/)
  })

  it('shows neither those of the other environment, nor of others, nor of the books', async () => {
    const { tenant, key, id } = await subscriber()
    await subscriber({ businessId: tenant.businessId, environment: 'test' })
    await subscriber()
    await newEndpoint(world(), tenant, 'https://1.1.1.1/', 'books')
    const { body } = await list(key)
    expect(body.data).toMatchObject([{ id }])
    expect(body.data).toHaveLength(1)
  })

  // covers: DELETE /webhooks/{id}, webhooks:manage: 200 removed
  it('does not show what was removed', async () => {
    const { key, id } = await subscriber()
    await call('DELETE', `${path}/${id}`, { key })
    expect((await list(key)).body.data).toEqual([])
  })

  it.each([
    // covers: GET /webhooks, webhooks:read_logs or webhooks:manage: 200 list
    'webhooks:read_logs',
    // covers: GET /webhooks, webhooks:read_logs or webhooks:manage: 200 list
    'webhooks:manage',
  ])('is answered to %s alone', async (scope) => {
    const { text } = await world().key({ service: 'merchant', scopes: [scope] })
    expect((await list(text)).status).toBe(200)
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  // covers: GET /webhooks, webhooks:read_logs or webhooks:manage: 200 list
  it('is the answer to a key with neither scope', async () => {
    const { text } = await world().key({ service: 'merchant', scopes: ['webhooks:retry'] })
    expect((await list(text)).status).toBe(403)
  })
})
