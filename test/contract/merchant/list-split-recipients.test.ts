import { describe, expect, it } from 'vitest'
import { merchantScopes } from '../../../src/merchant/scopes.ts'
import { useContract } from '../../support/openapi.ts'
import { recipientBody } from '../../support/recipients.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/split-recipients'

describe('200', () => {
  it('is empty where there are none', async () => {
    const { text } = await world().key({ service: 'merchant' })
    const { status, body } = await call('GET', path, { key: text })
    expect([status, body]).toEqual([200, { data: [] }])
  })

  // covers: GET /split-recipients, recipients:read: 200 list
  it('lists every recipient of the business and environment as its own call showed it, newest first', async () => {
    const { text, businessId } = await world().key({ service: 'merchant' })
    const made: unknown[] = []
    for (let count = 0; count < 3; count += 1) {
      const { body } = await call('POST', path, { key: text, body: recipientBody() })
      made.unshift(body)
    }
    const test = await world().key({ service: 'merchant', businessId, environment: 'test' })
    const { body: other } = await call('POST', path, { key: test.text, body: recipientBody() })
    expect((await call('GET', path, { key: text })).body).toEqual({ data: made })
    expect((await call('GET', path, { key: test.text })).body).toEqual({ data: [other] })
  })

  // covers: GET /split-recipients, recipients:read: 200 list
  it('is read with recipients:read alone, also by a business that is not verified', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const scopes = ['recipients:read']
    const { text } = await world().key({ service: 'merchant', businessId, scopes })
    expect((await call('GET', path, { key: text })).status).toBe(200)
  })
})

describe('403', () => {
  // covers: GET /split-recipients, recipients:read: 200 list
  it('is the answer to a key that may do everything with them but read', async () => {
    const scopes = merchantScopes.filter((scope) => scope !== 'recipients:read')
    const { text } = await world().key({ service: 'merchant', scopes })
    const { status, body } = await call('GET', path, { key: text })
    expect(status).toBe(403)
    expect(body.error).toContain('recipients:read')
  })
})
