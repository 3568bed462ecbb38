// Foreign money that came and went, in several currencies at once, at its own rate each time,
// in parts, with revaluations in between: in the end nothing is left of it anywhere, in its own
// currency or in the base currency, and what was gained or lost on the way is realised.
// `MODEL_SEED` and `MODEL_RUNS` look further.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { revalueBalances } from '../../../src/books/currencies/revalue-balances.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { postLinkPayment } from '../../../src/books/payments/post-link-payment.ts'
import { postPayout } from '../../../src/books/payments/post-payout.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'
import { expectInvariants, expectLedger } from '../model/agreement.ts'

const world = useWorld()
const seed = Number.parseInt(process.env.MODEL_SEED ?? '20261115', 10)
const numRuns = Number.parseInt(process.env.MODEL_RUNS ?? '4', 10)
const stepsOfRun = 40

// Decimals: two, none, three. What one is worth, roughly, in millionths of a euro.
const currencies = { USD: 920_000, JPY: 6_100, KWD: 2_990_000 } as const
type Currency = keyof typeof currencies
const names = Object.keys(currencies) as Currency[]

type Open = { id: string; kind: 'invoice' | 'bill'; currency: Currency; openMinor: bigint }
type Dice = { roll(sides: number): number; pick<Value>(values: readonly Value[]): Value }

type Run = {
  readonly books: Books
  readonly contactId: string
  // The bank account that is kept in each currency.
  readonly banks: Readonly<Record<Currency, string>>
  readonly open: Open[]
  // What the documents were, at their own rates, counted here once more.
  bookedMinor: { invoice: bigint; bill: bigint }
  day: string
}

const reached = new Map<string, number>()
const tally = (name: string) => void reached.set(name, (reached.get(name) ?? 0) + 1)

const text = (minor: bigint, currency: string) =>
  majorText(minor, findCurrency(currency)?.decimals ?? 2)

// Within a third of what the currency is worth; six decimals, so that products have to be rounded.
function rateOf(dice: Dice, currency: Currency): string {
  const millionths = currencies[currency]
  const rate = Math.floor((millionths * (800 + dice.roll(500))) / 1000)
  return `${Math.floor(rate / 1_000_000)}.${String(rate % 1_000_000).padStart(6, '0')}`
}

// In cents, half away from zero, without the code that is under test.
function toCents(minor: bigint, currency: Currency, rate: string): bigint {
  const millionths = BigInt(rate.replace('.', ''))
  const scale = 10n ** BigInt(4 + (findCurrency(currency)?.decimals ?? 2))
  return (2n * minor * millionths + scale) / (2n * scale)
}

// Of a payment too small for a cent the bank says what it made of it.
function worth(dice: Dice, currency: Currency, minor: bigint) {
  const rate = rateOf(dice, currency)
  const cents = toCents(minor, currency, rate)
  if (cents === 0n) return { baseAmount: '0.01' }
  return dice.roll(3) === 0 ? { baseAmount: text(cents + 1n, 'EUR') } : { rate }
}

const steps: Record<string, (run: Run, dice: Dice) => Promise<void>> = {
  document: enter,
  another: enter,
  async payment(run, dice) {
    const item = run.open.length > 0 ? dice.pick(run.open) : undefined
    if (!item) return enter(run, dice)
    const part = dice.roll(3) === 0 ? item.openMinor : 1n + (item.openMinor * 3n) / 7n
    await pay(run, dice, item, part)
  },
  async 'payment through a link'(run, dice) {
    const item = run.open.find(({ kind }) => kind === 'invoice')
    if (!item) return enter(run, dice)
    const minor = item.openMinor < 20_000n ? item.openMinor : 20_000n
    if (toCents(minor, item.currency, rateOf(dice, item.currency)) === 0n) return
    const told = {
      ...{ externalId: world().context.ids.uuid(), documentId: item.id, date: run.day },
      ...{ currency: item.currency, amountMinor: minor, feeMinor: minor / 30n },
    }
    await world().database.transaction((tx) =>
      postLinkPayment(tx, world().context, systemOf(run), told),
    )
    use(run, item, minor)
  },
  async 'part written off'(run) {
    const item = run.open.find(({ kind, openMinor }) => kind === 'invoice' && openMinor > 1000n)
    if (!item) return
    await runOperation(writeOffInvoice, world().context, run.books.owner, {
      ...{ documentId: item.id, date: run.day, amount: text(999n, item.currency) },
    })
    use(run, item, 999n)
  },
  revaluation: revalue,
  async 'other rates'(run, dice) {
    for (const name of names) await run.books.rate(name, run.day, rateOf(dice, name))
  },
  async 'a day later'(run, dice) {
    run.day = addDays(run.day, 2 + dice.roll(20))
  },
  async 'account emptied'(run, dice) {
    await exchange(run, dice, dice.pick(names))
  },
}

