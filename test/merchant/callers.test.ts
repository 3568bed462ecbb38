// Operations are the same for a key, a person and the system. Keys call them through routes, which
// the contract tests cover; the other two are tested here.
import { describe, expect, it } from 'vitest'
import { type Actor, operatorActor } from '../../src/kernel/auth/actor.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { listSettlementAccounts } from '../../src/merchant/business/list-settlement-accounts.ts'
import { setSettlementAccount } from '../../src/merchant/business/set-settlement-account.ts'
import { listFeeSchedules } from '../../src/merchant/fees/list-fee-schedules.ts'
import { setFeeSchedule } from '../../src/merchant/fees/set-fee-schedule.ts'
import { createPaymentLink } from '../../src/merchant/payment-links/create-payment-link.ts'
import { createPayout } from '../../src/merchant/payouts/create-payout.ts'
import { createQrCode } from '../../src/merchant/qr-codes/create-qr-code.ts'
import { rowScope } from '../../src/merchant/row-scope.ts'
import { expectInvariants } from '../support/invariants.ts'
import { member, payer, payoutState } from '../support/payouts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const system = (tenant: Tenant): Actor => ({ ...tenant, kind: 'system', name: 'test' })

async function shop(): Promise<Tenant> {
  return { businessId: await world().business(), environment: 'test' }
}

describe('a payment link', () => {
  const order = { title: 'A desk', currency: 'NGN' }

  it('is made by a person, with its amount in minor units', async () => {
    const person = await member(world(), await shop(), 'member')
    const input = { ...order, amountMinor: 450_000n }
    const link = await runOperation(createPaymentLink, world().context, person, input)
    expect(link).toMatchObject({ amountMinor: 450_000n, presetAmountMinor: null })
  })

  it('takes an idempotency key of any caller', async () => {
    const actor = system(await shop())
    const make = () =>
      runOperation(createPaymentLink, world().context, actor, order, { idempotencyKey: 'k' })
    expect((await make()).id).toBe((await make()).id)
  })

  it.each([
    ['JPY', 100_000_000n],
    ['NGN', 10_000_000_000n],
  ])('has the same limit in %s, whatever its decimals', async (currency, mostMinor) => {
    const actor = system(await shop())
    const make = (amountMinor: bigint) =>
      runOperation(createPaymentLink, world().context, actor, { ...order, currency, amountMinor })
    await expect(make(mostMinor + 1n)).rejects.toMatchObject({
      error: { fieldErrors: { amountMinor: [`At most ${currency} 100000000.`] } },
    })
    await expect(make(mostMinor)).resolves.toMatchObject({ amountMinor: mostMinor })
  })
})

it('a QR code of a fixed amount needs one', async () => {
  const actor = system(await shop())
  const input = { mode: 'fixed_amount', currency: 'NGN' } as const
  await expect(runOperation(createQrCode, world().context, actor, input)).rejects.toMatchObject({
    error: { fieldErrors: { amountMinor: ['Required when mode is fixed_amount.'] } },
  })
  await expect(
    runOperation(createQrCode, world().context, actor, { ...input, amountMinor: 500n }),
  ).resolves.toMatchObject({ amountMinor: 500n, singleUse: false })
})

