// The journal: what is posted, and what no statement can bypass.
import { beforeEach, describe, expect, test } from 'vitest'
import type { SystemSubtype } from '../../../src/books/accounts/account.ts'
import { findSystemAccount } from '../../../src/books/accounts/account-store.ts'
import { entryHash, firstPreviousHash } from '../../../src/books/journal/journal-entry.ts'
import {
  findEntry,
  insertEntry,
  listUnreversedEntries,
  lockHead,
} from '../../../src/books/journal/journal-store.ts'
import { reverseEntry } from '../../../src/books/journal/post-entry.ts'
import { type Books, newJournal, postAs } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
const sql = () => world().database.sql

beforeEach(async () => {
  books = await newJournal(world())
})

const sale = [
  ['1100', 12_000n],
  ['4000', -10_000n],
  ['2100', -2_000n],
] as const

async function head() {
  const { businessId, environment } = books.tenant
  const [row] = await sql()<{ sequence: bigint; hash: Buffer }[]>`
    select sequence, hash
    from books.journal_heads
    where business_id = ${businessId} and environment = ${environment}`
  if (!row) throw new Error('no head')
  return row
}

async function sums(table: 'account_months' | 'account_days' | 'lines') {
  const { businessId, environment } = books.tenant
  const day = table === 'account_months' ? 'month' : 'date'
  const from =
    table === 'lines'
      ? sql()`books.journal_lines`
      : table === 'account_months'
        ? sql()`books.account_months`
        : sql()`books.account_days`
  return sql()`
    select ${sql()(day)} as day, account_id, sum(base_minor)::text as base_minor
    from ${from}
    where business_id = ${businessId} and environment = ${environment}
    group by 1, 2
    order by 1, 2`
}

describe('posting', () => {
  test('numbers entries from one and moves the head', async () => {
    expect(await books.post('2026-01-31', sale)).toBe(1n)
    expect(await books.post('2026-01-30', sale)).toBe(2n)
    expect((await head()).sequence).toBe(2n)
    const entry = await findEntry(sql(), books.tenant, 1n)
    expect(entry.lines.map(({ baseMinor }) => baseMinor)).toEqual([12_000n, -10_000n, -2_000n])
  })

  test('adds the lines to the sums of their month and day', async () => {
    await books.post('2026-01-31', sale)
    await books.post('2026-01-30', sale)
    await books.post('2026-02-01', [...sale, ['4000', -5n], ['1000', 5n]])
    expect(await sums('account_days')).toEqual(await sums('lines'))
    const months = await sums('account_months')
    expect(months).toContainEqual({
      day: '2026-01-01',
      accountId: books.accountId('4000'),
      baseMinor: '-20000',
    })
    expect(months).toContainEqual({
      day: '2026-02-01',
      accountId: books.accountId('4000'),
      baseMinor: '-10005',
    })
  })

  test('chains each entry to the one before', async () => {
    await books.post('2026-01-31', sale)
    await books.post('2026-02-01', sale, { description: 'Zweite Rechnung, 12 €' })
    let previous: Uint8Array = firstPreviousHash
    for (const sequence of [1n, 2n]) {
      const [stored] = await sql()<HashedRow[]>`
        select id, kind, source_id, reverses_sequence, date, description, posted_by_kind,
          posted_by, posted_at, hash
        from books.journal_entries
        where business_id = ${books.tenant.businessId} and sequence = ${sequence}`
      if (!stored) throw new Error('no entry')
      const { lines } = await findEntry(sql(), books.tenant, sequence)
      expect(entryHash(previous, books.tenant, { ...stored, sequence, lines })).toEqual(stored.hash)
      previous = stored.hash
    }
    expect((await head()).hash).toEqual(previous)
  })

  test('gives fifty at once a number each, without a gap', async () => {
    const posted = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        books.post(`2026-01-${String((index % 28) + 1).padStart(2, '0')}`, sale),
      ),
    )
    const sorted = posted.toSorted((left, right) => Number(left - right))
    expect(sorted).toEqual(Array.from({ length: 50 }, (_, index) => BigInt(index + 1)))
    expect(await sums('account_days')).toEqual(await sums('lines'))
    expect((await head()).sequence).toBe(50n)
  })

  test('leaves nothing behind when its transaction fails afterwards', async () => {
    await books.post('2026-01-31', sale)
    const before = [await head(), await sums('account_months')]
    const failing = world().database.transaction(async (tx) => {
      await reverseEntry(tx, world().context, books.owner, {
        sequence: 1n,
        kind: 'journal.reversed',
        date: '2026-02-01',
        description: 'Taken back',
      })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect([await head(), await sums('account_months')]).toEqual(before)
  })

  test('keeps live and sandbox apart', async () => {
    await books.post('2026-01-31', sale)
    const { businessId } = books.tenant
    const sandbox = await newJournal(world(), { businessId, environment: 'test' })
    expect(await sandbox.post('2026-01-31', sale)).toBe(1n)
    expect((await head()).sequence).toBe(1n)
  })
})

