import { beforeEach, describe, expect, it } from 'vitest'
import { bodyLimitBytes } from '../../../src/kernel/http/app.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useContract } from '../../support/openapi.ts'
import { lift, pause } from '../../support/pauses.ts'
import { balancesOf } from '../../support/payments.ts'
import {
  credit,
  type Payer,
  payer,
  payoutState,
  settlementAccount,
  type WantedPayer,
} from '../../support/payouts.ts'
import type { CallResult } from '../../support/world.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payouts'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

let one: Payer

beforeEach(async () => {
  one = await payer(world(), {}, call)
})

const other = (wanted: WantedPayer) => payer(world(), wanted, call)
const state = (answer: CallResult, of = one) =>
  payoutState(world(), of.tenant, answer.body.payoutId)
const count = async ({ tenant } = one) => {
  const rows = await world().database.sql`
    select id
    from merchant.payouts
    where business_id = ${tenant.businessId}`
  return rows.length
}
const toWallet = { destinationType: 'service_account' }

describe('200', () => {
  // covers: Amount units differ by field and are stated per field
  // covers: destinationType: required, `service_account` or `provider_bank` (the machine-readable
  // covers: A successful create response includes `payoutId`
  // covers: pending → processing by submission to the provider
  // covers: 200 processing or completed
  // covers: payout.completed: sent when a payout to the
  it('sends a payout to the settlement account, and is processing until it is confirmed', async () => {
    const answer = await one.payOut({ amount: 1234.56 })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      payoutId: expect.stringMatching(uuid),
      status: 'processing',
      amount: 1234.56,
      amount_minor: 123_456,
      currency: 'NGN',
    })
    const { payout, entries, events, effects } = await state(answer)
    expect(payout).toMatchObject({ sends: 1, providerTransferId: expect.any(String) })
    expect([entries, events, effects]).toEqual([[], [], 1])
  })

  // covers: With the bank destination the payout goes
  it('sends to the account on file and no other', async () => {
    const { payout } = await state(await one.payOut())
    const rows = await world().database.sql`
      select account_bank, account_number, full_name
      from simulator.transfers
      where reference = ${payout.providerReference}`
    expect(rows).toEqual([
      { accountBank: '044', accountNumber: '0690000031', fullName: 'Corner shop' },
    ])
  })

  // covers: destinationType: required, `service_account` or `provider_bank` (the machine-readable
  // covers: 200 processing or completed
  it('completes a payout to the wallet inside the service at once', async () => {
    const answer = await one.payOut({ ...toWallet, amount: 2500 })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'completed', amount: 2500, amount_minor: 250_000 })
    const { payout, entries, events } = await state(answer)
    expect(payout).toMatchObject({ sends: 0, providerReference: null, bankCode: null })
    expect(entries).toEqual(['payout.completed'])
    expect(events).toEqual([
      {
        type: 'payout.completed',
        data: { id: payout.id, amount: 250_000, currency: 'NGN', status: 'completed' },
      },
    ])
    expect(await balancesOf(world(), one.tenant)).toEqual({
      'merchant:available NGN': -750_000n,
      'merchant:wallet NGN': -250_000n,
      'provider:balance NGN': 1_000_000n,
    })
  })

  // covers: destinationType: required, `service_account` or `provider_bank` (the machine-readable
  it('takes the name of the provider for the bank, and a wallet without an account on file', async () => {
    expect((await one.payOut({ destinationType: 'flutterwave_bank' })).status).toBe(200)
    const walletOnly = await other({ account: null })
    expect((await walletOnly.payOut(toWallet)).status).toBe(200)
  })

  it.each([
    // covers: bankDetails: `accountNumber`, `bankCode`
    ['the account as it is on file', settlementAccount],
    [
      'the same in another spelling',
      { bankCode: ' 044', accountNumber: '0690-0000 31', beneficiaryName: ' corner  SHOP ' },
    ],
    // covers: bankDetails: `accountNumber`, `bankCode`
    ['a part of it', { accountNumber: '0690000031' }],
    ['nothing of it', {}],
  ])('takes bank details that say %s', async (_, bankDetails) => {
    expect((await one.payOut({ bankDetails })).status).toBe(200)
  })

  // covers: bankDetails: `accountNumber`, `bankCode`
  it('looks at no bank details where no bank is meant', async () => {
    const bankDetails = { accountNumber: '1111111111' }
    expect((await one.payOut({ ...toWallet, bankDetails })).status).toBe(200)
  })

  it('pays out all there is, and not more', async () => {
    expect((await one.payOut({ ...toWallet, amount: 10_000 })).status).toBe(200)
    expect((await one.payOut({ ...toWallet, amount: 0.01 })).status).toBe(400)
  })

  // covers: amount: number, required, major units, 0.01 to 100,000,000
  // covers: Payout and payment-link amount
  it('takes the least and the most that the interface allows', async () => {
    const rich = await other({ availableMinor: 10_000_000_001n, thresholdMinor: 20_000_000_000n })
    for (const amount of [100_000_000, 0.01]) {
      expect((await rich.payOut({ ...toWallet, amount })).body).toMatchObject({ amount })
    }
  })

  // covers: 202 with `requiresApproval: true` above the threshold
  it('is not held at the threshold, which is meant strictly', async () => {
    const careful = await other({ thresholdMinor: 100_000n })
    expect((await careful.payOut({ amount: 1000 })).status).toBe(200)
    expect((await careful.payOut({ amount: 1000.01 })).status).toBe(202)
  })

  it.each([
    ['the answer is lost', { effect: 'drop_after' }, 1],
    ['the connection breaks', { effect: 'drop' }, 0],
    ['the provider fails', { effect: 'refuse', status: 500 }, 0],
    ['the answer makes no sense', { effect: 'unreadable' }, 1],
    ['the key is refused', { effect: 'refuse', status: 401 }, 0],
  ])('says processing when %s, and keeps the money reserved', async (_, rule, effects) => {
    await world().simulator.rule(one.tenant, { operation: 'POST /transfers', count: 1, ...rule })
    const answer = await one.payOut({ amount: 6000 })
    expect([answer.status, answer.body.status]).toEqual([200, 'processing'])
    expect(await state(answer)).toMatchObject({ entries: [], events: [], effects })
    expect((await one.payOut({ amount: 4000.01 })).status).toBe(400)
    expect((await one.payOut({ ...toWallet, amount: 4000 })).status).toBe(200)
  })

  it('leaves every invariant whole', async () => {
    await one.payOut()
    await one.payOut(toWallet)
    await expectInvariants(world().database)
  })
})