async function enter(run: Run, dice: Dice): Promise<void> {
  const kind = dice.pick(['invoice', 'invoice', 'bill'] as const)
  const currency = dice.pick(names)
  const openMinor = BigInt(20_000 + dice.roll(3_000_000))
  const rate = rateOf(dice, currency)
  const line = { description: 'Work', unitPrice: text(openMinor, currency) }
  const { contactId, day: date } = run
  const form = { contactId, date, currency, fxRate: rate, lines: [line] }
  const { id } = await run.books.draft(kind, form)
  if (kind === 'invoice')
    await runOperation(issueDocument, world().context, run.books.owner, { id })
  else await runOperation(approveDocument, world().context, run.books.owner, { id })
  run.open.push({ id, kind, currency, openMinor })
  run.bookedMinor[kind] += toCents(openMinor, currency, rate)
  tally(`${kind} in ${currency}`)
}

async function pay(run: Run, dice: Dice, item: Open, minor: bigint): Promise<void> {
  const { currency, id } = item
  const isOwn = dice.roll(3) > 0
  await runOperation(recordPayment, world().context, run.books.owner, {
    direction: item.kind === 'invoice' ? 'in' : 'out',
    contactId: run.contactId,
    date: run.day,
    currency,
    amount: text(minor, currency),
    ...worth(dice, currency, minor),
    accountId: isOwn ? run.banks[currency] : run.books.account('1000'),
    allocations: [{ itemId: id, amount: text(minor, currency) }],
  })
  tally(`${minor === item.openMinor ? 'last' : 'part'} payment ${isOwn ? 'kept' : 'changed'}`)
  use(run, item, minor)
}

function use(run: Run, item: Open, minor: bigint): void {
  item.openMinor -= minor
  if (item.openMinor === 0n) run.open.splice(run.open.indexOf(item), 1)
}

// All foreign money of an account is changed, or what it is overdrawn is bought.
async function exchange(run: Run, dice: Dice, currency: Currency): Promise<void> {
  const [held] = await balances(run, [run.banks[currency]])
  const minor = held?.amountMinor ?? 0n
  if (minor === 0n) return
  const size = minor < 0n ? -minor : minor
  const cents = toCents(size, currency, rateOf(dice, currency))
  const baseAmount = text(cents === 0n ? 1n : cents, 'EUR')
  const [foreign, own] =
    minor > 0n ? (['credit', 'debit'] as const) : (['debit', 'credit'] as const)
  await runOperation(postManualJournal, world().context, run.books.owner, {
    ...{ date: run.day, description: 'Exchanged' },
    lines: [
      { accountId: run.banks[currency], [foreign]: text(size, currency), currency, baseAmount },
      { accountId: run.books.account('1000'), [own]: baseAmount },
    ],
  })
  tally(`${currency} ${minor > 0n ? 'sold' : 'bought'}`)
}

// The books show every foreign balance at the rate of the day, and take it back the day after.
async function revalue(run: Run): Promise<void> {
  const {
    date,
    gainMinor,
    balances: stated,
  } = await runOperation(revalueBalances, world().context, run.books.owner, { date: run.day })
  for (const { currency, amountMinor, revaluedMinor, rate } of stated) {
    const size = amountMinor < 0n ? -amountMinor : amountMinor
    const padded = rate.includes('.') ? rate.padEnd(rate.indexOf('.') + 7, '0') : `${rate}.000000`
    const cents = toCents(size, currency as Currency, padded)
    expect(revaluedMinor, `${currency} at ${rate}`).toBe(amountMinor < 0n ? -cents : cents)
  }
  const stands = async (day: string) =>
    (await balances(run, [run.books.account('1160')], day))[0]?.baseMinor ?? 0n
  expect(await stands(date), 'the revaluation on its day').toBe(gainMinor)
  expect(await stands(addDays(date, 1)), 'the day after').toBe(0n)
  tally(gainMinor === 0n ? 'nothing revalued' : 'gain or loss revalued')
}

type Balance = { code: string; currency: string; amountMinor: bigint; baseMinor: bigint }

async function balances(run: Run, accountIds: readonly string[], day = '9999-12-31') {
  return world().database.sql<Balance[]>`
    select account.code, line.currency, sum(amount_minor)::bigint as amount_minor,
      sum(base_minor)::bigint as base_minor
    from books.journal_lines as line
    join books.accounts as account
      on account.business_id = line.business_id
      and account.environment = line.environment
      and account.id = line.account_id
    where line.business_id = ${run.books.businessId}
      and line.account_id = any (${[...accountIds]}::uuid[])
      and line.date <= ${day}
    group by account.code, line.currency
    having sum(amount_minor) <> 0 or sum(base_minor) <> 0
    order by account.code, line.currency`
}