type HashedRow = {
  id: string
  kind: string
  sourceId: string
  reversesSequence: bigint | null
  date: string
  description: string
  postedByKind: string
  postedBy: string
  postedAt: Date
  hash: Buffer
}

describe('an entry that does not balance', () => {
  const unbalanced = [
    ['1100', 12_000n],
    ['4000', -11_999n],
  ] as const

  test('is refused before it is sent', async () => {
    await expect(books.post('2026-01-31', unbalanced)).rejects.toThrow('does not balance by 1')
  })

  test('is refused by the statement of its lines, triggers or not', async () => {
    await books.post('2026-01-31', sale)
    const { lines } = await findEntry(sql(), books.tenant, 1n)
    const posting = world().database.transaction(async (tx) => {
      await tx`set local session_replication_role = replica`
      const { sequence } = await lockHead(tx, books.tenant)
      await insertEntry(tx, books.tenant, {
        ...newEntry(),
        sequence: sequence + 1n,
        lines: lines.slice(0, 2),
      })
    })
    await expect(posting).rejects.toMatchObject({ code: '23502', table_name: 'journal_lines' })
    expect((await head()).sequence).toBe(1n)
    expect(await sums('account_days')).toEqual(await sums('lines'))
  })

  test('is refused by the database', async () => {
    await expect(insertByHand({ lines: [5n, -4n] })).rejects.toThrow('incomplete or not balanced')
    await expect(insertByHand({ lines: [5n, -5n], lineCount: 3 })).rejects.toThrow('incomplete')
    await expect(insertByHand({ lines: [5n, -5n], lineDate: '2026-01-30' })).rejects.toThrow(
      'incomplete',
    )
    await expect(insertByHand({ lines: [] })).rejects.toThrow('has no lines')
    await expect(insertByHand({ lines: [5n, -5n], sequence: 2n })).rejects.toThrow('no predecessor')
    await insertByHand({ lines: [5n, -5n] })
  })

  function newEntry() {
    const { context } = world()
    return {
      id: context.ids.uuid(),
      kind: 'journal.posted',
      sourceId: context.ids.uuid(),
      reversesSequence: null,
      date: '2026-01-31',
      description: 'By hand',
      postedByKind: 'system',
      postedBy: 'test',
      postedAt: context.clock.now(),
      hash: Buffer.alloc(32, 1),
    }
  }

  function insertByHand(options: {
    lines: readonly bigint[]
    lineCount?: number
    lineDate?: string
    sequence?: bigint
  }) {
    const { lines, lineCount = 2, lineDate = '2026-01-31', sequence = 1n } = options
    return world().database.transaction(async (tx) => {
      const { lines: _, ...entry } = { ...newEntry(), lines }
      await tx`
        insert into books.journal_entries
          ${tx({ ...books.tenant, ...entry, sequence, lineCount })}`
      const rows = lines.map((baseMinor, index) => ({
        ...books.tenant,
        sequence,
        position: index + 1,
        date: lineDate,
        accountId: books.accountId('1000'),
        baseMinor,
        currency: 'EUR',
        amountMinor: baseMinor,
      }))
      if (rows.length > 0) await tx`insert into books.journal_lines ${tx(rows)}`
    })
  }
})

describe('what is posted', () => {
  test.each(['books.journal_entries', 'books.journal_lines'])(
    'is neither changed nor removed from %s',
    async (table) => {
      await books.post('2026-01-31', sale)
      const name = sql()(table)
      await expect(sql()`update ${name} set sequence = sequence`).rejects.toThrow('only ever added')
      await expect(sql()`delete from ${name}`).rejects.toThrow('only ever added')
      await expect(sql()`truncate ${name} cascade`).rejects.toThrow('only ever added')
    },
  )

  test('is reversed once, line by line', async () => {
    await books.post('2026-01-31', [
      ['1100', 105n, { currency: 'USD', amountMinor: 120n, description: 'A line' }],
      ['4000', -105n, { currency: 'USD', amountMinor: -120n }],
    ])
    const reverse = () =>
      world().database.transaction((tx) =>
        reverseEntry(tx, world().context, books.owner, {
          sequence: 1n,
          kind: 'journal.reversed',
          date: '2026-02-03',
          description: 'Taken back',
        }),
      )
    expect(await reverse()).toBe(2n)
    const [first, second] = await Promise.all(
      [1n, 2n].map((sequence) => findEntry(sql(), books.tenant, sequence)),
    )
    expect(second?.sourceId).toBe(first?.sourceId)
    expect(second?.date).toBe('2026-02-03')
    expect(second?.lines).toEqual(
      first?.lines.map((line) => ({
        ...line,
        baseMinor: -line.baseMinor,
        amountMinor: -line.amountMinor,
      })),
    )
    await expect(reverse()).rejects.toThrow('reverses_sequence')
    expect((await head()).sequence).toBe(2n)
    const standing = await world().database.transaction((tx) =>
      listUnreversedEntries(tx, books.tenant, first?.sourceId ?? ''),
    )
    expect(standing).toEqual([])
  })
})

