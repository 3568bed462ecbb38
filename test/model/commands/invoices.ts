// Invoices that are paid on their pages: as a whole, in part, twice at once, and while people
// record a payment, credit or void them. The payer, the provider and the merchant then do with
// these payments what they do with all others.
import { expect } from 'vitest'
import { dueMinor } from '../../../src/books/documents/document-acts.ts'
import { findDocument } from '../../../src/books/documents/document-store.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { assertDefined } from '../../../src/kernel/basics/assert.ts'
import { Fault } from '../../../src/kernel/basics/fault.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { pressPay } from '../../support/payments.ts'
import { amountOn } from '../../support/service-money.ts'
import { defineCommand, nothing, pick, type Subject } from '../command.ts'
import {
  type Invoice,
  isCollected,
  isOpen,
  type Model,
  newPayment,
  type Payment,
} from '../model.ts'
import { firstInvoiceMinor, type Real } from '../real.ts'

const totalMinor = 400_000n
const partMinor = 150_000n
const paymentsMax = 9

const booksOf = ({ world, tenant }: Real) => newBooks(world, { businessId: tenant.businessId })
const dayOf = ({ clock }: Real) => clock.now().toISOString().slice(0, 10)
const amountOf = (minor: bigint) => String(minor / 100n)

const issue = defineCommand(
  'issue invoice',
  nothing,
  (model) => (model.invoices.length < 3 ? model : undefined),
  async (model, real) => {
    const books = await booksOf(real)
    const { context } = real.world
    await runOperation(setServiceMoney, context, books.owner, { takesPartPayments: true })
    const contactId = (await books.contact({ name: `Customer ${model.invoices.length}` })).id
    const unitPrice = amountOf(totalMinor)
    const line = { description: 'Work', unitPrice, accountId: books.account('4000') }
    const date = dayOf(real)
    const { id } = await books.draft('invoice', { contactId, date, lines: [line] })
    await runOperation(issueDocument, context, books.owner, { id })
    const { text: key } = await real.world.key({ service: 'books', ...real.tenant })
    const { body } = await real.world.call('GET', `/books/api/v1/invoices/${id}`, { key })
    const path = new URL(body.hosted_url).pathname
    const state = { isCredited: false, isVoid: false }
    model.invoices.push({ id, path, contactId, totalMinor, settledMinor: 0n, ...state })
  },
)

const payable = (model: Model, nth: number) =>
  model.payments.length < paymentsMax ? pick(model.invoices, nth) : undefined

// What is due, as the books say. All that was collected is posted before each command.
async function dueOf({ world, tenant }: Real, { id }: Invoice): Promise<bigint> {
  const document = await findDocument(world.database.sql, tenant, id)
  return dueMinor(assertDefined(document, 'an invoice vanished'))
}

const press = defineCommand(
  'pay an invoice',
  ['whole', 'part'],
  payable,
  async (model, real, invoice, how) => {
    const due = await dueOf(real, invoice)
    const amountMinor = how === 'part' ? partMinor : due
    const answer = await pressPay(real.world, invoice.path, { amount: amountOf(amountMinor) })
    const isTaken = !invoice.isVoid && amountMinor > 0n && amountMinor <= due
    expect(answer.status === 303, `paying ${amountMinor} of ${due}`).toBe(isTaken)
    model.tally(`pay an invoice × ${isTaken ? how : invoice.isVoid ? 'void' : 'too much'}`)
    if (isTaken) await adopt(model, real, invoice, amountMinor)
  },
)

// Two people pay it in the same moment. Both may begin; what is too much becomes credit.
const pressTwice = defineCommand(
  'pay an invoice twice at once',
  nothing,
  (model, nth) => (model.payments.length < paymentsMax - 1 ? pick(model.invoices, nth) : undefined),
  async (model, real, invoice) => {
    const due = await dueOf(real, invoice)
    if (invoice.isVoid || due === 0n) return
    const amount = amountOf(due)
    const pressed = () => pressPay(real.world, invoice.path, { amount })
    const answers = await Promise.all([pressed(), pressed()])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    await adopt(model, real, invoice, due, due)
    model.tally('pay an invoice × twice')
  },
)

async function adopt(
  model: Model,
  real: Real,
  { id, path }: Invoice,
  ...amountsMinor: readonly bigint[]
): Promise<void> {
  const known = model.payments.map((payment) => payment.id)
  const rows = await real.world.database.sql<{ id: string; reference: string }[]>`
    select id, provider_reference as reference
    from merchant.payments
    where business_id = ${real.tenant.businessId}
      and invoice_id = ${id}
      and not id = any (${known}::uuid[])
    order by id`
  expect(rows).toHaveLength(amountsMinor.length)
  for (const [index, amountMinor] of amountsMinor.entries()) {
    const row = assertDefined(rows[index], 'a payment vanished')
    newPayment(model, { kind: 'invoice', path, amountMinor, singleUse: false }, row)
  }
}

