// A charge that names a recipient, from the API to the provider's settlement.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reconcileSplitsSchedule } from '../../../src/merchant/discrepancies/reconcile-splits.ts'
import { manualClock } from '../../support/clock.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import {
  balancesOf,
  discrepanciesOf,
  newCode,
  newLink,
  paidPayment,
  pressPay,
  type Shop,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { recipientBody } from '../../support/recipients.ts'
import { useWorld } from '../../support/world.ts'
import { putThreshold } from '../refunds/paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })
const { signal } = new AbortController()
const reconcile = () => reconcileSplitsSchedule.run(world().context, signal)

let owner: Shop
let recipient: { id: string }

beforeEach(async () => {
  owner = await shop(world())
  recipient = await newRecipient({ splitValue: 33.3335 })
})

afterEach(() => expectInvariants(world().database))

const path = '/merchant/api/v1/split-recipients'

async function newRecipient(change: object): Promise<{ id: string }> {
  const body = recipientBody({ ...change })
  const answer = await world().call('POST', path, { key: owner.key, body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const disable = () =>
  world().call('PATCH', `${path}/${recipient.id}`, { key: owner.key, body: { disabled: true } })

const splitLink = (body: object = {}) =>
  newLink(world(), owner, { splitRecipientId: recipient.id, ...body })

const creationOf = async (paymentId: string) => {
  const [act] = await world().database.sql<{ detail: unknown }[]>`
    select detail
    from kernel.audit_log
    where business_id = ${owner.tenant.businessId}
      and action = 'payment.create'
      and object_id = ${paymentId}`
  return act?.detail
}

const settledWith = async (paymentId: string) => {
  const { providerReference } = await storedPayment(world(), { ...owner, id: paymentId })
  const provider = await world().context.providerFor(owner.tenant)
  const now = clock.now()
  const listed = await provider.listSettledSplits({ from: now, to: now })
  if (listed.kind !== 'success') throw new Error('the provider does not say')
  const found = listed.value.find(({ reference }) => reference === providerReference)
  return found && [found.amount.digits, found.amount.scale]
}

const settlementOf = async (paymentId: string) => {
  const { body } = await world().call('GET', '/merchant/api/v1/settlements', { key: owner.key })
  return body.data.find((row: { payment_id: string }) => row.payment_id === paymentId)
}

describe('a charge that names a recipient', () => {
  // covers: splitValue: number, required
  // covers: A charge that names the recipient settles
  it.each([
    // covers: splitRecipientId: uuid; settles the charge to that recipient
    ['a link', () => splitLink()],
    // covers: QR code (create request) › splitRecipientId: uuid
    ['a code', () => newCode(world(), owner, { splitRecipientId: recipient.id })],
  ])(
    'of %s settles their percentage of the charge to the recipient, to the minor unit',
    async (_, make) => {
      const { id } = await paidPayment(world(), owner, await make())
      // 33.3335 % of 1,000.00, rounded away from zero.
      expect(await storedPayment(world(), { ...owner, id })).toMatchObject({
        splitRecipientId: recipient.id,
        splitMinor: 33_334n,
        splitRule: 'of_charge',
      })
      expect(await settledWith(id)).toEqual([33_334n, 2])
      expect(await balancesOf(world(), owner.tenant)).toEqual({
        'merchant:available NGN': -65_166n,
        'platform:fees NGN': -1_500n,
        'platform:provider_fees NGN': 1_400n,
        'provider:balance NGN': 65_266n,
      })
      expect(await creationOf(id)).toEqual({
        splitRecipientId: recipient.id,
        settlesTo: 'recipient',
        splitMinor: '33334',
      })
      await reconcile()
      expect(await discrepanciesOf(world(), owner.tenant)).toEqual([])
    },
  )

  it('gives 250.00 of 1,000.00 at 25 per cent, and credits the merchant with the rest', async () => {
    const quarter = await newRecipient({ splitValue: 25 })
    const page = await newLink(world(), owner, { splitRecipientId: quarter.id })
    const { id } = await paidPayment(world(), owner, page)
    expect(await settledWith(id)).toEqual([250n, 0])
    expect(await settlementOf(id)).toMatchObject({ net: 985, split_amount: 250, net_settled: 735 })
    expect((await balancesOf(world(), owner.tenant))['merchant:available NGN']).toBe(-73_500n)
  })

  it('is refunded at the cost of the merchant', async () => {
    const quarter = await newRecipient({ splitValue: 25 })
    const page = await newLink(world(), owner, { splitRecipientId: quarter.id })
    const { id } = await paidPayment(world(), owner, page)
    await putThreshold(world(), owner.tenant, 'NGN', 100_000n)
    const funds = { amount: 1_000, currency: 'NGN' }
    await world().simulator.control(owner.tenant, 'POST', '/fund', funds)
    const refund = `/merchant/api/v1/payments/${id}/refund`
    expect((await world().call('POST', refund, { key: owner.key })).status).toBe(200)
    expect(await settlementOf(id)).toMatchObject({ refunded: 1000, net_settled: -265 })
    expect((await balancesOf(world(), owner.tenant))['merchant:available NGN']).toBe(26_500n)
  })

  // covers: splitValue: number, required
  it('gives the recipient no more than the fee leaves, and then the merchant gets nothing', async () => {
    const all = await newRecipient({ splitValue: 100 })
    const page = await newLink(world(), owner, { splitRecipientId: all.id })
    const { id } = await paidPayment(world(), owner, page)
    expect(await settledWith(id)).toEqual([985n, 0])
    expect((await balancesOf(world(), owner.tenant))['merchant:available NGN']).toBeUndefined()
    expect(await discrepanciesOf(world(), owner.tenant)).toEqual([])
  })

  it('promises no more than the provider leaves, where it takes more than the platform', async () => {
    const all = await newRecipient({ splitValue: 100 })
    const page = await newLink(world(), owner, { splitRecipientId: all.id, currency: 'KES' })
    const { id } = await paidPayment(world(), owner, page)
    expect(await settledWith(id)).toEqual([962n, 0])
    expect((await balancesOf(world(), owner.tenant))['merchant:available KES']).toBe(-2_300n)
    expect(await discrepanciesOf(world(), owner.tenant)).toEqual([])
  })

  it('who is not verified is split all the same', async () => {
    expect(await world().call('GET', path, { key: owner.key })).toMatchObject({
      body: { data: [{ verified: false }] },
    })
    const { id } = await paidPayment(world(), owner, await splitLink())
    expect(await settledWith(id)).toEqual([33_334n, 2])
  })

  // covers: a link or QR code assigned to
  it('settles to the merchant while the recipient is disabled, and the audit log says so', async () => {
    const page = await splitLink()
    await disable()
    const { id } = await paidPayment(world(), owner, page)
    expect(await storedPayment(world(), { ...owner, id })).toMatchObject({
      splitRecipientId: null,
      splitMinor: null,
    })
    expect(await settledWith(id)).toEqual([0n, 0])
    expect((await balancesOf(world(), owner.tenant))['merchant:available NGN']).toBe(-98_500n)
    expect(await creationOf(id)).toEqual({
      splitRecipientId: recipient.id,
      settlesTo: 'merchant',
      splitMinor: null,
    })
  })

  it('shows the passed-over recipient in the settlement', async () => {
    const page = await splitLink()
    await disable()
    const { id } = await paidPayment(world(), owner, page)
    const row = await settlementOf(id)
    expect(JSON.stringify(row)).toContain(recipient.id)
    expect(row).toMatchObject({ split_recipient_id: null })
  })

  it('keeps the split it was made with, when the recipient is disabled before the page is', async () => {
    const page = await splitLink()
    const token = 'a-token-of-a-form-1'
    const rule = { operation: 'POST /payments', effect: 'drop', count: 1 }
    await world().simulator.rule(owner.tenant, rule)
    expect((await pressPay(world(), page, { token })).status).toBe(502)
    await disable()
    expect((await pressPay(world(), page, { token })).status).toBe(303)
    const [row] = await world().database.sql<{ id: string; providerReference: string }[]>`
      select id, provider_reference
      from merchant.payments
      where business_id = ${owner.tenant.businessId}`
    const { id = '', providerReference = '' } = row ?? {}
    await world().simulator.pay(owner.tenant, providerReference)
    await world().call('GET', `/pay/return/${providerReference}`)
    expect(await settledWith(id)).toEqual([33_334n, 2])
    expect(await discrepanciesOf(world(), owner.tenant)).toEqual([])
  })

  it('keeps the share of the net that it had before shares were of the charge', async () => {
    const page = await splitLink()
    const token = 'a-token-of-a-form-1'
    const rule = { operation: 'POST /payments', effect: 'drop', count: 1 }
    await world().simulator.rule(owner.tenant, rule)
    expect((await pressPay(world(), page, { token })).status).toBe(502)
    // As the version before wrote it: 33.3335 % of 985.00.
    const [row] = await world().database.sql<{ id: string; providerReference: string }[]>`
      update merchant.payments
      set split_minor = 32833, split_rule = null
      where business_id = ${owner.tenant.businessId}
      returning id, provider_reference`
    const { id = '', providerReference = '' } = row ?? {}
    await expectInvariants(world().database)
    expect((await pressPay(world(), page, { token })).status).toBe(303)
    await world().simulator.pay(owner.tenant, providerReference)
    await world().call('GET', `/pay/return/${providerReference}`)
    expect(await settledWith(id)).toEqual([32_833n, 2])
    expect(await settlementOf(id)).toMatchObject({ split_amount: 328.33, net_settled: 656.67 })
  })

  it('with a share that its rule does not make is found', async () => {
    const { id } = await paidPayment(world(), owner, await splitLink())
    const change = (splitRule: string | null) => world().database.sql`
      update merchant.payments
      set split_rule = ${splitRule}
      where id = ${id}`
    await change(null)
    expect(await brokenInvariants(world().database)).toEqual(['I11.5'])
    await change('of_charge')
  })

  it('of the sandbox cannot name a recipient of the live environment', async () => {
    const sandbox = await shop(world(), { ...owner.tenant, environment: 'test' })
    await expect(newLink(world(), sandbox, { splitRecipientId: recipient.id })).rejects.toThrow(
      'answered 404',
    )
  })
})

describe('a split that the provider did not apply', () => {
  const rule = (effect: Record<string, unknown>) =>
    world().simulator.rule(owner.tenant, { operation: 'charge', ...effect })

  // covers: A charge that names the recipient settles
  it('is a break at once, and the share is kept apart until a person decides', async () => {
    await rule({ effect: 'split_not_applied' })
    const { id } = await paidPayment(world(), owner, await splitLink())
    expect(await discrepanciesOf(world(), owner.tenant)).toMatchObject([
      { cause: 'split_not_applied', objectId: id, detail: { difference_minor: '-33334' } },
    ])
    expect((await balancesOf(world(), owner.tenant))['suspense:unmatched NGN']).toBe(-33_334n)
    // The settlement says the same, and the same fact is one break.
    await reconcile()
    expect(await discrepanciesOf(world(), owner.tenant)).toHaveLength(1)
  })

  it('is found in the provider’s settlement where the charge itself did not show it', async () => {
    const { id } = await paidPayment(world(), owner, await splitLink())
    // What the charge settled was right, and the settlement has nothing for the recipient.
    await world().database.sql`
      update simulator.charges
      set shares = '[]'
      where business_id = ${owner.tenant.businessId}`
    await reconcile()
    expect(await discrepanciesOf(world(), owner.tenant)).toMatchObject([
      {
        cause: 'split_not_applied',
        objectId: id,
        detail: { split_recipient_id: recipient.id, expected_minor: '33334', settled: '0' },
      },
    ])
    await reconcile()
    expect(await discrepanciesOf(world(), owner.tenant)).toHaveLength(1)
  })

  it('in full is another break', async () => {
    await paidPayment(world(), owner, await splitLink())
    await world().database.sql`
      update simulator.charges
      set shares = '[{"id": "RS_1", "amount": 300.01}]'
      where business_id = ${owner.tenant.businessId}`
    await reconcile()
    expect(await discrepanciesOf(world(), owner.tenant)).toMatchObject([
      { cause: 'split_differs', detail: { expected_minor: '33334', settled: '300.01' } },
    ])
  })

  it('is not looked for in settlements that cannot be read, nor where nothing is settled yet', async () => {
    await rule({ effect: 'settle_later' })
    await paidPayment(world(), owner, await splitLink())
    await reconcile()
    await world().simulator.removeRules(owner.tenant)
    await paidPayment(world(), owner, await splitLink())
    const operation = 'GET /settlements'
    await world().simulator.rule(owner.tenant, { operation, effect: 'refuse', status: 500 })
    await reconcile()
    expect(await discrepanciesOf(world(), owner.tenant)).toEqual([])
  })
})
