// How facts from the simulated provider change a payment.
import { afterEach, describe, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { resolvePayment } from '../../../src/merchant/payments/resolve-payment.ts'
import { simulatorKey } from '../../../src/merchant/provider/choose-provider.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  type Begun,
  balancesOf,
  discrepanciesOf,
  eventsOf,
  newCode,
  newLink,
  paidPayment,
  payment,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { insertRecipient } from '../../support/recipients.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

afterEach(() => expectInvariants(world().database))

const resolve = ({ tenant, id }: Begun) => resolvePayment(world().context, tenant, id)

// Pays under a rule of misbehaviour and looks the charge up.
async function paidUnder(rule: Record<string, unknown>, card?: string): Promise<Begun> {
  const begun = await payment(world())
  await world().simulator.rule(begun.tenant, { operation: 'charge', ...rule })
  await world().simulator.pay(begun.tenant, begun.reference, card)
  await resolve(begun)
  return begun
}

async function refundsOf({ tenant, id }: Begun) {
  return world().database.sql`
    select status, amount_minor, currency, cause, requested_by_kind
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and payment_id = ${id}`
}

describe('a success', () => {
  // covers: fee_amount, net_amount: minor units in events
  // covers: succeeded = full amount collected, nothing refunded
  // covers: Amounts in `data` are minor units
  // covers: payment.succeeded: sent when a payment link or QR charge succeeded
  // covers: data: id, amount, currency
  it('collects: fee, net, ledger, event, and settled at once when the provider says so', async () => {
    const paid = await paidPayment(world())
    const stored = await storedPayment(world(), paid)
    expect(stored).toMatchObject({ status: 'succeeded', feeMinor: 1_500n, netMinor: 98_500n })
    expect(stored.settledAt).not.toBeNull()
    expect(await balancesOf(world(), paid.tenant)).toEqual({
      'merchant:available NGN': -98_500n,
      'platform:fees NGN': -1_500n,
      'platform:provider_fees NGN': 1_400n,
      'provider:balance NGN': 98_600n,
    })
    expect(await eventsOf(world(), paid.tenant)).toEqual([
      {
        type: 'payment.succeeded',
        objectId: paid.id,
        data: {
          id: paid.id,
          amount: 100_000,
          currency: 'NGN',
          fee_amount: 1_500,
          net_amount: 98_500,
          status: 'succeeded',
          qr_code_id: null,
          payment_link_id: stored.paymentLinkId,
        },
      },
    ])
    expect(await discrepanciesOf(world(), paid.tenant)).toEqual([])
  })

  // covers: payment.succeeded: sent when a payment link or QR charge succeeded
  it('is applied once, however often and from however many sides it is told', async () => {
    const begun = await payment(world())
    await world().simulator.pay(begun.tenant, begun.reference)
    await Promise.all(Array.from({ length: 10 }, () => resolve(begun)))
    const after = await storedPayment(world(), begun)
    expect(await eventsOf(world(), begun.tenant)).toHaveLength(1)
    await resolve(begun)
    expect(await storedPayment(world(), begun)).toEqual(after)
    expect((await balancesOf(world(), begun.tenant))['merchant:available NGN']).toBe(-98_500n)
  })

  it('is the merchant’s to pay out only when the provider has settled it', async () => {
    const begun = await paidUnder({ effect: 'settle_later' })
    expect(await storedPayment(world(), begun)).toMatchObject({
      status: 'succeeded',
      settledAt: null,
    })
    expect(await balancesOf(world(), begun.tenant)).toEqual({
      'merchant:pending NGN': -98_500n,
      'platform:fees NGN': -1_500n,
      'provider:receivable NGN': 100_000n,
    })
    const { tenant, reference } = begun
    await world().simulator.control(tenant, 'POST', '/proceed', { subject: 'charge', reference })
    await resolve(begun)
    expect((await storedPayment(world(), begun)).settledAt).not.toBeNull()
    const balances = await balancesOf(world(), begun.tenant)
    expect(balances['merchant:available NGN']).toBe(-98_500n)
    expect(balances['provider:receivable NGN']).toBeUndefined()
    expect(await eventsOf(world(), begun.tenant)).toHaveLength(1)
  })

  it('takes the fee of the business’s own schedule, and never more than the amount', async () => {
    const owner = await shop(world())
    const setSchedule = (basisPoints: number, fixedMinor: bigint) =>
      world().database.sql`
        insert into merchant.fee_schedules
          (business_id, currency, basis_points, fixed_minor, updated_at)
        values (${owner.tenant.businessId}, 'NGN', ${basisPoints}, ${fixedMinor}, now())
        on conflict (business_id, currency)
          do update set basis_points = excluded.basis_points, fixed_minor = excluded.fixed_minor`
    await setSchedule(25, 10_000n)
    const odd = await newLink(world(), owner, { amount: 1002 })
    const first = await storedPayment(world(), await paidPayment(world(), owner, odd))
    // 0.25 % of 1,002.00 is 2.505, rounded away from zero.
    expect(first).toMatchObject({ feeMinor: 10_251n, netMinor: 89_949n })
    await setSchedule(0, 500_000n)
    const second = await storedPayment(world(), await paidPayment(world(), owner))
    expect(second).toMatchObject({ feeMinor: 100_000n, netMinor: 0n })
  })

  it('keeps the fee and the share as they were when Pay was pressed', async () => {
    const owner = await shop(world())
    const subaccountId = await subaccountOf(owner.tenant)
    const recipient = await insertRecipient(world(), owner.tenant, {
      splitPercent: '100',
      subaccountId,
    })
    const page = await newLink(world(), owner, { splitRecipientId: recipient })
    const begun = await payment(world(), owner, page)
    await world().database.sql`
      insert into merchant.fee_schedules
        (business_id, currency, basis_points, fixed_minor, updated_at)
      values (${owner.tenant.businessId}, 'NGN', 5000, 0, now())`
    await world().simulator.rule(owner.tenant, { operation: 'charge', effect: 'settle_later' })
    await world().simulator.pay(begun.tenant, begun.reference)
    await resolve(begun)
    expect(await storedPayment(world(), begun)).toMatchObject({
      status: 'succeeded',
      feeMinor: 1_500n,
      netMinor: 98_500n,
      splitMinor: 98_500n,
    })
    expect(await balancesOf(world(), begun.tenant)).toEqual({
      'platform:fees NGN': -1_500n,
      'provider:receivable NGN': 100_000n,
      'recipients:owed NGN': -98_500n,
    })
  })

  // covers: singleUse: boolean
  it('uses a single-use code up', async () => {
    const owner = await shop(world())
    const page = await newCode(world(), owner, { singleUse: true })
    await paidPayment(world(), owner, page)
    const again = await world().call('GET', page)
    expect(again.status).toBe(410)
    expect(again.text).toContain('Already paid')
    expect(again.text).not.toContain('Nothing was charged')
  })
})

describe('a decline', () => {
  // covers: failed = declined or did not complete, no money collected
  // covers: payment.failed: sent when a checkout attempt was
  // covers: data: amount, currency
  it('fails the payment with the provider’s reason, and books nothing', async () => {
    const owner = await shop(world())
    const begun = await payment(world(), owner, await newCode(world(), owner))
    await world().simulator.pay(begun.tenant, begun.reference, 'insufficient_funds')
    await resolve(begun)
    const stored = await storedPayment(world(), begun)
    expect(stored).toMatchObject({ status: 'failed', failureReason: 'Insufficient Funds' })
    expect(await balancesOf(world(), begun.tenant)).toEqual({})
    expect(await eventsOf(world(), begun.tenant)).toEqual([
      {
        type: 'payment.failed',
        objectId: begun.id,
        data: {
          id: begun.id,
          amount: 100_000,
          currency: 'NGN',
          status: 'failed',
          failure_reason: 'Insufficient Funds',
          qr_code_id: stored.qrCodeId,
          payment_link_id: null,
        },
      },
    ])
  })

  it('frees a single-use code', async () => {
    const owner = await shop(world())
    const page = await newCode(world(), owner, { singleUse: true })
    const begun = await payment(world(), owner, page)
    await world().simulator.pay(begun.tenant, begun.reference, 'do_not_honour')
    await resolve(begun)
    await paidPayment(world(), owner, page)
  })
})

// covers: processing = charge submitted to the processor and awaiting confirmation
// covers: Other payment transitions (pending to processing
it('a charge that the provider is working on is processing, and then what it becomes', async () => {
  const begun = await paidUnder({ effect: 'succeed_after_timeout' })
  expect((await storedPayment(world(), begun)).status).toBe('processing')
  expect(await eventsOf(world(), begun.tenant)).toEqual([])
  const { tenant, reference } = begun
  await world().simulator.control(tenant, 'POST', '/proceed', { subject: 'charge', reference })
  await resolve(begun)
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
})

describe('money that was not asked for', () => {
  it('beyond the amount is given back, and the payment succeeds', async () => {
    const begun = await paidUnder({ effect: 'overpay', difference: '25.5' })
    expect((await storedPayment(world(), begun)).status).toBe('succeeded')
    expect(await discrepanciesOf(world(), begun.tenant)).toMatchObject([{ cause: 'overpayment' }])
    expect(await refundsOf(begun)).toEqual([
      {
        status: 'pending',
        amountMinor: 2_550n,
        currency: 'NGN',
        cause: 'overpayment',
        requestedByKind: 'system',
      },
    ])
    const balances = await balancesOf(world(), begun.tenant)
    expect(balances['merchant:available NGN']).toBe(-98_500n)
    expect(balances['suspense:unmatched NGN']).toBe(-2_550n)
  })

  // covers: succeeded = full amount collected, nothing refunded
  it('below the amount is kept apart, and the payment fails', async () => {
    const begun = await paidUnder({ effect: 'underpay', difference: '0.5' })
    await resolve(begun)
    expect(await storedPayment(world(), begun)).toMatchObject({
      status: 'failed',
      failureReason: 'paid less than the amount',
    })
    expect(await discrepanciesOf(world(), begun.tenant)).toMatchObject([{ cause: 'underpayment' }])
    const balances = await balancesOf(world(), begun.tenant)
    expect(balances['suspense:unmatched NGN']).toBe(-99_950n)
    expect(balances['provider:receivable NGN']).toBeUndefined()
    expect(await refundsOf(begun)).toEqual([])
  })

  it('in another currency is kept apart in that currency, and the payment fails', async () => {
    const begun = await paidUnder({ effect: 'other_currency', currency: 'KES' })
    await resolve(begun)
    expect((await storedPayment(world(), begun)).status).toBe('failed')
    expect(await discrepanciesOf(world(), begun.tenant)).toMatchObject([
      { cause: 'wrong_currency' },
    ])
    const balances = await balancesOf(world(), begun.tenant)
    expect(balances['suspense:unmatched KES']).toBe(-100_000n)
    expect(Object.keys(balances).filter((name) => name.endsWith('NGN'))).toEqual([])
  })

  // covers: never reaches the processor
  it('after a cancel goes back, whole', async () => {
    const begun = await payment(world())
    const { key, id, tenant, reference } = begun
    await world().call('POST', `/merchant/api/v1/payments/${id}/cancel`, { key })
    await world().simulator.control(tenant, 'POST', '/fund', { amount: 5_000, currency: 'NGN' })
    await world().simulator.pay(tenant, reference)
    await resolve(begun)
    await resolve(begun)
    expect((await storedPayment(world(), begun)).status).toBe('cancelled')
    expect(await discrepanciesOf(world(), tenant)).toMatchObject([{ cause: 'late_success' }])
    expect(await eventsOf(world(), tenant)).toEqual([])
    expect((await balancesOf(world(), tenant))['suspense:unmatched NGN']).toBe(-100_000n)
    expect(await refundsOf(begun)).toMatchObject([
      { status: 'pending', amountMinor: 100_000n, cause: 'late_success' },
    ])

    await resolveRefundsSchedule.run(world().context, new AbortController().signal)
    expect((await balancesOf(world(), tenant))['suspense:unmatched NGN']).toBeUndefined()
    expect(await world().simulator.effects(tenant, reference)).toMatchObject({
      charge: 1,
      refund: 1,
    })
  })

  it('after a decline goes back as well', async () => {
    const begun = await paidUnder({ effect: 'succeed_after_decline' })
    const { tenant, reference } = begun
    expect((await storedPayment(world(), begun)).status).toBe('failed')
    await world().simulator.control(tenant, 'POST', '/proceed', { subject: 'charge', reference })
    await resolve(begun)
    expect((await storedPayment(world(), begun)).status).toBe('failed')
    expect(await refundsOf(begun)).toMatchObject([{ cause: 'late_success' }])
  })
})

it('a charge that the provider takes back is undone in the ledger, and keeps its status', async () => {
  const begun = await paidPayment(world())
  const { tenant, reference } = begun
  const by = { subject: 'charge', reference, step: 'reverse' }
  await world().simulator.control(tenant, 'POST', '/act', by)
  await resolve(begun)
  await resolve(begun)
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
  expect(await discrepanciesOf(world(), tenant)).toMatchObject([{ cause: 'failure_after_success' }])
  expect(await balancesOf(world(), tenant)).toEqual({})
  expect(await eventsOf(world(), tenant)).toHaveLength(1)
})

describe('a split', () => {
  it('gives the recipient their percentage of the charge', async () => {
    const owner = await shop(world())
    const subaccount = await subaccountOf(owner.tenant)
    const recipient = await insertRecipient(world(), owner.tenant, {
      splitPercent: '33.3',
      subaccountId: subaccount,
    })
    const page = await newLink(world(), owner, { splitRecipientId: recipient })
    const paid = await paidPayment(world(), owner, page)
    // 33.3 % of 1,000.00.
    expect(await storedPayment(world(), paid)).toMatchObject({
      splitRecipientId: recipient,
      splitMinor: 33_300n,
    })
    expect(await balancesOf(world(), owner.tenant)).toEqual({
      'merchant:available NGN': -65_200n,
      'platform:fees NGN': -1_500n,
      'platform:provider_fees NGN': 1_400n,
      'provider:balance NGN': 65_300n,
    })
    expect(await discrepanciesOf(world(), owner.tenant)).toEqual([])
  })

  it('that the provider did not apply is a break, and the money is kept apart', async () => {
    const owner = await shop(world())
    const subaccountId = await subaccountOf(owner.tenant)
    const recipient = await insertRecipient(world(), owner.tenant, { subaccountId })
    await world().simulator.rule(owner.tenant, { operation: 'charge', effect: 'split_not_applied' })
    const page = await newLink(world(), owner, { splitRecipientId: recipient })
    await paidPayment(world(), owner, page)
    expect(await discrepanciesOf(world(), owner.tenant)).toMatchObject([
      { cause: 'split_not_applied' },
    ])
    expect((await balancesOf(world(), owner.tenant))['suspense:unmatched NGN']).toBe(-10_000n)
  })

  // covers: a link or QR code assigned to
  it('with a disabled recipient is none: the merchant gets all', async () => {
    const owner = await shop(world())
    const recipient = await insertRecipient(world(), owner.tenant, {})
    const page = await newLink(world(), owner, { splitRecipientId: recipient })
    await world().database.sql`
      update merchant.split_recipients
      set disabled = true
      where id = ${recipient}`
    const paid = await paidPayment(world(), owner, page)
    expect(await storedPayment(world(), paid)).toMatchObject({
      splitRecipientId: null,
      splitMinor: null,
    })
    expect((await balancesOf(world(), owner.tenant))['merchant:available NGN']).toBe(-98_500n)
  })
})

// A sub-account as the provider knows it.
async function subaccountOf(tenant: Tenant): Promise<string> {
  const response = await fetch(`${world().simulator.url}/v3/subaccounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorKey(tenant)}` },
    body: JSON.stringify({
      account_bank: '044',
      account_number: '0690000031',
      business_name: 'A recipient',
      business_mobile: '0800',
      split_type: 'percentage',
      split_value: 0.5,
    }),
  })
  const { data } = (await response.json()) as { data: { subaccount_id: string } }
  return data.subaccount_id
}