describe('an Idempotency-Key', () => {
  const key = 'order-17'
  const withKey = (text = key) => ({ headers: { 'idempotency-key': text } })

  // covers: A successful create response includes `payoutId`
  // covers: POST /payouts: `Idempotency-Key` header
  // covers: on a repeat the original result is
  it('makes one payout, and tells a repeat so, whatever the repeat asks for', async () => {
    const first = await one.payOut({}, withKey())
    expect(first.body).not.toHaveProperty('idempotentReplay')
    const again = await one.payOut({ amount: 5, ...toWallet }, withKey())
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ ...first.body, idempotentReplay: true })
    expect(await count()).toBe(1)
  })

  // covers: POST /payouts: `Idempotency-Key` header
  it('is answered 200 with the payout also when the first answer was 202', async () => {
    const held = await other({ thresholdMinor: null })
    const first = await held.payOut({}, withKey())
    expect(first.status).toBe(202)
    const again = await held.payOut({}, withKey())
    expect(again.status).toBe(200)
    expect(again.body).toEqual({
      payoutId: first.body.payoutId,
      status: 'pending',
      amount: 1000,
      amount_minor: 100_000,
      currency: 'NGN',
      idempotentReplay: true,
    })
  })

  it('answers before the balance, the verification and a pause are looked at', async () => {
    const first = await one.payOut({ ...toWallet, amount: 10_000 }, withKey())
    const { businessId } = one.tenant
    const { sql } = world().database
    await sql`
      update merchant.profiles
      set kyc_status = 'rejected'
      where business_id = ${businessId}`
    await whilePaused(async () => {
      const again = await one.payOut({}, withKey())
      expect(again.body).toEqual({ ...first.body, idempotentReplay: true })
    })
  })

  // covers: POST /payouts: `Idempotency-Key` header
  it('shows what has become of the payout since', async () => {
    await world().simulator.rule(one.tenant, {
      operation: 'POST /transfers',
      effect: 'refuse',
      status: 400,
    })
    expect((await one.payOut({}, withKey())).status).toBe(502)
    const again = await one.payOut({}, withKey())
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({
      status: 'failed',
      failure_reason: 'refused by the payment provider',
      idempotentReplay: true,
    })
    expect(await count()).toBe(1)
  })

  it('is not used up by a call that was refused', async () => {
    expect((await one.payOut({ amount: 10_000.01 }, withKey())).status).toBe(400)
    expect((await one.payOut({ amount: 0 }, withKey())).status).toBe(400)
    const wrong = { bankDetails: { accountNumber: '1' } }
    expect((await one.payOut(wrong, withKey())).status).toBe(403)
    expect((await one.payOut({}, withKey())).body).not.toHaveProperty('idempotentReplay')
  })

  // covers: keys are scoped to the business
  it('belongs to its business, and to payouts', async () => {
    await one.payOut({}, withKey())
    const stranger = await other({})
    expect((await stranger.payOut({}, withKey())).body).not.toHaveProperty('idempotentReplay')
    const link = { title: 'Order', currency: 'NGN' }
    const made = await call('POST', '/merchant/api/v1/payment-links', {
      key: one.key,
      body: link,
      ...withKey(),
    })
    expect(made.status).toBe(200)
  })

  it.each([
    // covers: optional header `Idempotency-Key` (8 to 64 characters)
    // covers: POST /payouts: `Idempotency-Key` header
    // covers: Payout Idempotency-Key: 8 to 64 characters
    ['8 characters', 'a'.repeat(8), 200],
    // covers: optional header `Idempotency-Key` (8 to 64 characters)
    // covers: POST /payouts: `Idempotency-Key` header
    // covers: Payout Idempotency-Key: 8 to 64 characters
    ['64 characters', '~'.repeat(64), 200],
    // covers: optional header `Idempotency-Key` (8 to 64 characters)
    // covers: POST /payouts: `Idempotency-Key` header
    // covers: Payout Idempotency-Key: 8 to 64 characters
    ['7 characters', 'a'.repeat(7), 400],
    // covers: optional header `Idempotency-Key` (8 to 64 characters)
    // covers: POST /payouts: `Idempotency-Key` header
    // covers: Payout Idempotency-Key: 8 to 64 characters
    ['65 characters', 'a'.repeat(65), 400],
    ['words', 'order 1234', 200],
    ['a tab in it', 'order\t1234', 400],
    ['nothing', '', 400],
  ])('of %s', async (_, text, expected) => {
    expect((await one.payOut({}, withKey(text))).status).toBe(expected)
  })
})

