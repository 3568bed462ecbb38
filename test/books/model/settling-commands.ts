// Documents, payments and allocations.

import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { documentKinds, isDebit, isSale } from '../../../src/books/documents/document-status.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { removeAllocation } from '../../../src/books/payments/remove-allocation.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { writeOffBill } from '../../../src/books/payments/write-off-bill.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import {
  type Command,
  isOpen,
  notBefore,
  part,
  placeFor,
  rates,
  text,
  useOf,
  worth,
} from './command.ts'
import {
  type Control,
  days,
  type Item,
  isDocument,
  itemOf,
  lastMove,
  type Model,
  openOf,
  standing,
  type Use,
  usableFrom,
  usesOf,
} from './model.ts'

const create: Command = {
  name: 'document',
  async run(model, { world, books, contactIds, taxCodeIds, currencies }, dice) {
    const kind = dice.pick(['invoice', ...documentKinds] as const)
    const contactId = dice.pick(contactIds)
    const currency = dice.pick(currencies)
    const date = dice.pick(days.slice(0, -2))
    const codes = isSale(kind) ? ['4000', '4100'] : ['6300', '1520', '5000']
    const lines = Array.from({ length: 1 + dice.roll(3) }, () => ({
      description: 'Work',
      quantity: dice.pick(['1', '3', '0.25']),
      unitPrice: dice.pick(['33.33', '100', '0.07', '1234.5', '19.99']),
      discountPct: dice.pick(['0', '0', '10', '100']),
      accountId: books.account(dice.pick(codes)),
      taxCodeId: dice.pick(taxCodeIds),
    }))
    const stated = currency !== 'EUR' && dice.roll(3) === 0
    const fxRate = stated ? dice.pick(rates[currency as 'USD']) : undefined
    const form = { contactId, date, currency, lines, ...(fxRate && { fxRate }) }
    const { id } = await runOperation(createDocument, world.context, books.owner, {
      kind,
      ...form,
    })
    const posted = isSale(kind)
      ? await runOperation(issueDocument, world.context, books.owner, { id })
      : await runOperation(approveDocument, world.context, books.owner, { id })
    const sign = isDebit(kind) ? 1n : -1n
    const control = isSale(kind)
      ? 'receivable'
      : kind === 'expense_claim'
        ? 'expense_claims'
        : 'payable'
    const amountMinor = sign * posted.totalMinor
    model.items.push({ id: posted.id, kind, control, contactId, currency, date, amountMinor })
    if (posted.totalMinor === 0n) model.tally('document of nothing')
    if (fxRate) model.tally('document with its own rate')
    return true
  },
}

const pay: Command = {
  name: 'payment',
  async run(model, real, dice) {
    const { world, books } = real
    const debts = ['invoice', 'bill', 'expense_claim']
    const open = model.items.filter(isOpen(model)).filter(({ kind }) => debts.includes(kind))
    if (open.length === 0) return false
    const first = dice.pick(open)
    const alike = model.items.filter(isOpen(model)).filter((item) => isAlike(item, first))
    const targets = [first, ...alike.filter((item) => item !== first && dice.roll(3) > 0)]
    const uses = targets.map((item) => ({ item, amountMinor: part(dice, openOf(model, item)) }))
    const usedMinor = uses.reduce((sum, use) => sum + use.amountMinor, 0n)
    const amountMinor = usedMinor + (dice.roll(3) === 0 ? BigInt(1 + dice.roll(5000)) : 0n)
    const { currency, contactId, control } = first
    const date = dice.pick(days.slice(0, -1))
    const place = placeFor(dice, real, currency)
    if ('accountAmount' in place) model.tally('payment in a third currency')
    const payment = await runOperation(recordPayment, world.context, books.owner, {
      direction: first.amountMinor > 0n ? 'in' : 'out',
      contactId,
      date,
      currency,
      amount: text(amountMinor, currency),
      ...worth(dice, currency, amountMinor),
      ...place,
      allocations: uses.map((use) => ({
        itemId: use.item.id,
        amount: text(use.amountMinor, currency),
      })),
    })
    const sign = first.amountMinor > 0n ? -1n : 1n
    const own: Item = {
      ...{ id: payment.id, kind: 'payment', control, contactId, currency, date },
      amountMinor: sign * amountMinor,
    }
    const made = uses.map((use) => {
      const day = usableFrom(model, use.item, use.amountMinor, date)
      if (day > date) model.tally('payment used later')
      return useOf(use.item, own, use.amountMinor, day)
    })
    model.items.push(own)
    model.uses.push(...made)
    if (amountMinor > usedMinor) model.tally('overpayment')
    if (uses.length > 1) model.tally('payment of several')
    return true
  },
}

const isAlike = (item: Item, first: Item): boolean =>
  item.control === first.control &&
  item.contactId === first.contactId &&
  item.currency === first.currency &&
  item.amountMinor > 0n === first.amountMinor > 0n

const deposit: Command = {
  name: 'payment for nothing yet',
  async run(model, real, dice) {
    const { world, books, contactIds, currencies } = real
    const direction = dice.pick(['in', 'out'] as const)
    const control: Control = direction === 'in' ? 'receivable' : 'payable'
    const [contactId, currency] = [dice.pick(contactIds), dice.pick(currencies)]
    const date = dice.pick(days.slice(0, -1))
    const amountMinor = BigInt(1000 + dice.roll(100_000))
    const place = placeFor(dice, real, currency)
    if ('accountAmount' in place) model.tally('payment in a third currency')
    const payment = await runOperation(recordPayment, world.context, books.owner, {
      ...{ direction, contactId, date, currency, amount: text(amountMinor, currency) },
      ...worth(dice, currency, amountMinor),
      ...place,
    })
    const signed = direction === 'in' ? -amountMinor : amountMinor
    model.items.push({
      ...{ id: payment.id, kind: 'payment', control, contactId, currency, date },
      amountMinor: signed,
    })
    return true
  },
}

