// The database's own guards against hand-written SQL, and the invariants against damage.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Tx } from '../../../src/kernel/db/database.ts'
import { foldLedger } from '../../../src/kernel/ledger/fold-ledgers.ts'
import { createDatabase, databaseForThisTest, type TestDatabase } from '../../support/database.ts'
import { brokenInvariants, clock, corrupt, credit, newTenant } from './ledger-world.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type HandLine = [account: string, currency: string, amountMinor: bigint]
const balanced: HandLine[] = [
  ['a', 'USD', 5n],
  ['b', 'USD', -5n],
]

describe('SQL written by hand', () => {
  test('may insert an entry whose lines are complete and balanced', async () => {
    const tenant = await newTenant(database)
    await database.transaction((tx) => insertByHand(tx, tenant, balanced))
  })

  test.each<[string, HandLine[], number]>([
    ['does not balance', [balanced[0], ['b', 'USD', -4n]] as HandLine[], 2],
    ['balances only across currencies', [balanced[0], ['b', 'EUR', -5n]] as HandLine[], 2],
    ['has fewer lines than it says', balanced, 3],
    ['has more lines than it says', [...balanced, ...balanced], 2],
  ])('is refused when the entry %s', async (_, lines, lineCount) => {
    const tenant = await newTenant(database)
    await expect(
      database.transaction((tx) => insertByHand(tx, tenant, lines, lineCount)),
    ).rejects.toMatchObject({ code: '23514', message: expect.stringContaining('not balanced') })
  })

  test('is refused when it adds lines to an entry later, even balanced ones', async () => {
    const tenant = await newTenant(database)
    const entryId = await database.transaction((tx) => credit(tx, tenant, 5n))
    for (const first of [1, 3]) {
      await expect(
        database.sql`
          insert into kernel.ledger_lines (
            business_id, environment, entry_id, position, account, currency, amount_minor
          )
          values
            (${tenant.businessId}, 'live', ${entryId}, ${first}, 'a', 'USD', 1),
            (${tenant.businessId}, 'live', ${entryId}, ${first + 1}, 'b', 'USD', -1)`,
      ).rejects.toMatchObject({ code: first === 1 ? '23505' : '23514' })
    }
  })

  test('is refused when an entry comes without lines, or lines without an entry', async () => {
    const tenant = await newTenant(database)
    await expect(
      database.sql`
        insert into kernel.ledger_entries (
          business_id, environment, id, kind, line_count, created_at
        )
        values (${tenant.businessId}, 'live', ${randomUUID()}, 'test.hand', 2, ${clock.now()})`,
    ).rejects.toMatchObject({ code: '23514', message: expect.stringContaining('no lines') })
    await expect(
      database.sql`
        insert into kernel.ledger_lines (
          business_id, environment, entry_id, position, account, currency, amount_minor
        )
        values (${tenant.businessId}, 'live', ${randomUUID()}, 1, 'a', 'USD', 1)`,
    ).rejects.toMatchObject({ code: '23503' })
  })

  test.each<[string, HandLine]>([
    ['a line of zero', ['a', 'USD', 0n]],
    ['an amount out of range', ['a', 'USD', 10n ** 15n + 1n]],
    ['a malformed account', ['A b', 'USD', 1n]],
    ['a malformed currency', ['a', 'usd', 1n]],
  ])('is refused when it has %s', async (_, [account, currency, amountMinor]) => {
    const tenant = await newTenant(database)
    const lines: HandLine[] = [
      [account, currency, amountMinor],
      ['b', 'USD', -amountMinor],
    ]
    await expect(
      database.transaction((tx) => insertByHand(tx, tenant, lines)),
    ).rejects.toMatchObject({ code: '23514', message: expect.stringContaining('check constraint') })
  })

  test.each(['ledger_entries', 'ledger_lines'])(
    'cannot update, delete or truncate %s',
    async (table) => {
      const tenant = await newTenant(database)
      await database.transaction((tx) => credit(tx, tenant, 5n))
      const name = database.sql(`kernel.${table}`)
      const refused = { message: expect.stringContaining('append-only') }
      await expect(database.sql`update ${name} set environment = 'test'`).rejects.toMatchObject(
        refused,
      )
      await expect(database.sql`delete from ${name}`).rejects.toMatchObject(refused)
      await expect(database.sql`truncate ${name} cascade`).rejects.toMatchObject(refused)
    },
  )
})