describe('202', () => {
  // covers: 202 with `requiresApproval: true` above the threshold
  // covers: a 202 is not an error
  it('holds a payout above the threshold: it is pending, reserved, and nothing is sent', async () => {
    const careful = await other({ thresholdMinor: 99_999n })
    const answer = await careful.payOut()
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({
      requiresApproval: true,
      approvalId: expect.stringMatching(uuid),
      payoutId: expect.stringMatching(uuid),
    })
    const { payout, entries, events, effects } = await state(answer, careful)
    expect(payout).toMatchObject({ status: 'pending', sends: 0, nextLookAt: null })
    expect([entries, events, effects]).toEqual([[], [], 0])
    expect((await careful.payOut({ amount: 9000.01 })).status).toBe(400)
    expect((await careful.payOut({ amount: 9000 })).status).toBe(202)
  })

  // covers: A currency with no configured threshold always
  it('holds everything in a currency without a threshold, the wallet too', async () => {
    const careful = await other({ thresholdMinor: null })
    expect((await careful.payOut({ amount: 0.01 })).status).toBe(202)
    expect((await careful.payOut({ ...toWallet, amount: 0.01 })).status).toBe(202)
  })

  // covers: A currency with no configured threshold always
  it('takes a threshold of another currency for none', async () => {
    await credit(world(), one.tenant, 'USD', 100_000n)
    expect((await one.payOut({ currency: 'USD', amount: 1 })).status).toBe(202)
  })
})

