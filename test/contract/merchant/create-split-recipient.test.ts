import { describe, expect, it } from 'vitest'
import type { Environment } from '../../../src/kernel/basics/tenant.ts'
import { bodyLimitBytes } from '../../../src/kernel/http/app.ts'
import { findRecipient } from '../../../src/merchant/recipients/recipient-store.ts'
import { merchantScopes } from '../../../src/merchant/scopes.ts'
import { useContract } from '../../support/openapi.ts'
import { recipientBody } from '../../support/recipients.ts'
import { createWorld, type WantedKey } from '../../support/world.ts'

const { world, call } = useContract()

const path = '/merchant/api/v1/split-recipients'
const createCall = 'POST /subaccounts'
const lookUpCall = 'GET /subaccounts'

async function merchant(wanted: Partial<WantedKey> = {}) {
  const environment: Environment = wanted.environment ?? 'live'
  const key = await world().key({ service: 'merchant', ...wanted, environment })
  const tenant = { businessId: key.businessId, environment }
  const send = (body: unknown) => call('POST', path, { key: key.text, body })
  return {
    tenant,
    key: key.text,
    post: (change: Record<string, unknown> = {}) => send(recipientBody(change)),
    send,
    rule: (rule: Record<string, unknown>) => world().simulator.rule(tenant, { count: 1, ...rule }),
    stored: async () => {
      const rows = await world().database.sql<{ id: string }[]>`
        select id
        from merchant.split_recipients
        where business_id = ${tenant.businessId}`
      return Promise.all(rows.map(({ id }) => findRecipient(world().database.sql, tenant, id)))
    },
    acts: async () =>
      (
        await world().database.sql<{ action: string }[]>`
          select action
          from kernel.audit_log
          where business_id = ${tenant.businessId}
            and object_kind = 'split_recipient'
          order by id`
      ).map(({ action }) => action),
    // How many sub-accounts the provider really made.
    subaccounts: async () => {
      const found = await world().database.sql`
        select
        from simulator.subaccounts
        where business_id = ${tenant.businessId}
          and environment = ${environment}`
      return found.length
    },
  }
}