describe('a payout', () => {
  const wanted = {
    amountMinor: 100_000n,
    currency: 'NGN',
    destinationType: 'provider_bank',
  } as const

  it('of the system is sent up to the threshold', async () => {
    const { tenant } = await payer(world(), { thresholdMinor: 100_000n })
    const { payout } = await runOperation(createPayout, world().context, system(tenant), wanted)
    const { payout: kept, effects } = await payoutState(world(), tenant, payout.id)
    expect(kept).toMatchObject({ requestedByKind: 'system', requestedBy: 'test' })
    expect(effects).toBe(1)
    await expectInvariants(world().database)
  })

  it('of the system is refused above it: no one could say who asked', async () => {
    const { tenant } = await payer(world(), { thresholdMinor: 99_999n })
    await expect(
      runOperation(createPayout, world().context, system(tenant), wanted),
    ).rejects.toThrow('a person or a key must request it')
    const rows = await world().database.sql`
      select id
      from merchant.payouts
      where business_id = ${tenant.businessId}`
    expect(rows).toEqual([])
  })

  it('of a person is held above the threshold', async () => {
    const { tenant } = await payer(world(), { thresholdMinor: 99_999n })
    const person = await member(world(), tenant, 'member')
    const { payout } = await runOperation(createPayout, world().context, person, wanted)
    expect(payout).toMatchObject({ status: 'pending', approvalId: expect.any(String) })
  })

  it('is refused to someone who only reads', async () => {
    const { tenant } = await payer(world())
    const viewer = await member(world(), tenant, 'viewer')
    await expect(runOperation(createPayout, world().context, viewer, wanted)).rejects.toMatchObject(
      { kind: 'permission_denied' },
    )
  })

  it('keeps no hash of the account number with its key', async () => {
    const { tenant } = await payer(world())
    const pay = (bankDetails: object) =>
      runOperation(
        createPayout,
        world().context,
        system(tenant),
        { ...wanted, bankDetails },
        { idempotencyKey: 'payout-1' },
      )
    await pay({ accountNumber: '0690000031' })
    const differing: string[] = []
    const context = {
      ...world().context,
      onDifferingRepeat: (name: string) => differing.push(name),
    }
    await runOperation(createPayout, context, system(tenant), wanted, {
      idempotencyKey: 'payout-1',
    })
    expect(differing).toEqual([])
  })
})

describe('the settlement account', () => {
  const account = { bankCode: '044', accountNumber: '0690 0000 31', beneficiaryName: 'Corner shop' }
  const masked = {
    currency: null,
    bankCode: '044',
    accountEnding: '0031',
    beneficiaryName: 'Corner shop',
    holderName: 'SIMULATED HOLDER 0031',
  }

  it('is set by an admin, and shown to everybody without its number', async () => {
    const tenant = { ...(await shop()), environment: 'live' } as const
    const { context } = world()
    const admin = await member(world(), tenant, 'admin')
    const viewer = await member(world(), tenant, 'viewer')
    expect(await runOperation(listSettlementAccounts, context, viewer, {})).toEqual([])
    const approvalId = null
    const set = await runOperation(setSettlementAccount, context, admin, account)
    expect(set).toEqual({ ...masked, approvalId })
    expect(await runOperation(listSettlementAccounts, context, viewer, {})).toEqual([masked])
  })

  it('is set by no member and not by the system', async () => {
    const tenant = await shop()
    const { context } = world()
    const someone = await member(world(), tenant, 'approver')
    await expect(
      runOperation(setSettlementAccount, context, someone, account),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
    await expect(
      runOperation(setSettlementAccount, context, system(tenant), account),
    ).rejects.toThrow('Only a person')
  })
})

describe('the fee schedules', () => {
  it('are listed for their business, and for all businesses to the operator', async () => {
    const [one, other] = [await shop(), await shop()]
    const { context } = world()
    for (const [tenant, basisPoints] of [
      [one, 100],
      [other, 200],
    ] as const) {
      const schedule = { currency: 'NGN', basisPoints, fixedMinor: 0n }
      await runOperation(setFeeSchedule, context, system(tenant), schedule)
    }
    const listed = async (actor: Actor) => {
      const { schedules } = await runOperation(listFeeSchedules, context, actor, {})
      return schedules.map(({ businessId, basisPoints }) => [businessId, basisPoints])
    }
    const owner = await member(world(), one, 'owner')
    expect(await listed(owner)).toEqual([[one.businessId, 100]])
    expect(await listed(system(other))).toEqual([[other.businessId, 200]])
    expect(await listed(operatorActor('test'))).toEqual(
      expect.arrayContaining([
        [one.businessId, 100],
        [other.businessId, 200],
      ]),
    )
    const schedule = { currency: 'NGN', basisPoints: 0, fixedMinor: 0n }
    await expect(runOperation(setFeeSchedule, context, owner, schedule)).rejects.toThrow(
      'Only the operator of this server',
    )
  })
})

it('a list of the operator shows both environments, one of a person only their own', () => {
  const tenant = { businessId: world().context.ids.uuid(), environment: 'live' } as const
  expect(rowScope(system(tenant))).toEqual({ ...tenant, environment: null })
  expect(rowScope(operatorActor('test'))).toEqual({ businessId: null, environment: null })
  const person = { ...tenant, kind: 'person', personId: 'someone', role: 'owner' } as const
  expect(rowScope(person)).toEqual(tenant)
})
