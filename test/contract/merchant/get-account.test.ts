import { describe, expect, it } from 'vitest'
import {
  insertBeneficialOwner,
  insertVerificationDocument,
} from '../../../src/merchant/business/business-store.ts'
import { writeSettlementAccount } from '../../../src/merchant/business/set-settlement-account.ts'
import { merchantScopes } from '../../../src/merchant/scopes.ts'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/account'

describe('200', () => {
  // covers: The business profile plus
  // covers: GET /account, account:read or kyc:read
  it('is the profile of the business of the key', async () => {
    const businessId = await world().business({
      name: 'Ìyá Basira’s kitchen',
      country: 'GH',
      contactEmail: 'kitchen@example.com',
      contactPhone: '+233200000000',
    })
    const { text } = await world().key({ service: 'merchant', businessId })
    const { status, body } = await call('GET', path, { key: text })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: businessId,
      name: 'Ìyá Basira’s kitchen',
      country: 'GH',
      contact_email: 'kitchen@example.com',
      contact_phone: '+233200000000',
      kyc_status: 'verified',
      kyc_rejection_reason: null,
      documents_submitted: 0,
      beneficial_owners_verified: 0,
      settlement_destination_on_file: false,
      takes_refund_keys: false,
      environment: 'live',
      created_at: expect.any(String),
    })
  })

  it('has a null phone where the business gave none', async () => {
    const businessId = await world().business({ contactPhone: null })
    const { text } = await world().key({ service: 'merchant', businessId })
    expect((await call('GET', path, { key: text })).body.contact_phone).toBeNull()
  })

  // covers: The business profile plus
  it('counts submitted documents, verified owners only, and says that a destination is on file', async () => {
    const businessId = await world().business()
    await world().database.transaction(async (tx) => {
      const { ids, clock } = world().context
      const now = clock.now()
      for (const kind of ['registration', 'address']) {
        await insertVerificationDocument(tx, businessId, { id: ids.uuid(), kind, submittedAt: now })
      }
      for (const verifiedAt of [now, null, null]) {
        const owner = { id: ids.uuid(), name: 'An owner', verifiedAt, createdAt: now }
        await insertBeneficialOwner(tx, businessId, owner)
      }
      const actor = { kind: 'system', name: 'test', businessId, environment: 'live' } as const
      await writeSettlementAccount(tx, world().context, actor, {
        bankCode: '044',
        accountNumber: '0690000040',
        beneficiaryName: 'Corner shop',
      })
    })
    const { text } = await world().key({ service: 'merchant', businessId })
    const { body, text: raw } = await call('GET', path, { key: text })
    expect(body).toMatchObject({
      documents_submitted: 2,
      beneficial_owners_verified: 1,
      settlement_destination_on_file: true,
    })
    expect(raw).not.toContain('0690000040')
    const other = await world().key({ service: 'merchant' })
    expect((await call('GET', path, { key: other.text })).body).toMatchObject({
      documents_submitted: 0,
      beneficial_owners_verified: 0,
      settlement_destination_on_file: false,
      takes_refund_keys: false,
    })
  })

  it.each([
    // covers: GET /account, account:read or kyc:read
    'account:read',
    // covers: GET /account, account:read or kyc:read
    'kyc:read',
  ])('is answered to a key with %s alone', async (scope) => {
    const { text } = await world().key({ service: 'merchant', scopes: [scope] })
    expect((await call('GET', path, { key: text })).status).toBe(200)
  })

  it.each(['live', 'test'] as const)('names the environment of a %s key', async (environment) => {
    const { text, businessId } = await world().key({ service: 'merchant', environment })
    const { body } = await call('GET', path, { key: text })
    expect(body).toMatchObject({ id: businessId, environment })
  })

  // covers: The business profile plus
  it.each(['unverified', 'pending', 'verified', 'rejected'] as const)(
    'is answered to a business that is %s',
    async (kycStatus) => {
      const businessId = await world().business({ kycStatus })
      const { text } = await world().key({ service: 'merchant', businessId })
      const { status, body } = await call('GET', path, { key: text })
      expect(status).toBe(200)
      expect(body.kyc_status).toBe(kycStatus)
    },
  )

  it('shows what changed at once', async () => {
    const { text, businessId } = await world().key({ service: 'merchant' })
    await call('GET', path, { key: text })
    await world().database.sql`
      update merchant.profiles
      set kyc_status = 'rejected'
      where business_id = ${businessId}`
    expect((await call('GET', path, { key: text })).body.kyc_status).toBe('rejected')
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  // covers: GET /account, account:read or kyc:read
  it('is the answer to a key that has every scope but the two', async () => {
    const scopes = merchantScopes.filter((scope) => !['account:read', 'kyc:read'].includes(scope))
    const { text } = await world().key({ service: 'merchant', scopes })
    const { status, body } = await call('GET', path, { key: text })
    expect(status).toBe(403)
    expect(body.code).toBe('permission_denied')
    expect(body.error).toBe('The key needs the scope account:read or kyc:read.')
  })

  it('is the answer to a key that may only write to the verification', async () => {
    const { text } = await world().key({ service: 'merchant', scopes: ['kyc:write'] })
    expect((await call('GET', path, { key: text })).status).toBe(403)
  })
})