describe('200', () => {
  // covers: accountBank: string, required
  // covers: A recipient has an `id` (uuid) and can be marked verified or disabled
  // covers: POST /split-recipients, recipients:write
  // covers: Creating a recipient registers a sub-account with the payment provider
  it('registers the recipient with the provider and answers with it', async () => {
    const { send, stored, acts, subaccounts } = await merchant()
    const body = recipientBody({ splitValue: 33.25, recipientMobile: '+2348011112222' })
    const answer = await send(body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_reference: body.externalReference,
      name: 'Market stall',
      account_bank: '044',
      account_number_last4: body.accountNumber.slice(-4),
      account_name: `SIMULATED HOLDER ${body.accountNumber.slice(-4)}`,
      split_value: 33.25,
      recipient_mobile: '+2348011112222',
      registered: true,
      verified: false,
      disabled: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await stored()).toMatchObject([{ subaccountId: expect.stringMatching(/^RS_/) }])
    expect(await acts()).toEqual(['split_recipient.create', 'split_recipient.register'])
    expect(await subaccounts()).toBe(1)
  })

  // covers: accountNumber: string, required
  // covers: splitValue: number, required
  it('tells the provider what the platform keeps, which is the rest of what the recipient gets', async () => {
    const { send, tenant } = await merchant()
    const body = recipientBody({ splitValue: 12.5 })
    await send(body)
    const [row] = await world().database.sql`
      select account_number, business_mobile, country, split_type, split_value
      from simulator.subaccounts
      where business_id = ${tenant.businessId}`
    expect(row).toEqual({
      accountNumber: body.accountNumber,
      businessMobile: '+2348000000000',
      country: 'NG',
      splitType: 'percentage',
      splitValue: '0.875000',
    })
  })

  it('seals the account number, which nothing shows or logs whole', async () => {
    const { send, tenant } = await merchant()
    const body = recipientBody()
    const { text } = await send(body)
    expect(text).not.toContain(body.accountNumber)
    expect(world().logLines.join('')).not.toContain(body.accountNumber)
    const rows = await world().database.sql`
      select to_jsonb(split_recipients)::text as shown
      from merchant.split_recipients
      where business_id = ${tenant.businessId}
      union all
      select to_jsonb(audit_log)::text as shown
      from kernel.audit_log
      where business_id = ${tenant.businessId}`
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toContain(body.accountNumber)
  })

  // covers: recipientMobile: string, max 30
  it('takes the merchant’s contact phone where no mobile is sent', async () => {
    const { post } = await merchant()
    expect((await post()).body.recipient_mobile).toBe('+2348000000000')
  })

  it.each([
    // covers: splitValue: number, required
    // covers: splitValue: 1 to 100
    ['1', 1],
    // covers: splitValue: number, required
    // covers: splitValue: 1 to 100
    ['100', 100],
    ['1.0000', 1],
    ['99.99', 99.99],
    ['5e1', 50],
  ])('takes a split of %s', async (text, value) => {
    const { key } = await merchant()
    const body = JSON.stringify(recipientBody()).replace('"splitValue":10', `"splitValue":${text}`)
    const { status, body: answer } = await call('POST', path, { key, rawBody: body })
    expect([status, answer.split_value]).toEqual([200, value])
  })

  it('keeps every decimal of a split', async () => {
    const { key } = await merchant()
    const exact = '33.333333333333333333333'
    const body = JSON.stringify(recipientBody()).replace('"splitValue":10', `"splitValue":${exact}`)
    expect((await call('POST', path, { key, rawBody: body })).text).toContain(
      `"split_value":${exact},`,
    )
  })

  it.each([
    // covers: externalReference: string, required, max 200; idempotency key
    // covers: externalReference 200, recipient name 200, recipientMobile 30
    ['externalReference', 'r'.repeat(200), 'external_reference'],
    ['externalReference', 'ž'.repeat(200), 'external_reference'],
    ['externalReference', 'a b/c:1', 'external_reference'],
    // covers: name: string, required, max 200
    // covers: externalReference 200, recipient name 200, recipientMobile 30
    ['name', 'n'.repeat(200), 'name'],
    ['name', '店'.repeat(200), 'name'],
    // covers: recipientMobile: string, max 30
    // covers: externalReference 200, recipient name 200, recipientMobile 30
    ['recipientMobile', '1'.repeat(30), 'recipient_mobile'],
    ['accountBank', 'GH280100123', 'account_bank'],
  ])('takes %s at its limit', async (field, value, shown) => {
    const { post } = await merchant()
    const { status, body } = await post({ [field]: value })
    expect(status).toBe(200)
    expect(body[shown]).toBe(value)
  })

  it('takes account numbers of six and of twenty characters', async () => {
    const { post } = await merchant()
    const short = await post({ accountNumber: '123456' })
    expect(short.body.account_number_last4).toBe('456')
    const long = await post({ accountNumber: '12345678901234567897' })
    expect([long.status, long.body.account_number_last4.length]).toEqual([200, 4])
  })

  // covers: externalReference: string, required, max 200; idempotency key
  // covers: POST /split-recipients, recipients:write
  // covers: POST /split-recipients: `externalReference`
  // covers: on a repeat the original result is
  it('returns the existing recipient when the reference repeats, whatever else is sent', async () => {
    const { send, acts, subaccounts } = await merchant()
    const body = recipientBody()
    const first = await send(body)
    const again = await send({
      ...body,
      name: 'Another',
      splitValue: 99,
      accountNumber: '9999999999',
    })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(await acts()).toHaveLength(2)
    expect(await subaccounts()).toBe(1)
  })

  it('answers a repeat also when the business has lost its verification', async () => {
    const { send, tenant } = await merchant()
    const body = recipientBody()
    const first = await send(body)
    await world().database.sql`
      update merchant.profiles
      set kyc_status = 'rejected'
      where business_id = ${tenant.businessId}`
    expect((await send(body)).body).toEqual(first.body)
  })

  // covers: POST /split-recipients, recipients:write
  it('is one recipient and one sub-account when fifty ask at once', async () => {
    const { send, acts, subaccounts, stored } = await merchant()
    const body = recipientBody()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1)
    expect(await subaccounts()).toBe(1)
    expect(await stored()).toHaveLength(1)
    expect(await acts()).toEqual(['split_recipient.create', 'split_recipient.register'])
  })

  it('gives two references with one bank account two recipients and one sub-account', async () => {
    const { send, stored, subaccounts } = await merchant()
    const body = recipientBody()
    const answers = await Promise.all([
      send(body),
      send({ ...body, externalReference: 'another', splitValue: 20 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body.id).not.toBe(answers[1]?.body.id)
    expect(await subaccounts()).toBe(1)
    const [one, other] = await stored()
    expect(one?.subaccountId).toBe(other?.subaccountId)
  })

  // covers: keys are scoped to the business
  it('knows a reference in one environment and business only', async () => {
    const live = await merchant()
    const sandbox = await merchant({ ...live.tenant, environment: 'test' })
    const other = await merchant()
    const body = recipientBody()
    const answers = [await live.send(body), await sandbox.send(body), await other.send(body)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(3)
  })

  it('is the answer when the provider’s answer was lost but its list tells', async () => {
    const { post, rule, subaccounts } = await merchant()
    await rule({ operation: createCall, effect: 'drop_after' })
    const { status, body } = await post()
    expect([status, body.registered]).toEqual([200, true])
    expect(await subaccounts()).toBe(1)
  })
})

describe('400', () => {
  it.each([
    // covers: externalReference: string, required, max 200; idempotency key
    ['no reference', 'externalReference', { externalReference: undefined }],
    ['an empty reference', 'externalReference', { externalReference: '' }],
    // covers: externalReference: string, required, max 200; idempotency key
    // covers: externalReference 200, recipient name 200, recipientMobile 30
    ['a reference that is too long', 'externalReference', { externalReference: 'r'.repeat(201) }],
    ['a null reference', 'externalReference', { externalReference: null }],
    ['a control character in it', 'externalReference', { externalReference: 'a\u0000b' }],
    // covers: name: string, required, max 200
    ['no name', 'name', { name: undefined }],
    ['an empty name', 'name', { name: ' ' }],
    // covers: name: string, required, max 200
    // covers: externalReference 200, recipient name 200, recipientMobile 30
    ['a name that is too long', 'name', { name: 'n'.repeat(201) }],
    // covers: accountBank: string, required
    ['no bank', 'accountBank', { accountBank: undefined }],
    ['a bank that is too short', 'accountBank', { accountBank: '04' }],
    ['a bank of 65 characters', 'accountBank', { accountBank: '0'.repeat(65) }],
    // covers: accountBank: string, required
    ['a bank that is a number', 'accountBank', { accountBank: 44 }],
    // covers: accountNumber: string, required
    ['no account', 'accountNumber', { accountNumber: undefined }],
    ['an account that is too short', 'accountNumber', { accountNumber: '12345' }],
    ['an account of 65 characters', 'accountNumber', { accountNumber: '1'.repeat(65) }],
    ['an account of two lines', 'accountNumber', { accountNumber: '06900\n00031' }],
    // covers: splitValue: number, required
    ['no split', 'splitValue', { splitValue: undefined }],
    // covers: splitValue: number, required
    // covers: splitValue: 1 to 100
    ['a split below one', 'splitValue', { splitValue: 0.99 }],
    ['no share', 'splitValue', { splitValue: 0 }],
    // covers: splitValue: number, required
    // covers: splitValue: 1 to 100
    ['a split above a hundred', 'splitValue', { splitValue: 100.01 }],
    ['a negative split', 'splitValue', { splitValue: -10 }],
    ['a split that is text', 'splitValue', { splitValue: '10' }],
    // covers: recipientMobile: string, max 30
    // covers: externalReference 200, recipient name 200, recipientMobile 30
    ['a mobile that is too long', 'recipientMobile', { recipientMobile: '1'.repeat(31) }],
    ['an empty mobile', 'recipientMobile', { recipientMobile: '' }],
    ['an unknown field', 'verified', { verified: true }],
  ])('is the answer to %s', async (_, field, change) => {
    const { post, stored, subaccounts } = await merchant()
    const { status, body } = await post(change)
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual([field])
    expect(await stored()).toEqual([])
    expect(await subaccounts()).toBe(0)
  })

  // covers: recipientMobile: string, max 30
  it('is the answer to no mobile where the business has no contact phone', async () => {
    const businessId = await world().business({ contactPhone: null })
    const { post } = await merchant({ businessId })
    const { status, body } = await post()
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual(['recipientMobile'])
    expect((await post({ recipientMobile: '+2348099998888' })).status).toBe(200)
  })
})

describe('400 of a bank account that the provider does not know', () => {
  // The simulator knows neither the bank 999 nor accounts that end in four zeros.
  const bank = { accountBank: ['The payment provider does not know this bank.'] }
  const account = { accountNumber: ['The payment provider does not know this account.'] }

  it.each([
    ['the bank', { accountBank: '999' }, bank],
    ['the account', { accountNumber: '0690000000' }, account],
  ])('names %s, and leaves the reference free', async (_, wrong, fieldErrors) => {
    const { send, stored, acts, subaccounts } = await merchant()
    const body = recipientBody()
    const answer = await send({ ...body, ...wrong })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      error: { formErrors: [], fieldErrors },
      code: 'invalid_request',
    })
    expect(await stored()).toEqual([])
    expect(await subaccounts()).toBe(0)
    expect(await acts()).toEqual(['split_recipient.create', 'split_recipient.refuse'])
    expect((await send(body)).status).toBe(200)
  })

  it('is the answer to everybody who asks at once', async () => {
    const { send, stored, subaccounts } = await merchant()
    const body = recipientBody({ accountNumber: '0690000000' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)))
    for (const answer of answers) {
      expect([answer.status, answer.body.error.fieldErrors]).toEqual([400, account])
    }
    expect(await stored()).toEqual([])
    expect(await subaccounts()).toBe(0)
  })
})