describe('400', () => {
  it.each([
    // covers: amount: number, required, major units, 0.01 to 100,000,000
    ['no amount', '{"currency":"NGN","destinationType":"service_account"}'],
    // covers: amount: number, required, major units, 0.01 to 100,000,000
    // covers: Payout and payment-link amount
    [
      'less than the least',
      '{"amount":0.009,"currency":"NGN","destinationType":"service_account"}',
    ],
    // covers: Out-of-range amounts: 400
    ['zero', '{"amount":0,"currency":"NGN","destinationType":"service_account"}'],
    // covers: Out-of-range amounts: 400
    ['less than zero', '{"amount":-1,"currency":"NGN","destinationType":"service_account"}'],
    // covers: amount: number, required, major units, 0.01 to 100,000,000
    // covers: Payout and payment-link amount
    [
      'more than the most',
      '{"amount":100000000.01,"currency":"NGN","destinationType":"service_account"}',
    ],
    [
      'more decimals than naira',
      '{"amount":1.001,"currency":"NGN","destinationType":"service_account"}',
    ],
    ['decimals of yen', '{"amount":1.5,"currency":"JPY","destinationType":"service_account"}'],
    ['an amount as text', '{"amount":"1","currency":"NGN","destinationType":"service_account"}'],
    // covers: Payout › currency: string, required, exactly 3 characters
    ['no currency', '{"amount":1,"destinationType":"service_account"}'],
    [
      'a currency in small letters',
      '{"amount":1,"currency":"ngn","destinationType":"service_account"}',
    ],
    ['what is no currency', '{"amount":1,"currency":"XXX","destinationType":"service_account"}'],
    // covers: destinationType: required, `service_account` or `provider_bank` (the machine-readable
    ['no destination', '{"amount":1,"currency":"NGN"}'],
    // covers: destinationType: required, `service_account` or `provider_bank` (the machine-readable
    // covers: 400 for a sandbox key
    ['an unknown destination', '{"amount":1,"currency":"NGN","destinationType":"bank"}'],
    [
      'an unknown field',
      '{"amount":1,"currency":"NGN","destinationType":"service_account","note":"x"}',
    ],
    // covers: bankDetails: `accountNumber`, `bankCode`
    [
      'an unknown bank detail',
      '{"amount":1,"currency":"NGN","destinationType":"provider_bank","bankDetails":{"iban":"x"}}',
    ],
    [
      'bank details that are none',
      '{"amount":1,"currency":"NGN","destinationType":"provider_bank","bankDetails":null}',
    ],
    ['null as the body', 'null'],
    ['no JSON', '{'],
  ])('is the answer to %s', async (_, rawBody) => {
    const { status, body } = await call('POST', path, { key: one.key, rawBody })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect(await count()).toBe(0)
  })

  // covers: Sandbox keys move no real money
  // covers: 400 for a sandbox key
  // covers: Payouts are for live keys only
  // covers: 400 invalid_request: invalid input or a broken business rule
  it('is the answer to a sandbox key', async () => {
    const { text } = await world().key({ service: 'merchant', ...one.tenant, environment: 'test' })
    const { status, body } = await one.payOut(toWallet, { key: text })
    expect(status).toBe(400)
    expect(body.error).toBe('Payouts are for live keys only: no money moves in the sandbox.')
  })

  // covers: 400 for a sandbox key
  // covers: 400 invalid_request: invalid input or a broken business rule
  it('is the answer when the balance is too low', async () => {
    const { status, body } = await one.payOut({ amount: 10_000.01 })
    expect(status).toBe(400)
    expect(body.error).toBe('The available balance is too low.')
    expect(await count()).toBe(0)
  })

  // covers: 400 for a sandbox key
  it('counts no money of another currency, and none that is not settled', async () => {
    expect((await one.payOut({ currency: 'GHS', amount: 1 })).status).toBe(400)
    const poor = await other({ availableMinor: 0n })
    expect((await poor.payOut({ amount: 0.01 })).status).toBe(400)
  })

  // covers: 400 for a sandbox key
  // covers: 400 invalid_request: invalid input or a broken business rule
  it('is the answer when no settlement account is on file', async () => {
    const homeless = await other({ account: null })
    const { status, body } = await homeless.payOut({ bankDetails: settlementAccount })
    expect(status).toBe(400)
    expect(body.error).toBe('There is no settlement account on file to pay out to.')
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('POST', path, { body: {} })).status).toBe(401)
  })
})