const record = defineCommand(
  'record a payment of an invoice',
  nothing,
  (model, nth) => pick(model.invoices, nth, ({ isVoid }) => !isVoid),
  async (model, real, invoice) => {
    const due = await dueOf(real, invoice)
    const minor = due < partMinor ? due : partMinor
    if (minor === 0n) return
    const books = await booksOf(real)
    const amount = amountOf(minor)
    await runOperation(recordPayment, real.world.context, books.owner, {
      ...{ direction: 'in', date: dayOf(real), currency: 'NGN', amount },
      contactId: invoice.contactId,
      accountId: books.account('1000'),
      allocations: [{ itemId: invoice.id, amount }],
    })
    invoice.settledMinor += minor
    const isMeanwhile = paymentsOf(model, invoice).some(isOpen)
    model.tally(`record × ${isMeanwhile ? 'while a customer pays' : 'plain'}`)
  },
)

const creditMinor = 100_000n

const credit = defineCommand(
  'credit an invoice',
  nothing,
  (model, nth) => pick(model.invoices, nth, ({ isVoid, isCredited }) => !isVoid && !isCredited),
  async (model, real, invoice) => {
    if ((await dueOf(real, invoice)) < creditMinor) return
    const books = await booksOf(real)
    const { context } = real.world
    const unitPrice = amountOf(creditMinor)
    const line = { description: 'Discount', unitPrice, accountId: books.account('4000') }
    const { id: creditId } = await books.draft('credit_note', {
      ...{ contactId: invoice.contactId, creditsDocumentId: invoice.id },
      ...{ date: dayOf(real), lines: [line] },
    })
    await runOperation(issueDocument, context, books.owner, { id: creditId })
    const used = { creditId, documentId: invoice.id, date: dayOf(real) }
    await runOperation(allocateCredit, context, books.owner, used)
    invoice.settledMinor += creditMinor
    invoice.isCredited = true
    const isMeanwhile = paymentsOf(model, invoice).some(isOpen)
    model.tally(`credit × ${isMeanwhile ? 'while a customer pays' : 'plain'}`)
  },
)

const makeVoid = defineCommand(
  'void an invoice',
  nothing,
  (model, nth) => pick(model.invoices, nth, ({ isVoid }) => !isVoid),
  async (model, real, invoice) => {
    const books = await booksOf(real)
    const payments = paymentsOf(model, invoice)
    const asked = runOperation(voidDocument, real.world.context, books.owner, { id: invoice.id })
    const fault = await asked.then(() => undefined).catch((error: unknown) => error)
    if (fault === undefined) {
      // No one loses money: no charge is under way, and none has paid it.
      expect(payments.filter(isOpen)).toEqual([])
      invoice.isVoid = true
      model.tally('void × done')
      return
    }
    expect(fault).toBeInstanceOf(Fault)
    if (payments.some(isOpen)) model.tally('void × refused while a customer pays')
  },
)

function paymentsOf({ payments }: Model, { path }: Invoice): Payment[] {
  return payments.filter(({ page }) => page.path === path)
}

// What the customers owe, all together: each payment counts once, whether it paid its invoice or
// became a credit, and what went back to the payer counts no more.
export async function expectReceivable(model: Model, { world, tenant }: Real): Promise<void> {
  const issued = model.invoices.filter(({ isVoid }) => !isVoid)
  const billed = issued.reduce((sum, one) => sum + one.totalMinor, firstInvoiceMinor)
  const settled = model.invoices.reduce((sum, one) => sum + one.settledMinor, 0n)
  const kept = model.payments.reduce((sum, payment) => sum + keptMinor(payment), 0n)
  expect(await amountOn(world, tenant, '1100', 'NGN'), 'receivable').toBe(billed - settled - kept)
}

// Below zero if the provider took a payment back of which a part had been refunded.
function keptMinor(payment: Payment): bigint {
  if (!isCollected(payment)) return 0n
  const { amountMinor, refundedMinor, chargedBackMinor, isReversed } = payment
  return (isReversed ? 0n : amountMinor) - refundedMinor - chargedBackMinor
}

export const invoices: Subject = {
  openings: [
    [
      ...['issue invoice', 'pay an invoice (whole)', 'void an invoice', 'pay by card (none)'],
      ...['come back', 'pay an invoice (part)', 'void an invoice'],
    ],
    [
      ...['issue invoice', 'pay an invoice twice at once', 'record a payment of an invoice'],
      'credit an invoice',
      ...['pay by card (none)', 'pay by card (none)', 'run the worker'],
    ],
    ['issue invoice', 'void an invoice', 'pay an invoice (whole)'],
  ],
  commands: [issue, press, press, press, pressTwice, record, credit, makeVoid],
  reached: [
    ...['pay an invoice × whole', 'pay an invoice × part', 'pay an invoice × too much'],
    ...['pay an invoice × void', 'pay an invoice × twice', 'record × while a customer pays'],
    'credit × while a customer pays',
    ...['void × done', 'void × refused while a customer pays'],
  ],
}
