import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import {
  listTenantsWithLongTails,
  updateCheckpoints,
} from '../../../src/kernel/ledger/checkpoint-store.ts'
import { foldLedger, foldLedgers } from '../../../src/kernel/ledger/fold-ledgers.ts'
import { balanceOf, creditBalanceOf, post } from '../../../src/kernel/ledger/ledger.ts'
import {
  listBalances,
  listLinesBehind,
  listLinesOfSource,
} from '../../../src/kernel/ledger/ledger-store.ts'
import { posting } from '../../../src/kernel/ledger/posting.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  available,
  brokenInvariants,
  clearing,
  clock,
  credit,
  debit,
  ids,
  newTenant,
} from './ledger-world.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

describe('posting an entry', () => {
  test('books its lines, and both balances follow at once', async () => {
    const tenant = await newTenant(database)
    await database.transaction((tx) => credit(tx, tenant, 1000n))
    await database.transaction((tx) => debit(tx, tenant, 400n))
    expect(await balanceOf(database.sql, tenant, clearing)).toBe(600n)
    expect(await balanceOf(database.sql, tenant, available)).toBe(-600n)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(600n)
    expect(await lineCount(tenant)).toBe(4)
  })

  test('is undone with the transaction that made it', async () => {
    const tenant = await newTenant(database)
    const failing = database.transaction(async (tx) => {
      await credit(tx, tenant, 1000n)
      expect(await creditBalanceOf(tx, tenant, available)).toBe(1000n)
      throw new Error('undo')
    })
    await expect(failing).rejects.toThrow('undo')
    expect(await listBalances(database.sql, tenant)).toEqual([])
    expect(await lineCount(tenant)).toBe(0)
  })

  test('keeps businesses and environments apart', async () => {
    const live = await newTenant(database)
    const sandbox: Tenant = { ...live, environment: 'test' }
    const other = await newTenant(database)
    await database.transaction((tx) => credit(tx, live, 7n))
    expect(await creditBalanceOf(database.sql, live, available)).toBe(7n)
    expect(await creditBalanceOf(database.sql, sandbox, available)).toBe(0n)
    expect(await creditBalanceOf(database.sql, other, available)).toBe(0n)
  })

  test('books one fact once', async () => {
    const tenant = await newTenant(database)
    const fact = posting({
      kind: 'test.credit',
      sourceId: randomUUID(),
      lines: [
        { ...clearing, amountMinor: 5n },
        { ...available, amountMinor: -5n },
      ],
    })
    await database.transaction((tx) => post(tx, { ids, clock }, tenant, fact))
    await expect(
      database.transaction((tx) => post(tx, { ids, clock }, tenant, fact)),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(5n)
    const correction = { ...fact, kind: 'test.correction' }
    await database.transaction((tx) => post(tx, { ids, clock }, tenant, correction))
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(10n)
  })

  test.each([
    ['in one currency', 'USD', -4n],
    ['in each of two currencies', 'EUR', -5n],
  ])(
    'lines that do not balance %s are refused, triggers or not',
    async (_, currency, amountMinor) => {
      const tenant = await newTenant(database)
      const unbalanced = {
        kind: 'test.credit',
        sourceId: null,
        description: null,
        lines: [
          { ...clearing, amountMinor: 5n },
          { ...available, currency, amountMinor },
        ],
      }
      const posting = database.transaction(async (tx) => {
        await tx`set local session_replication_role = replica`
        await post(tx, { ids, clock }, tenant, unbalanced)
      })
      await expect(posting).rejects.toMatchObject({ code: '23502', table_name: 'ledger_lines' })
      expect(await lineCount(tenant)).toBe(0)
    },
  )
})

describe('folding', () => {
  test('moves lines out of the tail and changes no balance', async () => {
    const tenant = await newTenant(database)
    for (const amount of [1n, 20n, 300n]) {
      await database.transaction((tx) => credit(tx, tenant, amount))
    }
    const before = await listBalances(database.sql, tenant)
    expect(await database.transaction((tx) => updateCheckpoints(tx, tenant, 4))).toBe(4)
    expect(await listBalances(database.sql, tenant)).toEqual(before)
    expect(await foldLedger({ database }, tenant)).toBe(2)
    expect(await listBalances(database.sql, tenant)).toEqual(before)
    expect(await foldLedger({ database }, tenant)).toBe(0)
    expect(await creditBalanceOf(database.sql, tenant, available)).toBe(321n)
    expect(await lineCount(tenant)).toBe(6)
  })

  test('takes only the tenants whose tails are long', async () => {
    const [busy, quiet] = [await newTenant(database), await newTenant(database, 'test')]
    await database.transaction(async (tx) => {
      for (let index = 0; index < 50; index += 1) await credit(tx, busy, 1n)
      await credit(tx, quiet, 1n)
    })
    expect(await listTenantsWithLongTails(database.sql, 100, 10)).toEqual([busy])
    // Told to stop, it leaves the rest for the next time.
    expect(await foldLedgers({ database }, AbortSignal.abort())).toBe(0)
    expect(await foldLedgers({ database })).toBe(100)
    expect(await foldLedgers({ database })).toBe(0)
    expect(await creditBalanceOf(database.sql, busy, available)).toBe(50n)
    expect(await creditBalanceOf(database.sql, quiet, available)).toBe(1n)
  })
})

describe('asking why', () => {
  test('the lines behind a balance come newest first, page by page, and add up to it', async () => {
    const tenant = await newTenant(database)
    const entryIds: string[] = []
    for (const amount of [1n, 2n, 3n, 4n, 5n]) {
      entryIds.push(await database.transaction((tx) => credit(tx, tenant, amount)))
    }
    await foldLedger({ database }, tenant)
    const first = await listLinesBehind(database.sql, tenant, available, { limit: 2 })
    expect(first.map((line) => line.entryId)).toEqual([entryIds[4], entryIds[3]])
    expect(first[0]).toMatchObject({
      ...available,
      amountMinor: -5n,
      kind: 'test.credit',
      sourceId: null,
      createdAt: clock.now(),
    })
    const rest = await listLinesBehind(database.sql, tenant, available, {
      before: first[1],
      limit: 10,
    })
    expect(rest.map((line) => line.entryId)).toEqual([entryIds[2], entryIds[1], entryIds[0]])
    const sum = [...first, ...rest].reduce((total, line) => total + line.amountMinor, 0n)
    expect(sum).toBe(await balanceOf(database.sql, tenant, available))
  })

  test('everything booked about one object is found by it', async () => {
    const tenant = await newTenant(database)
    const sourceId = randomUUID()
    const lines = [
      { ...clearing, amountMinor: 5n },
      { ...available, amountMinor: -3n },
      { account: 'platform:fees', currency: 'USD', amountMinor: -2n },
    ]
    await database.transaction((tx) => credit(tx, tenant, 1n))
    await database.transaction((tx) =>
      post(tx, { ids, clock }, tenant, posting({ kind: 'test.sale', sourceId, lines })),
    )
    const booked = await listLinesOfSource(database.sql, tenant, sourceId)
    expect(booked.map((line) => [line.account, line.amountMinor, line.kind])).toEqual([
      ['owner:available', -3n, 'test.sale'],
      ['platform:fees', -2n, 'test.sale'],
      ['provider:clearing', 5n, 'test.sale'],
    ])
  })
})

describe('any sequence of postings and folds', () => {
  const accounts = ['a', 'b:c', 'b-c', 'd_e']
  const currencies = ['USD', 'JPY', 'KWD']
  const anyPosting = fc.record({
    isFold: fc.constant(false as const),
    currency: fc.constantFrom(...currencies),
    environment: fc.constantFrom('live' as const, 'test' as const),
    parts: fc.array(
      fc.tuple(
        fc.constantFrom(...accounts),
        fc.constantFrom(...accounts),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  })
  const anyFold = fc.record({
    isFold: fc.constant(true as const),
    environment: fc.constantFrom('live' as const, 'test' as const),
    limit: fc.integer({ min: 1, max: 6 }),
  })

  test('leaves the balances that a plain map would have', async () => {
    const steps = fc.array(fc.oneof(anyPosting, anyFold), { minLength: 1, maxLength: 15 })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { businessId } = await newTenant(database)
        const model = { live: new Map<string, bigint>(), test: new Map<string, bigint>() }
        for (const step of sequence) {
          const tenant: Tenant = { businessId, environment: step.environment }
          if (step.isFold) {
            await database.transaction((tx) => updateCheckpoints(tx, tenant, step.limit))
          } else {
            const { currency, parts } = step
            const lines = parts.flatMap(([from, to, amountMinor]) => [
              { account: from, currency, amountMinor },
              { account: to, currency, amountMinor: -amountMinor },
            ])
            const fact = posting({ kind: 'test.move', lines })
            await database.transaction((tx) => post(tx, { ids, clock }, tenant, fact))
            for (const line of lines) {
              const key = `${line.account} ${line.currency}`
              const map = model[step.environment]
              map.set(key, (map.get(key) ?? 0n) + line.amountMinor)
            }
          }
          const balances = await listBalances(database.sql, tenant)
          const actual = balances.map((each) => [
            `${each.account} ${each.currency}`,
            each.balanceMinor,
          ])
          expect(new Map(actual as [string, bigint][])).toEqual(model[step.environment])
        }
      }),
      { numRuns: 30 },
    )
    expect(await brokenInvariants(database)).toEqual({})
  })
})

async function lineCount(tenant: Tenant): Promise<number> {
  const [row] = await database.sql<{ lineCount: number }[]>`
    select count(*)::integer as line_count
    from kernel.ledger_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row?.lineCount ?? 0
}
