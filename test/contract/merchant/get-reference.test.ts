import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'

const { call } = useContract()
const path = '/merchant/api/v1/reference'

describe('200', () => {
  // covers: Every request is authenticated with a bearer API key
  // covers: `GET /reference` (no authentication) returns the status
  // covers: pending, processing, succeeded
  // covers: pending, processing, completed, failed, cancelled
  // covers: `GET /reference` and `GET /openapi.json` as described above
  // covers: 1. Every request except `GET /reference` carries `Authorization
  it('names the status values and event types of the interface, without a key', async () => {
    const { status, body } = await call('GET', path)
    expect(status).toBe(200)
    expect(body).toEqual({
      payment_statuses: [
        'pending',
        'processing',
        'succeeded',
        'partially_refunded',
        'refunded',
        'failed',
        'cancelled',
      ],
      payout_statuses: ['pending', 'processing', 'completed', 'failed', 'cancelled'],
      webhook_events: [
        'payment.succeeded',
        'payment.failed',
        'payment.refunded',
        'payout.completed',
        'payout.failed',
      ],
    })
  })

  it.each([
    ['a key that is no key', 'Bearer nonsense'],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
  ])('is answered also with %s', async (_, authorization) => {
    expect((await call('GET', path, { headers: { authorization } })).status).toBe(200)
  })

  // covers: Every response carries an `X-Request-Id` header
  it('has its own request id each time', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await call('GET', path)).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('is answered to HEAD, without the body', async () => {
    const { status, headers, text } = await call('HEAD', path)
    expect([status, text]).toEqual([200, ''])
    const get = await call('GET', path)
    expect(headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(headers.get('content-length')).toBe(get.headers.get('content-length'))
  })
})

describe('404', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is the answer to %s', async (method) => {
    const { status } = await call(method, path)
    expect(status).toBe(404)
  })

  it('is the answer to a trailing slash', async () => {
    expect((await call('GET', `${path}/`)).status).toBe(404)
  })

  it('is the answer to another spelling of the path', async () => {
    expect((await call('GET', '/merchant/api/v1/Reference')).status).toBe(404)
  })
})
