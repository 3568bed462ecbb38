// The balances of a business, the entries behind them, the wallet, and the settlement account.

import { beforeEach, describe, expect, it } from 'vitest'
import type { SystemActor } from '../../../src/kernel/auth/actor.ts'
import { foldLedger } from '../../../src/kernel/ledger/fold-ledgers.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { BalancePart } from '../../../src/merchant/balances/balance.ts'
import { listBusinessBalances } from '../../../src/merchant/balances/balance-store.ts'
import { listBalanceEntries } from '../../../src/merchant/balances/list-balance-entries.ts'
import { withdrawFromWallet } from '../../../src/merchant/balances/withdraw-from-wallet.ts'
import { writeSettlementAccount } from '../../../src/merchant/business/set-settlement-account.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { newLink, paidPayment, shop } from '../../support/payments.ts'
import { credit, type Payer, payer, settlementAccount } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let one: Payer
let actor: SystemActor

beforeEach(async () => {
  one = await payer(world())
  actor = { kind: 'system', name: 'test', ...one.tenant }
})

const balances = () => listBusinessBalances(world().database.sql, one.tenant)
const why = (part: BalancePart, page = { limit: 10 }) =>
  runOperation(listBalanceEntries, world().context, actor, { part, currency: 'NGN', ...page })
const takeBack = (amountMinor: bigint) =>
  runOperation(withdrawFromWallet, world().context, actor, { currency: 'NGN', amountMinor })
const toWallet = (amount: number) => one.payOut({ amount, destinationType: 'service_account' })

describe('the balances of a business', () => {
  it('tell pending, available, reserved and wallet apart, for each currency', async () => {
    await world().simulator.rule(one.tenant, { operation: 'charge', effect: 'settle_later' })
    const seller = await shop(world(), one.tenant)
    await paidPayment(world(), seller, await newLink(world(), seller, { amount: 100 }))
    await credit(world(), one.tenant, 'USD', 500n)
    await one.payOut({ amount: 2000 })
    await toWallet(3000)
    const expected = [
      {
        currency: 'NGN',
        pendingMinor: 9850n,
        availableMinor: 500_000n,
        reservedMinor: 200_000n,
        walletMinor: 300_000n,
      },
      {
        currency: 'USD',
        pendingMinor: 0n,
        availableMinor: 500n,
        reservedMinor: 0n,
        walletMinor: 0n,
      },
    ]
    expect(await balances()).toEqual(expected)
    await foldLedger(world().context, one.tenant)
    expect(await balances()).toEqual(expected)
  })

  it('are none before anything was booked, and no one else’s', async () => {
    const { tenant } = await payer(world(), { availableMinor: 0n })
    expect(await listBusinessBalances(world().database.sql, tenant)).toEqual([])
  })
})

describe('why this number', () => {
  it('is answered by entries and promises that add up to it', async () => {
    await toWallet(3000)
    const promised = await one.payOut({ amount: 2000 })
    const [balance] = await balances()
    const { lines, payouts } = await why('available')
    expect(lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['payout.completed', -300_000n],
      ['opening.balance', 1_000_000n],
    ])
    expect(payouts.map(({ id }) => id)).toEqual([promised.body.payoutId])
    const booked = lines.reduce((sum, line) => sum + line.amountMinor, 0n)
    expect(booked - 200_000n).toBe(balance?.availableMinor)
    expect((await why('wallet')).lines).toMatchObject([{ amountMinor: 300_000n }])
    expect(await why('reserved')).toMatchObject({ lines: [], payouts: [{ amountMinor: 200_000n }] })
    expect(await why('pending')).toEqual({ lines: [], payouts: [], refunds: [] })
  })

  it('is read page by page', async () => {
    for (const amount of [1, 2, 3]) await toWallet(amount)
    const { lines: first } = await why('wallet', { limit: 2 })
    const last = first.at(-1)
    if (!last) throw new Error('the first page is empty')
    const { entryId, position } = last
    const page = { limit: 2, before: { entryId, position } }
    expect(first.map(({ amountMinor }) => amountMinor)).toEqual([300n, 200n])
    expect((await why('wallet', page)).lines).toMatchObject([{ amountMinor: 100n }])
  })
})