describe('403', () => {
  // covers: 5. A missing scope, an unverified business
  it.each([
    // covers: bankDetails: `accountNumber`, `bankCode`
    // covers: 403 when bankDetails differ from the saved account
    ['accountNumber', '0690000032'],
    // covers: bankDetails: `accountNumber`, `bankCode`
    // covers: 403 when bankDetails differ from the saved account
    ['bankCode', '058'],
    // covers: bankDetails: `accountNumber`, `bankCode`
    // covers: 403 when bankDetails differ from the saved account
    ['beneficiaryName', 'Corner shoe'],
    ['accountNumber', ''],
  ])('is the answer to another %s: %j', async (field, value) => {
    const answer = await one.payOut({ bankDetails: { ...settlementAccount, [field]: value } })
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({
      error: 'The bank details differ from the settlement account on file.',
      code: 'permission_denied',
    })
    expect(await count()).toBe(0)
  })

  // covers: 5. A missing scope, an unverified business
  it('is the answer to a business that is not verified', async () => {
    const businessId = await world().business({ kycStatus: 'pending' })
    const unverified = await other({ businessId })
    const { status, body } = await unverified.payOut(toWallet)
    expect(status).toBe(403)
    expect(body.error).toBe('The business is not verified yet.')
  })

  // covers: POST /payouts, payouts:create
  it('is the answer to a key without the scope', async () => {
    const scopes = ['payouts:read', 'payouts:cancel']
    const { text } = await world().key({ service: 'merchant', ...one.tenant, scopes })
    expect((await one.payOut({}, { key: text })).status).toBe(403)
  })
})

describe('413', () => {
  it('is the answer to a body above 256 KiB', async () => {
    const rawBody = `{}${' '.repeat(bodyLimitBytes)}`
    expect((await call('POST', path, { key: one.key, rawBody })).status).toBe(413)
  })
})

describe('501', () => {
  // covers: 501 not_implemented: not available for that currency
  it('is the answer to a currency that the provider does not have', async () => {
    for (const destinationType of ['service_account', 'provider_bank']) {
      const { status, body } = await one.payOut({ currency: 'CHF', destinationType })
      expect(status).toBe(501)
      expect(body).toMatchObject({
        error: 'Payouts in CHF are not available.',
        code: 'not_implemented',
      })
    }
  })
})

describe('502', () => {
  // covers: A payout record has id
  // covers: processing → failed when the provider reports the transfer failed
  // covers: payout.failed: sent when a payout to the settlement account failed
  // covers: 502 internal_error: the payment provider failed or could not be reached
  it('is the answer when the provider refuses: the payout failed and holds no money', async () => {
    await world().simulator.rule(one.tenant, {
      operation: 'POST /transfers',
      effect: 'refuse',
      status: 400,
      reason: 'Our wallet is empty',
      count: 1,
    })
    const answer = await one.payOut({ amount: 10_000 })
    expect(answer.status).toBe(502)
    expect(answer.body).toMatchObject({
      error: 'The payment provider refused the payout. No money moved.',
      code: 'internal_error',
    })
    const list = await call('GET', path, { key: one.key })
    expect(list.body.data).toMatchObject([
      { status: 'failed', failure_reason: 'refused by the payment provider' },
    ])
    const { entries, events, effects } = await payoutState(
      world(),
      one.tenant,
      list.body.data[0].id,
    )
    expect([entries, effects]).toEqual([[], 0])
    expect(events).toEqual([
      {
        type: 'payout.failed',
        data: {
          id: list.body.data[0].id,
          amount: 1_000_000,
          currency: 'NGN',
          status: 'failed',
          failure_reason: 'refused by the payment provider',
        },
      },
    ])
    expect((await one.payOut({ amount: 10_000 })).status).toBe(200)
    await expectInvariants(world().database)
  })
})

describe('503', () => {
  // covers: 503 service_paused: payouts
  it('is the answer while payouts are paused, and nothing is recorded', async () => {
    await whilePaused(async () => {
      const { status, body, headers } = await one.payOut()
      expect(status).toBe(503)
      expect(body.code).toBe('service_paused')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect(await count()).toBe(0)
    expect((await one.payOut()).status).toBe(200)
  })
})

async function whilePaused(work: () => Promise<void>): Promise<void> {
  await pause(world(), 'payouts')
  try {
    await work()
  } finally {
    await lift(world(), 'payouts')
  }
}
