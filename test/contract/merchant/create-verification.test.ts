import { describe, expect, it } from 'vitest'
import { merchantScopes } from '../../../src/merchant/scopes.ts'
import { useContract } from '../../support/openapi.ts'
import { applicant, apply, fillDossier, verification as path } from '../../support/verification.ts'
import { createWorld } from '../../support/world.ts'

const { world, call } = useContract()

const unverifiedKey = async (options = {}, kycStatus: 'unverified' | 'rejected' = 'unverified') => {
  const businessId = await world().business({ kycStatus })
  return world().key({ service: 'merchant', businessId, ...options })
}

describe('200', () => {
  // covers: POST /account/verification, kyc:write
  it.each([
    ['no body', {}],
    ['an empty body', { rawBody: '' }],
    ['an empty object', { body: {} }],
  ])('is our own address and the session, after %s', async (_, options) => {
    const { text: key } = await unverifiedKey()
    const { status, body } = await call('POST', path, { key, ...options })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['verificationUrl', 'sessionId'])
    expect(body.verificationUrl).toMatch(/^https:\/\/tillbook\.example\/verify\/[\w-]{88}$/)
  })

  it('is the same answer while the session is open', async () => {
    const { text: key } = await unverifiedKey()
    const first = await call('POST', path, { key })
    expect((await call('POST', path, { key })).body).toEqual(first.body)
  })

  it('is its own session for each business and each environment', async () => {
    const { text: one, businessId } = await unverifiedKey()
    const { text: other } = await unverifiedKey()
    const test = { service: 'merchant', businessId, environment: 'test' } as const
    const keys = [one, other, (await world().key(test)).text]
    const answers = await Promise.all(keys.map((key) => call('POST', path, { key })))
    expect(new Set(answers.map(({ body }) => body.sessionId)).size).toBe(3)
    expect(new Set(answers.map(({ body }) => body.verificationUrl)).size).toBe(3)
  })

  it('is answered to a business that was rejected, and leaves its status as it is', async () => {
    const { text: key } = await unverifiedKey({}, 'rejected')
    expect((await call('POST', path, { key })).status).toBe(200)
    const account = await call('GET', '/merchant/api/v1/account', { key })
    expect(account.body.kyc_status).toBe('rejected')
  })

  it('is answered to a test key of a verified business, for a rehearsal', async () => {
    const { text: key } = await world().key({ service: 'merchant', environment: 'test' })
    expect((await call('POST', path, { key })).status).toBe(200)
  })

  it('is a new session for a business that is verified', async () => {
    const one = await applicant(world())
    await apply(one)
    const { status, body } = await call('POST', path, { key: one.key })
    expect(status).toBe(200)
    expect(body.sessionId).not.toBe(one.sessionId)
    const account = await call('GET', '/merchant/api/v1/account', { key: one.key })
    expect(account.body.kyc_status).toBe('verified')
  })

  // covers: POST /account/verification, kyc:write
  it('is answered to a key with kyc:write alone', async () => {
    const { text: key } = await unverifiedKey({ scopes: ['kyc:write'] })
    expect((await call('POST', path, { key })).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    ['an unknown field', '{"returnUrl":"https://example.com"}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no JSON', '{'],
  ])('is the answer to %s', async (_, rawBody) => {
    const { text: key } = await unverifiedKey()
    const { status, body } = await call('POST', path, { key, rawBody })
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('POST', path)).status).toBe(401)
  })
})

describe('403', () => {
  // covers: POST /account/verification, kyc:write
  it('is the answer to a key that has every scope but kyc:write', async () => {
    const scopes = merchantScopes.filter((scope) => scope !== 'kyc:write')
    const { text: key } = await unverifiedKey({ scopes })
    const { status, body } = await call('POST', path, { key })
    expect([status, body.error]).toEqual([403, 'The key needs the scope kyc:write.'])
  })
})

describe('503', () => {
  it('is the answer to a live key where no one verifies, unless it is of a demo', async () => {
    const bare = await createWorld({ simulatorServesLive: false })
    try {
      const ask = async (isDemo: boolean, environment: 'live' | 'test') => {
        const businessId = await bare.business({ kycStatus: 'unverified', isDemo })
        const { text: key } = await bare.key({ service: 'merchant', businessId, environment })
        return bare.call('POST', path, { key })
      }
      const { status, body } = await ask(false, 'live')
      expect([status, body.code]).toEqual([503, 'unavailable'])
      expect((await ask(true, 'live')).status).toBe(200)
      expect((await ask(false, 'test')).status).toBe(200)
    } finally {
      await bare.close()
    }
  })
})

describe('GET /account', () => {
  it('says nothing about a dossier that was not handed in', async () => {
    const one = await applicant(world())
    await fillDossier(one)
    const { body } = await call('GET', '/merchant/api/v1/account', { key: one.key })
    expect(body).toMatchObject({
      kyc_status: 'unverified',
      kyc_rejection_reason: null,
      documents_submitted: 0,
      beneficial_owners_verified: 0,
    })
  })

  // covers: poll GET /account for kyc_status afterwards
  it('gives the reason of a rejection', async () => {
    const one = await applicant(world())
    await apply(one, { ownerName: 'Reject Me' })
    const { body } = await call('GET', '/merchant/api/v1/account', { key: one.key })
    expect(body).toMatchObject({ kyc_status: 'rejected', documents_submitted: 3 })
    expect(body.kyc_rejection_reason).toContain('certificate of registration')
  })
})
