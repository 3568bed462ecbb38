// Settings, lock dates, number series and the chart of accounts: who can change what, and what is
// fixed.

import { beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { listAccounts } from '../../src/books/accounts/account-store.ts'
import { createAccount } from '../../src/books/accounts/create-account.ts'
import { updateAccount } from '../../src/books/accounts/update-account.ts'
import { assignNumber } from '../../src/books/settings/assign-number.ts'
import type { NumberedKind } from '../../src/books/settings/number-series.ts'
import { listPatterns } from '../../src/books/settings/number-series-store.ts'
import { findOrganisation } from '../../src/books/settings/organisation-store.ts'
import { setLockDates } from '../../src/books/settings/set-lock-dates.ts'
import { setNumberPattern } from '../../src/books/settings/set-number-pattern.ts'
import { updateOrganisation } from '../../src/books/settings/update-organisation.ts'
import type { Tx } from '../../src/kernel/db/database.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../support/clock.ts'
import { type Books, newJournal } from '../support/journal.ts'
import { refusal } from '../support/refusal.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ clock: manualClock(new Date('2026-06-30T12:00:00Z')) })
let books: Books

beforeEach(async () => {
  books = await newJournal(world())
})

const organisation = () => findOrganisation(world().database.sql, books.tenant)

async function acts(): Promise<{ action: string; detail: unknown }[]> {
  return world().database.sql<{ action: string; detail: unknown }[]>`
    select action, detail
    from kernel.audit_log
    where business_id = ${books.tenant.businessId}
      and action ~ '^(organisation|account|number_series)[.]'
    order by at, id`
}

describe('settings', () => {
  const update = (input: z.input<typeof updateOrganisation.input>, actor = books.owner) =>
    runOperation(updateOrganisation, world().context, actor, input)

  test('are changed by field, and what changed is in the audit log', async () => {
    const accountId = books.accountId('4100')
    const changes = {
      legalName: 'Corner Shop GmbH',
      address: '1 High Street\nAnytown',
      taxNumber: 'DE123456789',
      paymentDetails: 'IBAN DE00 0000',
      timeZone: 'Europe/Berlin',
      fiscalYearStartMonth: 4,
      taxRounding: 'document',
      approvalsOn: true,
      fourEyesOn: false,
      defaultPaymentTermsDays: 14,
      defaultSalesAccountId: accountId,
    } as const
    await update(changes)
    expect(await organisation()).toMatchObject({ ...changes, baseCurrency: 'EUR' })
    await update({ legalName: null, address: '', fiscalYearStartMonth: 4 })
    expect(await organisation()).toMatchObject({
      legalName: null,
      address: null,
      taxNumber: 'DE123456789',
    })
    expect(await acts()).toEqual([
      { action: 'organisation.update', detail: changes },
      { action: 'organisation.update', detail: { legalName: null, address: null } },
    ])
  })

  test('that are what they were leave no trace', async () => {
    await update({ taxRounding: 'line', fourEyesOn: true })
    expect(await acts()).toEqual([])
  })

  test('of the sandbox are its own', async () => {
    const { businessId } = books.tenant
    const sandbox = await newJournal(world(), { businessId, environment: 'test' })
    await runOperation(updateOrganisation, world().context, sandbox.owner, {
      fiscalYearStartMonth: 7,
    })
    expect((await organisation()).fiscalYearStartMonth).toBe(1)
  })

  test.each([
    ['a time zone that is none', { timeZone: 'Europe/Nowhere' }, 'timeZone'],
    ['a month that is none', { fiscalYearStartMonth: 13 }, 'fiscalYearStartMonth'],
    ['a name of two lines', { legalName: 'One\nTwo' }, 'legalName'],
    ['a rounding that is none', { taxRounding: 'none' as 'line' }, 'taxRounding'],
    [
      'an account that is not there',
      { defaultSalesAccountId: '0190a000-0000-7000-8000-000000000001' },
      'defaultSalesAccountId',
    ],
  ])('refuse %s', async (_, input, field) => {
    await expect(update(input)).rejects.toMatchObject({
      kind: 'invalid_request',
      error: { fieldErrors: { [field]: [expect.any(String)] } },
    })
  })

  test('refuse a control account as a default, and an account of someone else', async () => {
    const other = await newJournal(world())
    for (const id of [books.accountId('1100'), other.accountId('4000')]) {
      await expect(update({ defaultSalesAccountId: id })).rejects.toMatchObject({
        kind: 'invalid_request',
      })
    }
  })

  test.each(['approver', 'member', 'viewer'] as const)('are not for a %s', async (role) => {
    await expect(update({ approvalsOn: true }, books.person(role))).rejects.toMatchObject({
      kind: 'permission_denied',
    })
  })
})

describe('lock dates', () => {
  const lock = (input: z.input<typeof setLockDates.input>, actor = books.owner) =>
    runOperation(setLockDates, world().context, actor, input)

  test('the soft one moves to and fro, also by an admin', async () => {
    await lock({ softLockedUntil: '2026-05-31' }, books.person('admin'))
    await lock({ softLockedUntil: '2026-04-30' })
    expect((await organisation()).softLockedUntil).toBe('2026-04-30')
    await lock({ softLockedUntil: null })
    expect((await organisation()).softLockedUntil).toBeNull()
    expect((await acts()).map(({ action }) => action)).toEqual(Array(3).fill('organisation.lock'))
  })

  test('the hard one moves forward only, by an owner, and not to a day that is not over', async () => {
    await lock({ hardLockedUntil: '2026-03-31' })
    await lock({ hardLockedUntil: '2026-03-31' })
    expect(await refusal(lock({ hardLockedUntil: '2026-03-30' }))).toContain(
      'can only move forward',
    )
    expect(await refusal(lock({ hardLockedUntil: '2026-06-30' }))).toBe('Must be a past day.')
    expect(await refusal(lock({ hardLockedUntil: '2026-04-30' }, books.person('admin')))).toContain(
      'Only an owner',
    )
    await lock({ hardLockedUntil: '2026-06-29' })
    expect((await organisation()).hardLockedUntil).toBe('2026-06-29')
  })

  test('wait for an entry that is being posted, and then hold', async () => {
    const { database } = world()
    const posting = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const entry = database.transaction(async (tx: Tx) => {
      await tx`
        select sequence
        from books.journal_heads
        where business_id = ${books.tenant.businessId}
        for update`
      posting.resolve()
      await goOn.promise
    })
    await posting.promise
    let isLocked = false
    const locking = lock({ hardLockedUntil: '2026-05-31' }).then(() => {
      isLocked = true
    })
    await waitForLock()
    expect(isLocked).toBe(false)
    goOn.resolve()
    await Promise.all([entry, locking])
    const late = books.post('2026-05-31', [
      ['1000', 1n],
      ['4000', -1n],
    ])
    await expect(late).rejects.toMatchObject({ kind: 'invalid_request' })
  })

  async function waitForLock(): Promise<void> {
    for (;;) {
      const rows = await world().database.sql`
        select pid
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      if (rows.length > 0) return
    }
  }
})

describe('number series', () => {
  const set = (kind: NumberedKind, pattern: string) =>
    runOperation(setNumberPattern, world().context, books.owner, { kind, pattern })
  const take = (kind: NumberedKind, date: string) =>
    world().database.transaction(async (tx) => {
      const taken = await assignNumber(tx, books.tenant, kind, date)
      await insertNumbered(tx, kind, date, taken)
      return taken.number
    })

  async function insertNumbered(
    tx: Tx,
    kind: NumberedKind,
    date: string,
    taken: { number: string; numberPeriod: string; numberPosition: bigint },
  ) {
    const { ids, clock } = world().context
    const contactId = ids.uuid()
    const now = clock.now()
    await tx`
      insert into books.contacts
        (business_id, environment, id, name, is_customer, is_supplier, payment_terms_days, active,
          created_at)
      values (${books.tenant.businessId}, 'live', ${contactId}, 'A', true, true, 0, true, ${now})`
    const document = {
      ...books.tenant,
      ...taken,
      id: ids.uuid(),
      kind,
      status: 'paid',
      contactId,
      date,
      dueDate: date,
      currency: 'EUR',
      fxRate: '1',
      taxRounding: 'line',
      subtotalMinor: 0n,
      taxTotalMinor: 0n,
      totalMinor: 0n,
      createdByKind: 'system',
      createdBy: 'test',
      postedAt: now,
      createdAt: now,
      updatedAt: now,
    }
    await tx`insert into books.documents ${tx(document)}`
  }

  test('go on with another pattern where they are', async () => {
    expect(await take('invoice', '2026-01-01')).toBe('INV-2026-00001')
    expect(await take('invoice', '2026-01-02')).toBe('INV-2026-00002')
    await set('invoice', 'RE {YYYY}/{000}')
    expect(await take('invoice', '2026-01-03')).toBe('RE 2026/003')
    expect(await take('invoice', '2027-01-03')).toBe('RE 2027/001')
    await set('invoice', 'INV-{YYYY}-{00000}')
    expect(await take('invoice', '2026-01-03')).toBe('INV-2026-00004')
    const patterns = await listPatterns(world().database.sql, books.tenant)
    expect(patterns.find(({ kind }) => kind === 'invoice')?.pattern).toBe('INV-{YYYY}-{00000}')
    expect((await acts()).map(({ detail }) => detail)).toEqual([
      { kind: 'invoice', before: 'INV-{YYYY}-{00000}', pattern: 'RE {YYYY}/{000}' },
      { kind: 'invoice', before: 'RE {YYYY}/{000}', pattern: 'INV-{YYYY}-{00000}' },
    ])
  })

  test('refuse a pattern that would repeat a number in use', async () => {
    await take('invoice', '2026-01-01')
    await take('invoice', '2026-01-01')
    expect(await refusal(set('invoice', 'INV-2026-{00000}'))).toContain(
      'INV-2026-00001 is already in use',
    )
    expect(await refusal(set('invoice', 'INV-2026-0000{0}'))).toContain('already in use')
    // These never produce the existing numbers.
    await set('invoice', 'INV-2026-{000}')
    await set('invoice', 'INV.2026-{00000}')
    await set('bill', 'INV-2026-{00000}')
    expect(await take('invoice', '2026-01-01')).toBe('INV.2026-00001')
    // The counter of the year is beyond the numbers assigned in it.
    await set('invoice', 'INV-{YYYY}-{00000}')
    expect(await take('invoice', '2026-01-01')).toBe('INV-2026-00003')
  })

  test('look at quotes too', async () => {
    await set('quote', 'Q{0}')
    const patterns = await listPatterns(world().database.sql, books.tenant)
    expect(patterns.find(({ kind }) => kind === 'quote')?.pattern).toBe('Q{0}')
  })

  test.each([
    ['no counter', 'INV-{YYYY}'],
    ['two counters', '{000}-{000}'],
    ['two years', '{YYYY}{YYYY}-{0}'],
    ['a field that is none', 'INV-{MM}-{000}'],
    ['a brace too many', 'INV-{{000}}'],
    ['too many zeros', 'INV-{00000000000}'],
    ['nothing', ' '],
    ['a line break', 'INV\n{000}'],
    ['too many characters', `${'I'.repeat(36)}{000}`],
  ])('refuse a pattern with %s', async (_, pattern) => {
    await expect(set('invoice', pattern)).rejects.toMatchObject({ kind: 'invalid_request' })
  })

  test('are changed by owners and admins', async () => {
    const input = { kind: 'invoice', pattern: 'A{0}' } as const
    const change = runOperation(setNumberPattern, world().context, books.person('approver'), input)
    await expect(change).rejects.toMatchObject({ kind: 'permission_denied' })
  })
})

describe('the chart of accounts', () => {
  const bank = { code: '1020', name: 'Dollars', type: 'asset', subtype: 'bank' } as const
  const create = (input: z.input<typeof createAccount.input>) =>
    runOperation(createAccount, world().context, books.owner, input)
  const update = (id: string, input: Omit<z.input<typeof updateAccount.input>, 'id'>) =>
    runOperation(updateAccount, world().context, books.owner, { id, ...input })

  test('grows', async () => {
    const account = await create({ ...bank, currency: 'USD' })
    expect(account).toMatchObject({ ...bank, currency: 'USD', active: true, isSystem: false })
    const listed = await listAccounts(world().database.sql, books.tenant)
    expect(listed.find(({ id }) => id === account.id)).toMatchObject(bank)
    expect((await create({ ...bank, code: '1030', currency: 'EUR' })).currency).toBeNull()
    expect((await acts())[0]).toEqual({
      action: 'account.create',
      detail: { code: '1020', name: 'Dollars', subtype: 'bank' },
    })
  })

  test.each([
    ['a code that is taken', { code: '1000' }, 'There is already an account with the code 1000.'],
    [
      'a second control account',
      { subtype: 'receivable' },
      'There can be only one control account',
    ],
    ['a type that its kind is not of', { type: 'expense' }, 'must have the type asset'],
    ['a currency on anything but money', { subtype: 'inventory', currency: 'USD' }, 'Only bank'],
    ['a code of two lines', { code: '10\n20' }, 'Must not contain control characters.'],
  ] as const)('does not take %s', async (_, change, words) => {
    expect(await refusal(create({ ...bank, ...change }))).toContain(words)
  })

  test('is renamed and renumbered, whatever was posted', async () => {
    await books.post('2026-01-31', [
      ['1000', 5n],
      ['4000', -5n],
    ])
    const id = books.accountId('1000')
    expect(await update(id, { name: 'Main bank', code: '1001' })).toMatchObject({
      name: 'Main bank',
      code: '1001',
    })
    expect(await refusal(update(id, { code: '1010' }))).toContain('already')
  })

  test('keeps the kind of what was posted to, and of its system accounts', async () => {
    const { id } = await create(bank)
    await update(id, { type: 'liability', subtype: 'credit_card', currency: 'USD' })
    await update(id, { ...bank, currency: null })
    await books.post('2026-01-31', [
      ['1050', 5n],
      ['4000', -5n],
    ])
    const posted = update(books.accountId('1050'), { subtype: 'inventory' })
    expect(await refusal(posted)).toContain('has entries')
    expect(await refusal(update(books.accountId('1050'), { currency: 'USD' }))).toContain(
      'has entries',
    )
    const system = update(books.accountId('2100'), { subtype: 'current_liability' })
    expect(await refusal(system)).toContain('type is fixed')
  })

  test('retires accounts and brings them back, but for those that are needed', async () => {
    const id = books.accountId('6000')
    expect(await update(id, { active: false })).toMatchObject({ active: false })
    expect(await update(id, { active: true })).toMatchObject({ active: true })
    expect(await refusal(update(books.accountId('1100'), { active: false }))).toContain(
      'must stay active',
    )
    await runOperation(updateOrganisation, world().context, books.owner, {
      defaultPurchaseAccountId: id,
    })
    expect(await refusal(update(id, { active: false }))).toContain('another default first')
  })

  test('is changed by owners and admins, in their own books', async () => {
    for (const role of ['approver', 'member', 'viewer'] as const) {
      const adding = runOperation(createAccount, world().context, books.person(role), bank)
      await expect(adding).rejects.toMatchObject({ kind: 'permission_denied' })
    }
    const other = await newJournal(world())
    await expect(update(other.accountId('6000'), { name: 'Mine' })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})
