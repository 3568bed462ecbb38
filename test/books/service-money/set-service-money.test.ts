// Switching automatic bookkeeping on: from when, and with which accounts.

import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { updateAccount } from '../../../src/books/accounts/update-account.ts'
import { numbersIn, retrySeconds } from '../../../src/books/service-money/movement.ts'
import { listMovements } from '../../../src/books/service-money/movement-store.ts'
import { readServiceMoney } from '../../../src/books/service-money/read-service-money.ts'
import { retryServiceMoney } from '../../../src/books/service-money/retry-service-money.ts'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { startOfDay } from '../../../src/books/settings/organisation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { booked } from '../../support/service-money.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2026-03-01T12:34:56.000Z'))
const world = useWorld({ clock })
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
})

const set = (input: z.input<typeof setServiceMoney.input>, by = books.owner) =>
  runOperation(setServiceMoney, world().context, by, input)

// As books are that were opened before there was such a thing.
async function forget(): Promise<void> {
  const { sql } = world().database
  await sql`delete from books.service_settings where business_id = ${books.businessId}`
  await sql`
    delete from books.accounts
    where business_id = ${books.businessId}
      and code in ('2310', '5200')`
}

async function codes(money: Awaited<ReturnType<typeof set>>): Promise<string[]> {
  const ids = [money.unassignedAccountId, money.shareAccountId, money.payoutAccountId]
  const rows = await world().database.sql<{ id: string; code: string }[]>`
    select id, code
    from books.accounts
    where business_id = ${books.businessId}`
  return ids.map((id) => rows.find((row) => row.id === id)?.code ?? '')
}

describe('switching on', () => {
  it('is done for new books, from their first moment, live and in the sandbox', async () => {
    const live = await readServiceMoney(world().database.sql, books)
    expect(live).toMatchObject({ isOn: true, since: clock.now(), waiting: [] })
    expect(await codes(live)).toEqual(['2310', '5200', '1000'])
    const sandbox = { businessId: books.businessId, environment: 'test' } as const
    expect(await readServiceMoney(world().database.sql, sandbox)).toMatchObject({ isOn: true })
  })

  it('is not done for books that were there before, and makes the accounts that they lack', async () => {
    await forget()
    const online = { takesInvoicePayments: false, takesPartPayments: false }
    const off = { isOn: false, since: null, ...online, waiting: [] }
    expect(await readServiceMoney(world().database.sql, books)).toEqual(off)
    const money = await set({ isOn: true })
    expect(money).toMatchObject({ isOn: true, since: new Date('2026-03-01T00:00:00Z') })
    expect(await codes(money)).toEqual(['2310', '5200', '1000'])
  })

  it('begins with the day that is named, where the organisation is', async () => {
    await books.set({ timeZone: 'Africa/Lagos' })
    const { since } = await set({ from: '2026-02-01' })
    expect(since).toEqual(new Date('2026-01-31T23:00:00Z'))
    expect((await set({ isOn: false })).since).toEqual(since)
    expect(await set({ isOn: true })).toMatchObject({ isOn: true, since })
  })

  it('asks for another account where the code is taken', async () => {
    await forget()
    await runOperation(updateAccount, world().context, books.owner, {
      id: books.account('4100'),
      code: '2310',
    })
    expect(await refusal(set({ isOn: true }))).toBe(
      '2310 is already another account. Choose the one to use.',
    )
    const unassignedAccountId = books.account('4000')
    const money = await set({ isOn: true, unassignedAccountId })
    expect(money.unassignedAccountId).toBe(unassignedAccountId)
  })

  it('is for owners and admins, and refuses accounts that cannot be', async () => {
    expect(await refusal(set({ isOn: false }, books.person('approver')))).toBe(
      'Only an owner or admin can do this. Ask one of them.',
    )
    expect(await refusal(set({ unassignedAccountId: books.account('1100') }))).toBe(
      'Only documents and payments post to a control account.',
    )
    expect(await refusal(set({ payoutAccountId: books.account('4000') }))).toBe(
      'Payouts go to a bank account. Choose one.',
    )
  })
})

it('counts what waits by reason, and has it tried at once', async () => {
  const { context, database } = world()
  await runOperation(updateAccount, context, books.owner, {
    id: books.account('2310'),
    active: false,
  })
  const wanted = [100n, 50n].map((heldMinor) => ({ kind: 'other', heldMinor }) as const)
  await booked(world(), books, ...wanted)
  const reason = '2310 Payments to assign is not active. Choose another with set-service-money.'
  const { waiting } = await readServiceMoney(database.sql, books)
  expect(waiting).toEqual([{ reason, currency: 'EUR', count: 2, heldMinor: 150n }])
  await runOperation(updateAccount, context, books.owner, {
    id: books.account('2310'),
    active: true,
  })
  await booked(world(), books)
  expect((await readServiceMoney(database.sql, books)).waiting).toHaveLength(1)
  expect(await runOperation(retryServiceMoney, context, books.owner, {})).toEqual({ tried: 2 })
  await booked(world(), books)
  expect((await readServiceMoney(database.sql, books)).waiting).toEqual([])
})

it('leaves to people what waits from before a day that is named later', async () => {
  const { context, database } = world()
  const objectId = context.ids.uuid()
  const at = (day: string) => ({ happenedAt: new Date(`2026-02-${day}T10:00:00Z`) })
  const money = { currency: 'USD', heldMinor: 100n, objectId, paymentId: objectId } as const
  await booked(world(), books, { kind: 'collected', ...money, ...at('01') })
  await set({ from: '2026-02-10' })
  expect(await listMovements(database.sql, books, undefined, 10)).toEqual([])
  await books.rate('USD', '2026-01-01', '0.9')
  // Nothing is known of the payment, so it does not wait for that.
  const given = {
    kind: 'refunded',
    ...money,
    heldMinor: -100n,
    objectId: context.ids.uuid(),
  } as const
  const [refund] = await booked(world(), books, { ...given, ...at('11') })
  expect(refund?.status).toBe('booked')
})

it.each([
  ['UTC', '2026-03-01T00:00:00Z'],
  ['Pacific/Kiritimati', '2026-02-28T10:00:00Z'],
  ['Asia/Kathmandu', '2026-02-28T18:15:00Z'],
  ['America/Los_Angeles', '2026-03-01T08:00:00Z'],
  ['Etc/GMT+12', '2026-03-01T12:00:00Z'],
])('a day in %s begins when it does there', (timeZone, moment) => {
  expect(startOfDay({ timeZone }, '2026-03-01')).toEqual(new Date(moment))
})

it('takes for numbers of invoices words that have digits and more', () => {
  expect(numbersIn('Invoice #INV-2026-00012, (order 17/b). 2026; RE/7. 00004')).toEqual([
    'INV-2026-00012',
    '17/b',
    'RE/7',
  ])
})

it('tries again ever more rarely, and once an hour at least', () => {
  expect([0, 1, 2, 6, 7, 50].map(retrySeconds)).toEqual([30, 60, 120, 1920, 3600, 3600])
})