describe('the invariants', () => {
  test('hold for a healthy ledger, and name an entry that does not balance', async () => {
    const { own, tenant, entryId } = await healthyLedger()
    expect(await brokenInvariants(own)).toEqual({})
    await corrupt(
      own,
      (tx) => tx`
        update kernel.ledger_lines
        set amount_minor = amount_minor + 1
        where business_id = ${tenant.businessId}
          and entry_id = ${entryId}
          and position = 1`,
    )
    expect(await brokenInvariants(own)).toEqual({
      'I1.1': [{ ...tenant, entryId, currency: 'USD', sumMinor: '1' }],
      'I4.1': [
        {
          ...tenant,
          account: 'owner:available',
          currency: 'USD',
          storedMinor: '-7',
          bookedMinor: '-6',
        },
      ],
    })
  })

  test('name an entry that lost its lines, one of them or all', async () => {
    const { own, tenant, entryId } = await healthyLedger()
    await corrupt(
      own,
      (tx) => tx`
        delete from kernel.ledger_lines
        where business_id = ${tenant.businessId}
          and entry_id = ${entryId}
          and position = 2`,
    )
    const lost = { ...tenant, entryId, linesExpected: 2 }
    expect(await brokenInvariants(own)).toMatchObject({ 'I1.2': [{ ...lost, linesFound: 1 }] })
    await corrupt(
      own,
      (tx) => tx`
        delete from kernel.ledger_lines
        where business_id = ${tenant.businessId}
          and entry_id = ${entryId}`,
    )
    expect(await brokenInvariants(own)).toMatchObject({ 'I1.2': [{ ...lost, linesFound: 0 }] })
  })

  test('name a checkpoint that drifted, and the ledger that it leaves unbalanced', async () => {
    const { own, tenant } = await healthyLedger()
    await own.sql`
      update kernel.ledger_checkpoints
      set balance_minor = balance_minor - 2
      where business_id = ${tenant.businessId}
        and account = 'provider:clearing'`
    const expected = { ...tenant, currency: 'USD' }
    expect(await brokenInvariants(own)).toEqual({
      'I1.3': [{ ...expected, sumMinor: '-2' }],
      'I4.1': [{ ...expected, account: 'provider:clearing', storedMinor: '5', bookedMinor: '7' }],
    })
  })

  test('name a tail that lost a line', async () => {
    const { own, tenant } = await healthyLedger()
    await own.transaction((tx) => credit(tx, tenant, 50n))
    await own.sql`
      delete from kernel.ledger_tail
      where business_id = ${tenant.businessId}`
    const broken = await brokenInvariants(own)
    expect(Object.keys(broken)).toEqual(['I4.1'])
    expect(broken['I4.1']).toHaveLength(2)
  })
})

async function healthyLedger() {
  const own = await databaseForThisTest()
  const tenant = await newTenant(own)
  const entryId = await own.transaction((tx) => credit(tx, tenant, 7n))
  await foldLedger({ database: own }, tenant)
  return { own, tenant, entryId }
}

async function insertByHand(
  tx: Tx,
  tenant: Tenant,
  lines: readonly HandLine[],
  lineCount = lines.length,
): Promise<void> {
  const entryId = randomUUID()
  await tx`
    with entry as (
      insert into kernel.ledger_entries (
        business_id, environment, id, kind, line_count, created_at
      )
      values (
        ${tenant.businessId}, ${tenant.environment}, ${entryId}, 'test.hand', ${lineCount},
        ${clock.now()}
      )
    )
    insert into kernel.ledger_lines (
      business_id, environment, entry_id, position, account, currency, amount_minor
    )
    select ${tenant.businessId}, ${tenant.environment}, ${entryId}, position, account, currency,
      amount_minor
    from unnest(
      ${lines.map(([account]) => account)}::text[],
      ${lines.map(([, currency]) => currency)}::text[],
      ${lines.map(([, , amountMinor]) => amountMinor.toString())}::bigint[]
    ) with ordinality as line (account, currency, amount_minor, position)`
}
