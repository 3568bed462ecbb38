import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { updateCheckpoints } from '../../../src/kernel/ledger/checkpoint-store.ts'
import { foldLedger } from '../../../src/kernel/ledger/fold-ledgers.ts'
import {
  balanceOf,
  creditBalanceOf,
  lockCreditBalance,
  lockCreditBalances,
} from '../../../src/kernel/ledger/ledger.ts'
import { listBalances } from '../../../src/kernel/ledger/ledger-store.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  available,
  brokenInvariants,
  clearing,
  credit,
  debit,
  deferred,
  newTenant,
  sessionsWaiting,
} from './ledger-world.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase(16)
})
afterAll(() => database.drop())

describe('credits beside a checkpointer', () => {
  test('forty at once, folded all along by two, lose and double nothing', async () => {
    const tenant = await newTenant(database)
    let isRunning = true
    let foldedLines = 0
    const checkpointer = async () => {
      while (isRunning) {
        const lines = await database.transaction((tx) => updateCheckpoints(tx, tenant, 7))
        // Added up after the wait, or the other's would be forgotten.
        foldedLines += lines
      }
    }
    // Money is in exactly one place in every snapshot that anybody can take.
    const reader = async () => {
      let last = 0n
      while (isRunning) {
        const balances = await listBalances(database.sql, tenant)
        expect(balances.reduce((sum, each) => sum + each.balanceMinor, 0n)).toBe(0n)
        const now = await balanceOf(database.sql, tenant, clearing)
        expect(now >= last).toBe(true)
        last = now
      }
    }
    const background = [checkpointer(), checkpointer(), reader()]
    const credits = Array.from({ length: 40 }, async (_, index) => {
      for (let round = 0; round < 3; round += 1) {
        await database.transaction((tx) => credit(tx, tenant, BigInt(index + 1)))
      }
    })
    await Promise.all(credits).finally(() => {
      isRunning = false
    })
    await Promise.all(background)
    expect(foldedLines).toBeGreaterThan(0)
    const expected = 3n * 820n
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(expected)
    expect(await sumOfLines(tenant)).toBe(-expected)
    await foldLedger({ database }, tenant)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(expected)
    expect(await brokenInvariants(database)).toEqual({})
  })

  test('a credit that commits after a checkpoint, with an earlier id, is not lost', async () => {
    const tenant = await newTenant(database)
    const [booked, release] = [deferred(), deferred()]
    let earlierId = ''
    const slow = database.transaction(async (tx) => {
      earlierId = await credit(tx, tenant, 500n)
      booked.resolve()
      await release.promise
    })
    await booked.promise
    const laterId = await database.transaction((tx) => credit(tx, tenant, 20n))
    expect(earlierId < laterId).toBe(true)
    // The checkpointer does not even wait for the open transaction.
    expect(await foldLedger({ database }, tenant)).toBe(2)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(20n)
    release.resolve()
    await slow
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(520n)
    expect(await foldLedger({ database }, tenant)).toBe(2)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(520n)
  })

  test('a fold that is undone gives every line back', async () => {
    const tenant = await newTenant(database)
    await database.transaction((tx) => credit(tx, tenant, 9n))
    const failing = database.transaction(async (tx) => {
      expect(await updateCheckpoints(tx, tenant, 10)).toBe(2)
      throw new Error('undo')
    })
    await expect(failing).rejects.toThrow('undo')
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(9n)
    expect(await foldLedger({ database }, tenant)).toBe(2)
  })
})

describe('debits that must not overdraw', () => {
  test.each([
    ['never folded', false],
    ['folded before', true],
  ])('of two that race for a balance covering one, one wins: %s', async (_, isFolded) => {
    const tenant = await newTenant(database)
    await database.transaction((tx) => credit(tx, tenant, 100n))
    if (isFolded) await foldLedger({ database }, tenant)
    const [locked, release] = [deferred(), deferred()]
    const first = database.transaction(async (tx) => {
      expect(await lockCreditBalance(tx, tenant, available)).toBe(100n)
      locked.resolve()
      await release.promise
      await debit(tx, tenant, 80n)
    })
    await locked.promise
    const second = database.transaction((tx) => lockCreditBalance(tx, tenant, available))
    await sessionsWaiting(database, 1)
    release.resolve()
    await first
    // It waited for the lock, and then saw what the holder of the lock had booked.
    expect(await second).toBe(20n)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(20n)
  })

  test('see a credit that arrived while they waited', async () => {
    const tenant = await newTenant(database)
    const [locked, release] = [deferred(), deferred()]
    const holder = database.transaction(async (tx) => {
      await lockCreditBalance(tx, tenant, available)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const waiting = database.transaction((tx) => lockCreditBalance(tx, tenant, available))
    await sessionsWaiting(database, 1)
    await database.transaction((tx) => credit(tx, tenant, 33n))
    release.resolve()
    await holder
    expect(await waiting).toBe(33n)
  })

  test('are not confused by a fold that waits for their lock', async () => {
    const tenant = await newTenant(database)
    await database.transaction((tx) => credit(tx, tenant, 100n))
    const [locked, release] = [deferred(), deferred()]
    const holder = database.transaction(async (tx) => {
      await lockCreditBalance(tx, tenant, available)
      locked.resolve()
      await release.promise
      // The fold has deleted the tail by now, but no one can see that before it commits.
      expect(await creditBalanceOf(tx, tenant, available)).toBe(100n)
      await debit(tx, tenant, 100n)
    })
    await locked.promise
    const fold = foldLedger({ database }, tenant)
    await sessionsWaiting(database, 1)
    release.resolve()
    await holder
    expect(await fold).toBe(2)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(0n)
  })

  test('never take more than there is, with credits and folds all along', async () => {
    const tenant = await newTenant(database)
    let isRunning = true
    const checkpointer = async () => {
      while (isRunning) await foldLedger({ database }, tenant)
    }
    const background = checkpointer()
    const withdraw = (amountMinor: bigint) =>
      database.transaction(async (tx) => {
        const balance = await lockCreditBalance(tx, tenant, available)
        expect(balance >= 0n).toBe(true)
        if (balance < amountMinor) return 0n
        await debit(tx, tenant, amountMinor)
        return amountMinor
      })
    const work = Array.from({ length: 60 }, async (_, index) => {
      if (index % 3 !== 0) return -(await withdraw(7n))
      await database.transaction((tx) => credit(tx, tenant, 10n))
      return 10n
    })
    const moved = await Promise.all(work).finally(() => {
      isRunning = false
    })
    await background
    const expected = moved.reduce((sum, amount) => sum + amount, 0n)
    expect(expected >= 0n).toBe(true)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(expected)
    expect(await brokenInvariants(database)).toEqual({})
  })

  test('lock several accounts in one order, whatever order they are named in', async () => {
    const tenant = await newTenant(database)
    const names = ['a', 'b', 'c', 'd'].map((account) => ({ account, currency: 'USD' }))
    const locks = Array.from({ length: 24 }, (_, index) =>
      database.sql.begin((tx) =>
        lockCreditBalances(tx, tenant, index % 2 ? names : names.toReversed()),
      ),
    )
    // Without one order this ends in a deadlock, which plain `begin` does not retry.
    expect(await Promise.all(locks)).toHaveLength(24)
  })
})

async function sumOfLines(tenant: Tenant): Promise<bigint> {
  const [row] = await database.sql<{ sumMinor: bigint }[]>`
    select sum(amount_minor)::bigint as sum_minor
    from kernel.ledger_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and account = ${available.account}`
  return row?.sumMinor ?? 0n
}