describe('403', () => {
  // covers: POST /split-recipients, recipients:write
  it('is the answer to a key that may only read, verify and disable them', async () => {
    const scopes = merchantScopes.filter((scope) => scope !== 'recipients:write')
    const { post } = await merchant({ scopes })
    const { status, body } = await post()
    expect(status).toBe(403)
    expect(body.error).toContain('recipients:write')
  })

  // covers: 5. A missing scope, an unverified business
  it('is the answer to a live key of a business that is not verified, and not to a test key', async () => {
    const businessId = await world().business({ kycStatus: 'pending' })
    const live = await merchant({ businessId })
    expect((await live.post()).status).toBe(403)
    expect(await live.stored()).toEqual([])
    const sandbox = await merchant({ businessId, environment: 'test' })
    expect((await sandbox.post()).status).toBe(200)
  })
})

describe('413', () => {
  it('is the answer to a body above 256 KiB', async () => {
    const { post } = await merchant()
    expect((await post({ name: 'n'.repeat(bodyLimitBytes) })).status).toBe(413)
  })
})

describe('502', () => {
  const unknown =
    'The payment provider did not confirm the recipient. Registration continues automatically; repeat ' +
    'the call to see the outcome.'

  it('is the answer when the provider refuses a bank account that it knows', async () => {
    const { send, rule, stored } = await merchant()
    await rule({ operation: createCall, effect: 'refuse', status: 400 })
    const body = recipientBody()
    const answer = await send(body)
    expect(answer.status).toBe(502)
    expect(answer.body).toMatchObject({
      error:
        'The payment provider refused the recipient. No recipient was created; the reference ' +
        'can be used again.',
      code: 'internal_error',
    })
    expect(await stored()).toEqual([])
    expect((await send(body)).status).toBe(200)
  })

  it.each([
    // covers: 502 internal_error: the payment provider failed or could not be reached
    ['the connection breaks', { effect: 'drop' }],
    // covers: 502 internal_error: the payment provider failed or could not be reached
    ['the provider fails', { effect: 'refuse', status: 500 }],
    ['the key is refused', { effect: 'refuse', status: 401 }],
    ['there are too many requests', { effect: 'refuse', status: 429 }],
  ])('is the answer when %s, and the recipient stays unregistered', async (_, effect) => {
    const { post, rule, stored, subaccounts } = await merchant()
    await rule({ operation: createCall, ...effect })
    const { status, body } = await post()
    expect([status, body.error]).toEqual([502, unknown])
    expect(await stored()).toMatchObject([{ subaccountId: null, sends: 1, claimedUntil: null }])
    expect(await subaccounts()).toBe(0)
  })

  it('is the answer when neither the call nor the look-up is answered; a repeat finds it', async () => {
    const { send, rule, stored, subaccounts } = await merchant()
    await rule({ operation: createCall, effect: 'drop_after' })
    await rule({ operation: lookUpCall, effect: 'refuse', status: 500 })
    const body = recipientBody()
    expect((await send(body)).status).toBe(502)
    expect(await subaccounts()).toBe(1)
    const again = await send(body)
    expect([again.status, again.body.registered]).toEqual([200, true])
    expect(await stored()).toMatchObject([{ sends: 1 }])
    expect(await subaccounts()).toBe(1)
  })

  it('keeps what was refused when the look-up after it is not answered', async () => {
    const { send, rule, stored } = await merchant()
    await rule({ operation: lookUpCall, effect: 'drop' })
    const { status, body } = await send(recipientBody({ accountNumber: '0690000000' }))
    expect([status, body.error]).toEqual([502, unknown])
    expect(await stored()).toHaveLength(1)
  })

  it('is shown in the list meanwhile, and cannot be named by a link', async () => {
    const { post, rule, stored, key } = await merchant()
    await rule({ operation: createCall, effect: 'drop' })
    await post()
    const [recipient] = await stored()
    const { body } = await call('GET', path, { key })
    expect(body.data).toMatchObject([{ id: recipient?.id, registered: false, account_name: null }])
    const link = { title: 'Order', currency: 'NGN', splitRecipientId: recipient?.id }
    const answer = await call('POST', '/merchant/api/v1/payment-links', { key, body: link })
    expect([answer.status, answer.body.error]).toEqual([
      400,
      'The payment provider has not confirmed this split recipient yet.',
    ])
  })
})

describe('503', () => {
  it('is the answer to a live key where no provider is configured, and nothing is kept', async () => {
    const bare = await createWorld({ simulatorServesLive: false })
    try {
      const { text } = await bare.key({ service: 'merchant' })
      const { status, body } = await bare.call('POST', path, { key: text, body: recipientBody() })
      expect([status, body.code]).toEqual([503, 'unavailable'])
      const rows = await bare.database.sql`select from merchant.split_recipients`
      expect(rows).toHaveLength(0)
    } finally {
      await bare.close()
    }
  })
})
