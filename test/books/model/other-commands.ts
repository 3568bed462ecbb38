// Voids, rates, journals, reports of the merchant service, and refusals.

import { revalueBalances } from '../../../src/books/currencies/revalue-balances.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { reverseManualJournal } from '../../../src/books/journal/reverse-manual-journal.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { postLinkPayment } from '../../../src/books/payments/post-link-payment.ts'
import { postLinkRefund } from '../../../src/books/payments/post-link-refund.ts'
import { postPayout } from '../../../src/books/payments/post-payout.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { removeAllocation } from '../../../src/books/payments/remove-allocation.ts'
import { Fault } from '../../../src/kernel/basics/fault.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { Real } from './agreement.ts'
import { accountFor, type Command, notBefore, part, text, useOf } from './command.ts'
import {
  days,
  type Item,
  isDocument,
  itemOf,
  lastMove,
  type Model,
  openOf,
  otherSide,
  size,
  standing,
  usableFrom,
  usesOf,
} from './model.ts'

const discard: Command = {
  name: 'document void',
  async run(model, { world, books }, dice) {
    const unused = model.items
      .filter(isDocument)
      .filter((item) => item.endedOn === undefined && item.amountMinor !== 0n)
      .filter((item) => openOf(model, item) === size(item.amountMinor))
    if (unused.length === 0) return false
    const item = dice.pick(unused)
    const date = dice.pick(notBefore(lastMove(model, item)))
    await runOperation(voidDocument, world.context, books.owner, { id: item.id, date })
    item.endedOn = date
    return true
  },
}

const revalue: Command = {
  name: 'revaluation',
  async run(model, { world, books }, dice) {
    // Of few days, so that some are stated anew.
    const date = dice.pick(['2026-01-31', '2026-04-30'])
    const made = await runOperation(revalueBalances, world.context, books.owner, { date })
    const [stands] = await world.database.sql<{ gainMinor: bigint }[]>`
      select coalesce(sum(base_minor), 0)::bigint as gain_minor
      from books.journal_lines
      where business_id = ${books.businessId}
        and account_id = ${books.account('1160')}
        and date <= ${date}`
    if (stands?.gainMinor !== made.gainMinor) throw new Error('the gain does not stand')
    model.tally(made.sequence === null ? 'nothing to revalue' : 'revalued')
    const again = await runOperation(revalueBalances, world.context, books.owner, { date })
    if (again.sequence !== null) throw new Error('revalued twice')
    model.tally('nothing to revalue')
    return true
  },
}

const journal: Command = {
  name: 'manual journal',
  async run(model, { world, books }, dice) {
    const standingJournals = model.journals.filter(({ isReversed }) => !isReversed)
    if (standingJournals.length > 0 && dice.roll(2) === 0) {
      const made = dice.pick(standingJournals)
      const date = dice.pick(notBefore(made.date))
      await runOperation(reverseManualJournal, world.context, books.owner, {
        journalId: made.id,
        date,
      })
      made.isReversed = true
      model.tally('manual journal reversed')
      return true
    }
    const amount = text(BigInt(1 + dice.roll(100_000)), 'EUR')
    const date = dice.pick(days)
    const foreign = { currency: 'USD', baseAmount: amount }
    const code = dice.pick(['2200', '1010', '3000'])
    const { id } = await runOperation(postManualJournal, world.context, books.owner, {
      date,
      description: 'A correction',
      lines: [
        { accountId: books.account('6350'), debit: amount, ...(dice.roll(2) === 0 && foreign) },
        // That of dollars takes nothing else.
        { accountId: books.account(code), credit: amount, ...(code === '1010' && foreign) },
      ],
    })
    model.journals.push({ id, date, isReversed: false })
    return true
  },
}

const changeRates: Command = {
  name: 'other rates',
  async run(_model, { setRate }, dice) {
    await setRate(dice)
    return true
  },
}

const system = ({ books: { businessId, environment } }: Real) =>
  ({ kind: 'system', name: 'payments', businessId, environment }) as const

const linkPayment: Command = {
  name: 'payment through a link',
  async run(model, real, dice) {
    const invoices = model.items.filter(({ kind }) => kind === 'invoice')
    if (invoices.length === 0) return false
    const item = dice.pick(invoices)
    const { contactId, currency } = item
    const date = dice.pick(days.slice(0, -2))
    const openMinor = openOf(model, item)
    const amountMinor = BigInt(100 + dice.roll(1000)) + (dice.roll(2) === 0 ? openMinor : 0n)
    const externalId = real.nextReference()
    const told = { externalId, documentId: item.id, date, currency, amountMinor }
    const feeMinor = BigInt(dice.roll(100))
    const { context, database } = real.world
    const payment = await database.transaction((tx) =>
      postLinkPayment(tx, context, system(real), { ...told, feeMinor }),
    )
    const own: Item = {
      ...{ id: payment.id, kind: 'payment', control: 'receivable', contactId, currency, date },
      ...{ externalId, amountMinor: -amountMinor },
    }
    const usedMinor = openMinor < amountMinor ? openMinor : amountMinor
    if (usedMinor > 0n) {
      model.uses.push(useOf(item, own, usedMinor, usableFrom(model, item, usedMinor, date)))
    }
    model.items.push(own)
    return true
  },
}