describe('the wallet', () => {
  it('gives back what it holds, so that it can be paid out to the bank', async () => {
    await toWallet(10_000)
    expect((await one.payOut({ amount: 1 })).status).toBe(400)
    await takeBack(400_000n)
    expect(await balances()).toMatchObject([{ availableMinor: 400_000n, walletMinor: 600_000n }])
    expect((await one.payOut({ amount: 4000 })).status).toBe(200)
    const acts = await world().database.sql`
      select action, detail
      from kernel.audit_log
      where business_id = ${one.tenant.businessId}
        and action = 'wallet.return'`
    expect(acts).toEqual([
      { action: 'wallet.return', detail: { currency: 'NGN', amountMinor: '400000' } },
    ])
    await expectInvariants(world().database)
  })

  it.each([100_001n, 0n, -1n])('does not give %s of 100000', async (amountMinor) => {
    await toWallet(1000)
    await expect(takeBack(amountMinor)).rejects.toMatchObject({ kind: 'invalid_request' })
    expect(await balances()).toMatchObject([{ walletMinor: 100_000n }])
  })

  it('gives no more than it holds to many at once', async () => {
    await toWallet(30)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => takeBack(1000n)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expectInvariants(world().database)
  })
})

describe('the settlement account', () => {
  const set = (change: Partial<typeof settlementAccount>) =>
    world().database.transaction((tx) =>
      writeSettlementAccount(tx, world().context, actor, { ...settlementAccount, ...change }),
    )

  it('is sealed, and the audit log says how it ends and whether it is the first', async () => {
    await set({ accountNumber: '0690 0000-40' })
    const { sql } = world().database
    const [row] = await sql<{ accountNumberSealed: Buffer }[]>`
      select account_number_sealed
      from merchant.settlement_accounts
      where business_id = ${one.tenant.businessId}`
    expect(row?.accountNumberSealed.toString('latin1')).not.toContain('0690000040')
    const acts = await sql<{ detail: object }[]>`
      select detail
      from kernel.audit_log
      where business_id = ${one.tenant.businessId}
        and action = 'settlement_account.set'
      order by id`
    const { bankCode, beneficiaryName } = settlementAccount
    const always = { currency: null, bankCode, beneficiaryName, holderName: null }
    expect(acts.map(({ detail }) => detail)).toEqual([
      { ...always, accountEnding: '0031', isFirst: true },
      { ...always, accountEnding: '0040', isFirst: false },
    ])
    const matching = { bankDetails: { accountNumber: '0690000040' } }
    expect((await one.payOut(matching)).status).toBe(200)
    const former = { bankDetails: { accountNumber: '0690000031' } }
    expect((await one.payOut(former)).status).toBe(403)
  })

  it.each([
    [{ accountNumber: '1234' }],
    [{ accountNumber: '' }],
    [{ accountNumber: '1'.repeat(21) }],
    [{ accountNumber: '0690/000031' }],
    [{ bankCode: '' }],
    [{ bankCode: '1'.repeat(12) }],
    [{ beneficiaryName: ' ' }],
    [{ beneficiaryName: 'a'.repeat(101) }],
  ])('is refused as %o', async (change) => {
    await expect(set(change)).rejects.toMatchObject({ kind: 'invalid_request' })
  })

  it('can be as short and as long as the provider takes', async () => {
    await set({ accountNumber: '12345', bankCode: '1', beneficiaryName: 'a' })
    await set({
      accountNumber: '1'.repeat(20),
      bankCode: '1'.repeat(11),
      beneficiaryName: 'a'.repeat(100),
    })
  })
})
