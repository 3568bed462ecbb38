import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/openapi.json'

describe('200', () => {
  // covers: `GET /openapi.json` returns a machine-readable OpenAPI 3.0
  // covers: `GET /reference` and `GET /openapi.json` as described above
  it('describes the whole service in OpenAPI 3.0, version 1.0.0', async () => {
    const { text } = await world().key({ service: 'merchant' })
    const { status, body } = await call('GET', path, { key: text })
    expect(status).toBe(200)
    expect(body.openapi).toMatch(/^3\.0\.\d$/)
    expect(body.info.version).toBe('1.0.0')
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/reference', '/openapi.json', '/account']),
    )
  })

  // covers: Base address: `{base_url}`
  // covers: The version is in the path segment `/api/v1`
  it('names the address that the operator configured, whatever Host says', async () => {
    const { text } = await world().key({ service: 'merchant' })
    const { body } = await call('GET', path, { key: text })
    expect(body.servers).toEqual([{ url: 'https://tillbook.example/merchant/api/v1' }])
  })

  it.each(['payments:read', 'webhooks:retry'])(
    'is answered to a key with only %s',
    async (scope) => {
      const { text } = await world().key({ service: 'merchant', scopes: [scope] })
      expect((await call('GET', path, { key: text })).status).toBe(200)
    },
  )

  it.each(['live', 'test'] as const)('is answered to a %s key', async (environment) => {
    const { text } = await world().key({ service: 'merchant', environment })
    expect((await call('GET', path, { key: text })).status).toBe(200)
  })

  it('is answered to a business that is not verified', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const { text } = await world().key({ service: 'merchant', businessId })
    expect((await call('GET', path, { key: text })).status).toBe(200)
  })
})

describe('401', () => {
  // covers: `GET /reference` and `GET /openapi.json` as described above
  it('is the answer without a key', async () => {
    const { status, body } = await call('GET', path)
    expect(status).toBe(401)
    expect(body.code).toBe('authentication_failed')
  })

  it('is the answer to a key of the other service', async () => {
    const { text } = await world().key({ service: 'books' })
    expect((await call('GET', path, { key: text })).status).toBe(401)
  })
})