const linkRefund: Command = {
  name: 'refund by the payment service',
  async run(model, real, dice) {
    const payments = model.items
      .filter(({ externalId, endedOn }) => externalId !== undefined && endedOn === undefined)
      .map((item) => ({ item, leftMinor: leftToRefund(model, item) }))
      .filter(({ leftMinor }) => leftMinor > 0n)
    if (payments.length === 0) return false
    const { item, leftMinor } = dice.pick(payments)
    const amountMinor = part(dice, leftMinor)
    const date = lastMove(model, item)
    const told = {
      externalId: real.nextReference(),
      paymentExternalId: item.externalId ?? '',
      date,
      amountMinor,
    }
    const { refund } = await real.world.database.transaction((tx) =>
      postLinkRefund(tx, real.world.context, system(real), told),
    )
    const forDocuments = usesOf(model, item)
      .filter(standing)
      .filter((use) => isDocument(itemOf(model, otherSide(use, item))))
    for (const use of forDocuments.toReversed()) {
      const freeMinor = openOf(model, item)
      if (freeMinor >= amountMinor) break
      use.removedOn = date
      const tooMuch = freeMinor + use.amountMinor - amountMinor
      if (tooMuch <= 0n) continue
      model.uses.push({ ...useOf(itemOf(model, use.debitId), item, tooMuch, date) })
      model.tally('payment partly refunded')
    }
    const { contactId, currency, control } = item
    const own: Item = {
      ...{ id: refund.id, kind: 'payment', control, contactId, currency, date, amountMinor },
    }
    model.uses.push(useOf(own, item, amountMinor, usableFrom(model, item, amountMinor, date)))
    model.items.push(own)
    return true
  },
}

// What it has not given back or let others have.
function leftToRefund(model: Model, item: Item): bigint {
  const uses = usesOf(model, item).filter(standing)
  const back = uses.filter((use) => !isDocument(itemOf(model, otherSide(use, item))))
  return back.reduce((left, use) => left - use.amountMinor, size(item.amountMinor))
}

const payout: Command = {
  name: 'payout',
  async run(_model, real, dice) {
    const currency = dice.pick(real.currencies)
    const payout = {
      id: real.world.context.ids.uuid(),
      date: dice.pick(days),
      currency,
      amountMinor: BigInt(1000 + dice.roll(5000)),
      accountId: accountFor(dice, real, currency),
    }
    await real.world.database.transaction((tx) =>
      postPayout(tx, real.world.context, system(real), payout),
    )
    return true
  },
}

// What must be refused, and change nothing.
const attempt: Command = {
  name: 'refusal',
  async run(model, real, dice) {
    const { world, books } = real
    const { context } = world
    const documents = model.items.filter((one) => isDocument(one) && one.amountMinor !== 0n)
    if (documents.length === 0) return false
    const item = dice.pick(documents)
    const tooMuch = text(openOf(model, item) + 1n, item.currency)
    const use = usesOf(model, item).find(standing)
    const attempts: Record<string, () => Promise<unknown>> = {
      'more than is open': () =>
        runOperation(recordPayment, context, books.owner, {
          direction: item.amountMinor > 0n ? 'in' : 'out',
          contactId: item.contactId,
          date: item.date,
          currency: item.currency,
          amount: tooMuch,
          rate: item.currency === 'EUR' ? '1' : '0.9',
          accountId: books.account('1000'),
          allocations: [{ itemId: item.id, amount: tooMuch }],
        }),
      ...(use && {
        'void of what is used': () =>
          runOperation(voidDocument, context, books.owner, { id: item.id, date: '2026-06-30' }),
        'removal before its day': () =>
          runOperation(removeAllocation, context, books.owner, {
            allocationId: use.id ?? '',
            date: '2025-01-01',
          }),
      }),
      ...(item.endedOn === undefined && {
        'use before its day': () =>
          runOperation(allocateCredit, context, books.owner, {
            creditId: item.id,
            documentId: item.id,
            date: '2025-01-01',
          }),
      }),
    }
    const name = dice.pick(Object.keys(attempts))
    const refused = await attempts[name]?.().then(
      () => false,
      (error: unknown) => error instanceof Fault,
    )
    if (!refused) throw new Error(`${name} was not refused`)
    model.tally(`refused: ${name}`)
    return true
  },
}

export const otherCommands = {
  ...{ discard, revalue, journal, changeRates, linkPayment, linkRefund, payout, attempt },
}