const allocate: Command = {
  name: 'allocation',
  async run(model, { world, books }, dice) {
    const open = model.items.filter(isOpen(model))
    const pairs = open.flatMap((debit) =>
      debit.amountMinor > 0n
        ? open
            .filter((credit) => credit.amountMinor < 0n)
            .filter((credit) => isAlike({ ...credit, amountMinor: 1n }, debit))
            .map((credit) => ({ debit, credit }))
        : [],
    )
    if (pairs.length === 0) return false
    const { debit, credit } = dice.pick(pairs)
    const [one, other] = [openOf(model, debit), openOf(model, credit)]
    const amountMinor = part(dice, one < other ? one : other)
    const first = [debit, credit].reduce(
      (day, item) => usableFrom(model, item, amountMinor, day),
      '',
    )
    const date = dice.pick(notBefore(first))
    await runOperation(allocateCredit, world.context, books.owner, {
      ...{ creditId: credit.id, documentId: debit.id, date },
      amount: text(amountMinor, debit.currency),
    })
    model.uses.push(useOf(debit, credit, amountMinor, date))
    model.tally(`allocation of ${[debit, credit].filter(isDocument).length} documents`)
    return true
  },
}

const release: Command = {
  name: 'allocation removed',
  async run(model, { world, books }, dice) {
    const uses = model.uses.filter(standing).filter((use) => !isGivenUp(model, use))
    if (uses.length === 0) return false
    const use = dice.pick(uses)
    const date = dice.pick(notBefore(use.date))
    await runOperation(removeAllocation, world.context, books.owner, {
      allocationId: use.id ?? '',
      date,
    })
    use.removedOn = date
    return true
  },
}

const isGivenUp = (model: Model, { creditId, debitId }: Use): boolean =>
  [creditId, debitId].some((id) => itemOf(model, id).kind === 'write_off')

const remove: Command = {
  name: 'payment removed',
  async run(model, { world, books }, dice) {
    const payments = model.items.filter((item) => !isDocument(item) && item.endedOn === undefined)
    if (payments.length === 0) return false
    const givenUp = payments.filter(({ kind }) => kind === 'write_off')
    const payment = dice.pick(givenUp.length > 0 && dice.roll(2) === 0 ? givenUp : payments)
    const date = dice.pick(notBefore(lastMove(model, payment)))
    await runOperation(removePayment, world.context, books.owner, { paymentId: payment.id, date })
    for (const use of usesOf(model, payment).filter(standing)) use.removedOn = date
    payment.endedOn = date
    model.tally(`${payment.kind} removed`)
    return true
  },
}

const refund: Command = {
  name: 'credit refunded',
  async run(model, real, dice) {
    const { world, books } = real
    const kinds = ['credit_note', 'supplier_credit', 'payment']
    const credits = model.items.filter(isOpen(model)).filter(({ kind }) => kinds.includes(kind))
    if (credits.length === 0) return false
    const item = dice.pick(credits)
    const { currency, contactId, control } = item
    const amountMinor = part(dice, openOf(model, item))
    const date = dice.pick(notBefore(usableFrom(model, item, amountMinor, item.date)))
    const place = placeFor(dice, real, currency)
    const payment = await runOperation(refundCredit, world.context, books.owner, {
      ...{ itemId: item.id, date, amount: text(amountMinor, currency) },
      ...worth(dice, currency, amountMinor),
      ...place,
    })
    const own: Item = {
      ...{ id: payment.id, kind: 'payment', control, contactId, currency, date },
      amountMinor: item.amountMinor > 0n ? -amountMinor : amountMinor,
    }
    model.items.push(own)
    model.uses.push(useOf(item, own, amountMinor, date))
    model.tally(`refund of a ${item.kind}`)
    return true
  },
}

const writeOff: Command = {
  name: 'write-off',
  async run(model, { world, books }, dice) {
    const debts = ['invoice', 'invoice', 'bill', 'expense_claim']
    const open = model.items.filter(isOpen(model)).filter(({ kind }) => debts.includes(kind))
    if (open.length === 0) return false
    const item = dice.pick(open)
    const openMinor = openOf(model, item)
    const amountMinor = part(dice, openMinor)
    const date = dice.pick(notBefore(usableFrom(model, item, amountMinor, item.date)))
    const wanted = {
      ...{ documentId: item.id, date, claimsTaxRelief: dice.roll(2) === 0 },
      ...(amountMinor < openMinor && { amount: text(amountMinor, item.currency) }),
    }
    const isSales = item.kind === 'invoice'
    const accountId = books.account(dice.pick(['4900', '6300']))
    const given = isSales
      ? await runOperation(writeOffInvoice, world.context, books.owner, wanted)
      : await runOperation(writeOffBill, world.context, books.owner, { ...wanted, accountId })
    const own: Item = {
      ...item,
      ...{ id: given.id, kind: 'write_off', date },
      amountMinor: isSales ? -amountMinor : amountMinor,
    }
    model.items.push(own)
    model.uses.push(useOf(item, own, amountMinor, date))
    model.tally(`${amountMinor < openMinor ? 'part' : 'rest'} of ${isSales ? 'a sale' : 'a debt'}`)
    return true
  },
}

export const settlingCommands = {
  ...{ create, pay, deposit, allocate, release, remove, refund, writeOff },
}
