// @module-tag long
// Random books: documents of all kinds, payments, credits, refunds, write-offs, voids, removals,
// revaluations, rates and days, against a small model of what they should hold. After each step
// both must agree on every day, and everything must hold that always does; at the end Debian's
// `ledger` must come to the same. `MODEL_SEED` runs other books, `MODEL_RUNS` more of them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'
import {
  expectAgreement,
  expectInvariants,
  expectLedger,
  expectReports,
  type Real,
} from './agreement.ts'
import type { Cast, Dice } from './command.ts'
import { commands } from './commands.ts'
import { days, type Model } from './model.ts'
import { expectCashFlow, expectTaxReport } from './report-ties.ts'

const world = useWorld()

const seed = Number.parseInt(process.env.MODEL_SEED ?? '20261115', 10)
const numRuns = Number.parseInt(process.env.MODEL_RUNS ?? '6', 10)
const stepsOfRun = 60
// Most of what can be done needs some.
const documentsFirst = 10

let runs = 0
const counts = new Map<string, number>()
const tally = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1)

// What the runs must have come by, beside every command.
const reached = [
  ...['sale posted', 'sale partially_paid', 'sale paid', 'sale closed', 'sale void'],
  ...['purchase approved', 'purchase partially_paid', 'purchase paid', 'purchase closed'],
  ...['purchase void', 'credit posted', 'credit partially_paid', 'credit closed', 'credit void'],
  ...['document of nothing', 'overpayment', 'payment of several', 'payment used later'],
  ...['foreign item settled at once', 'foreign item settled in parts', 'payment removed'],
  ...['write_off removed', 'payment partly refunded', 'document with its own rate'],
  ...['part of a sale', 'rest of a sale', 'part of a debt', 'rest of a debt'],
  ...['allocation of 1 documents', 'allocation of 2 documents'],
  ...['refund of a credit_note', 'refund of a supplier_credit', 'refund of a payment'],
  ...['revalued', 'nothing to revalue', 'manual journal reversed', 'refused: more than is open'],
  ...[
    'payment in a third currency',
    'refused: void of what is used',
    'refused: removal before its day',
  ],
]

const throws = fc.array(fc.noBias(fc.nat({ max: 999_999 })), { minLength: 40, maxLength: 40 })
const dies = fc.array(throws, {
  minLength: stepsOfRun,
  maxLength: stepsOfRun,
})

it('the books hold what the model says, on every day', { timeout: 900_000 }, async () => {
  const property = fc.asyncProperty(dies, async (steps) => {
    const books = await newBooks(world())
    runs += 1
    const cast = await createCast(books, runs % 3 === 0 ? 'JPY' : 'USD')
    const real = { world: world(), books, ...cast }
    const model: Model = { items: [], uses: [], journals: [], seen: new Map(), tally }
    const done: string[] = []
    try {
      for (const [index, thrown] of steps.entries()) {
        const dice = createDice(thrown)
        await take(index < documentsFirst ? 0 : dice.roll(commands.length), model, real, dice, done)
        await expectAgreement(model, real)
        await expectReports(real, dice.pick(days))
      }
      await expectInvariants(real)
      for (const day of days) {
        await expectReports(real, day)
        const periods = [
          { from: '2025-01-01', to: day },
          { from: day, to: '2027-12-31' },
        ]
        for (const period of periods) {
          await expectCashFlow(real, period)
          await expectTaxReport(real, period)
        }
      }
      await expectLedger(real)
    } catch (error) {
      throw new Error(`after ${done.join(', ')}`, { cause: error })
    }
  })
  await fc.assert(property, { seed, numRuns, endOnFailure: true })
  const lines = [...counts]
    .toSorted()
    .map(([name, count]) => `${String(count).padStart(6)} ${name}`)
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
  const wanted = [...commands.map(({ name }) => name), ...reached]
  expect(wanted.filter((name) => !counts.has(name))).toEqual([])
})

// The command that the dice say, or the next one that there is something to do for.
async function take(
  first: number,
  model: Model,
  real: Real & Cast,
  dice: Dice,
  done: string[],
): Promise<void> {
  for (const command of [...commands.slice(first), ...commands.slice(0, first)]) {
    done.push(command.name)
    if (await command.run(model, real, dice)) {
      tally(command.name)
      return
    }
    done.pop()
  }
}

function createDice(thrown: readonly number[]): Dice {
  let next = 0
  const roll = (sides: number) => {
    next += 1
    return (thrown[next % thrown.length] ?? 0) % sides
  }
  return {
    roll,
    pick: (values) => {
      const value = values[roll(values.length)]
      if (value === undefined && values.length === 0) throw new Error('nothing to choose from')
      return value as (typeof values)[number]
    },
  }
}

async function createCast(
  books: Awaited<ReturnType<typeof newBooks>>,
  foreign: string,
): Promise<Cast> {
  const contacts = [await books.contact(), await books.contact()] as const
  const exclusive = await books.taxCode('19')
  const inclusive = await books.taxCode('7.5', { isInclusive: true })
  // With a part that is withheld, which stands on its own account.
  const components = [
    { name: 'VAT', rate: '7.5' },
    { name: 'Withheld', rate: '-5', accountId: books.account('1400') },
  ]
  const withheld = await books.taxCode('0', { components })
  const withheldInside = await books.taxCode('0', { components, isInclusive: true })
  await world().database.sql`
    update books.accounts
    set currency = 'USD'
    where business_id = ${books.businessId}
      and code = '1010'`
  let references = 0
  const first = '2025-01-01'
  await books.rate('USD', first, '0.8765')
  await books.rate('JPY', first, '0.0063')
  return {
    contactIds: [contacts[0].id, contacts[0].id, contacts[0].id, contacts[1].id],
    // The books of a run have one foreign currency, so that much of it can be settled.
    currencies: ['EUR', foreign],
    taxCodeIds: [exclusive.id, inclusive.id, withheld.id, withheldInside.id, undefined],
    async setRate(dice) {
      const day = dice.pick(days)
      await books.rate('USD', day, `0.${8000 + dice.roll(2000)}`)
      await books.rate('JPY', day, `0.00${50 + dice.roll(40)}`)
    },
    nextReference() {
      references += 1
      return `payment-${references}`
    },
  }
}