describe('lock dates', () => {
  const lockUntil = (column: 'soft_locked_until' | 'hard_locked_until', date: string | null) =>
    sql()`
      update books.organisations
      set ${sql()(column)} = ${date}
      where business_id = ${books.tenant.businessId} and environment = 'live'`
  const postAsRole = async (role: 'owner' | 'admin' | 'approver' | 'member', date: string) => {
    const lines = sale.map(([code, baseMinor]) => ({
      accountId: books.accountId(code),
      baseMinor,
      currency: 'EUR',
      amountMinor: baseMinor,
      contactId: null,
      openItemId: null,
      taxCodeId: null,
      description: null,
    }))
    return postAs(world(), books.person(role), {
      kind: 'journal.posted',
      sourceId: world().context.ids.uuid(),
      reversesSequence: null,
      date,
      description: 'Late',
      lines,
    })
  }

  test('the soft one keeps out all but owners and admins', async () => {
    await lockUntil('soft_locked_until', '2026-01-31')
    for (const role of ['approver', 'member'] as const) {
      await expect(postAsRole(role, '2026-01-31')).rejects.toMatchObject({
        kind: 'invalid_request',
        message: expect.stringContaining('ask an owner or admin'),
      })
      await postAsRole(role, '2026-02-01')
    }
    await postAsRole('owner', '2026-01-31')
    await postAsRole('admin', '2025-01-31')
  })

  test('the hard one keeps out everybody', async () => {
    await lockUntil('hard_locked_until', '2026-01-31')
    await expect(postAsRole('owner', '2026-01-31')).rejects.toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('Choose a later date'),
    })
    await postAsRole('owner', '2026-02-01')
  })

  test('the hard one only moves forward', async () => {
    await lockUntil('hard_locked_until', '2026-01-31')
    await expect(lockUntil('hard_locked_until', '2026-01-30')).rejects.toThrow('moves forward')
    await expect(lockUntil('hard_locked_until', null)).rejects.toThrow('moves forward')
    await lockUntil('hard_locked_until', '2026-02-28')
  })

  test('the database holds to the hard one, even when the check before it did not see it', async () => {
    const posting = world().database.transaction(async (tx) => {
      const { sequence } = await lockHead(tx, books.tenant)
      const { context } = world()
      const lines = [1n, -1n].map((baseMinor) => ({
        accountId: books.accountId('1000'),
        baseMinor,
        currency: 'EUR',
        amountMinor: baseMinor,
        contactId: null,
        openItemId: null,
        taxCodeId: null,
        description: null,
      }))
      await insertEntry(tx, books.tenant, {
        id: context.ids.uuid(),
        sequence: sequence + 1n,
        kind: 'journal.posted',
        sourceId: context.ids.uuid(),
        reversesSequence: null,
        date: '2026-01-31',
        description: 'By hand',
        postedByKind: 'system',
        postedBy: 'test',
        postedAt: context.clock.now(),
        hash: Buffer.alloc(32, 1),
        lines,
      })
      await lockUntil('hard_locked_until', '2026-01-31')
    })
    await expect(posting).rejects.toThrow('the books are locked')
  })
})

describe('system accounts', () => {
  const subtypes: readonly SystemSubtype[] = [
    'receivable',
    'payable',
    'expense_claims',
    'clearing',
    'current_asset',
    'tax',
    'retained_earnings',
    'opening_balance',
    'payment_fees',
    'bad_debt',
    'fx_realised',
    'fx_unrealised',
  ]

  test.each(subtypes)('there is one for %s from the start', async (subtype) => {
    const account = await findSystemAccount(sql(), books.tenant, subtype)
    expect(account).toMatchObject({ subtype, active: true })
  })

  test('another account of the subtype is not taken for it', async () => {
    const before = await findSystemAccount(sql(), books.tenant, 'receivable')
    await sql()`
      insert into books.accounts
        (business_id, environment, id, code, name, type, subtype, is_system, active, created_at)
      values (${books.tenant.businessId}, 'live', ${world().context.ids.uuid()}, '1099', 'Deposits',
        'asset', 'receivable', false, true, ${world().context.clock.now()})`
    expect(await findSystemAccount(sql(), books.tenant, 'receivable')).toEqual(before)
  })
})