const systemOf = ({ books: { businessId, environment } }: Run) =>
  ({ kind: 'system', name: 'payments', businessId, environment }) as const

async function newRun(): Promise<Run> {
  const books = await newBooks(world())
  const banks: Record<string, string> = {}
  for (const [index, currency] of names.entries()) {
    const { id } = await runOperation(createAccount, world().context, books.owner, {
      ...{ code: `101${index + 1}`, name: `Bank in ${currency}`, type: 'asset', subtype: 'bank' },
      currency,
    })
    banks[currency] = id
    await books.rate(
      currency,
      '2025-12-31',
      rateOf({ roll: () => 200, pick: ([one]) => one as never }, currency),
    )
  }
  return {
    books,
    contactId: (await books.contact()).id,
    banks: banks as Run['banks'],
    open: [],
    bookedMinor: { invoice: 0n, bill: 0n },
    day: '2026-01-02',
  }
}

// Everything is settled, changed and paid out.
async function end(run: Run, dice: Dice): Promise<void> {
  for (const item of [...run.open]) {
    run.day = addDays(run.day, dice.roll(3))
    await pay(run, dice, item, item.openMinor)
  }
  const clearing = run.books.account('1150')
  for (const { currency, amountMinor } of await balances(run, [clearing])) {
    const payout = {
      ...{ id: world().context.ids.uuid(), date: run.day, currency, amountMinor },
      accountId: run.banks[currency as Currency],
    }
    await world().database.transaction((tx) =>
      postPayout(tx, world().context, systemOf(run), payout),
    )
    tally('payout')
  }
  for (const name of names) await exchange(run, dice, name)
  run.day = addDays(run.day, 2)
  await revalue(run)
}

async function expectNothingLeft(run: Run): Promise<void> {
  const { account } = run.books
  const money = [...Object.values(run.banks), ...['1100', '1150', '2000', '2050'].map(account)]
  expect(await balances(run, money), 'what is left of foreign money').toEqual([])
  // What was not realised is taken back.
  expect(await balances(run, ['1160', '6910'].map(account)), 'what is not realised').toEqual([])
  const inBase = async (code: string) =>
    (await balances(run, [account(code)])).reduce((sum, { baseMinor }) => sum + baseMinor, 0n)
  expect(await inBase('4000'), 'income at the rates of the invoices').toBe(-run.bookedMinor.invoice)
  expect(await inBase('6300'), 'expenses at those of the bills').toBe(run.bookedMinor.bill)
  // What the bank has in the end is the profit, of which the currencies have their part.
  const codes = ['4000', '6300', '6800', '6060', '6900']
  let profitMinor = 0n
  for (const code of codes) profitMinor -= await inBase(code)
  expect(await inBase('1000'), 'money in the bank').toBe(profitMinor)
}

const throws = fc.array(fc.noBias(fc.nat({ max: 999_999 })), { minLength: 30, maxLength: 30 })
const dies = fc.array(throws, { minLength: stepsOfRun + 1, maxLength: stepsOfRun + 1 })

it('nothing is left of foreign money when it is gone', { timeout: 900_000 }, async () => {
  const property = fc.asyncProperty(dies, async (thrown) => {
    const run = await newRun()
    const done: string[] = []
    try {
      for (const numbers of thrown.slice(1)) {
        const dice = createDice(numbers)
        const name = dice.pick(Object.keys(steps))
        done.push(name)
        await steps[name]?.(run, dice)
        tally(name)
      }
      await end(run, createDice(thrown[0] ?? []))
      await expectNothingLeft(run)
      await expectLedger({ world: world(), books: run.books })
      await expectInvariants({ world: world(), books: run.books })
    } catch (error) {
      throw new Error(`after ${done.join(', ')}`, { cause: error })
    }
  })
  await fc.assert(property, { seed, numRuns, endOnFailure: true })
  const wanted = [
    ...Object.keys(steps),
    ...names.flatMap((name) => [`invoice in ${name}`, `bill in ${name}`, `${name} sold`]),
    ...['part payment kept', 'part payment changed', 'last payment kept', 'last payment changed'],
    ...['gain or loss revalued', 'payout', 'USD bought'],
  ]
  expect(wanted.filter((name) => !reached.has(name))).toEqual([])
})

function createDice(numbers: readonly number[]): Dice {
  let next = 0
  const roll = (sides: number) => {
    next += 1
    return (numbers[next % numbers.length] ?? 0) % sides
  }
  return { roll, pick: (values) => values[roll(values.length)] as (typeof values)[number] }
}
