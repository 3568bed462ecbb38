// Keeps books through the operations, as the interface and the command line do.
import type { z } from 'zod'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { listAccounts } from '../../../src/books/accounts/list-accounts.ts'
import { updateAccounts } from '../../../src/books/accounts/update-accounts.ts'
import { createContact } from '../../../src/books/contacts/create-contact.ts'
import { listContacts } from '../../../src/books/contacts/list-contacts.ts'
import type { BooksContext } from '../../../src/books/context.ts'
import { revalueBalances } from '../../../src/books/currencies/revalue-balances.ts'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { isSale } from '../../../src/books/documents/document-status.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { getDocument } from '../../../src/books/documents/get-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { importCsv } from '../../../src/books/imports/import-csv.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { postOpeningBalances } from '../../../src/books/journal/post-opening-balances.ts'
import { reverseManualJournal } from '../../../src/books/journal/reverse-manual-journal.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { listOpenItems } from '../../../src/books/payments/list-open-items.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { writeOffBill } from '../../../src/books/payments/write-off-bill.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { createQuote } from '../../../src/books/quotes/create-quote.ts'
import { decideQuote } from '../../../src/books/quotes/decide-quote.ts'
import { invoiceQuote } from '../../../src/books/quotes/invoice-quote.ts'
import { sendQuote } from '../../../src/books/quotes/send-quote.ts'
import { setLockDates } from '../../../src/books/settings/set-lock-dates.ts'
import { createTaxCode } from '../../../src/books/taxes/create-tax-code.ts'
import { listTaxCodes } from '../../../src/books/taxes/list-tax-codes.ts'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import { assertDefined } from '../../../src/kernel/basics/assert.ts'
import type { Operation } from '../../../src/kernel/operations/operation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { Bookkeeper, JournalRow, Money, Paper, PaperFacts } from './bookkeeper.ts'

export function operationBookkeeper(context: BooksContext, owner: PersonActor): Bookkeeper {
  const run = <Input extends z.ZodType, Result>(
    operation: Operation<BooksContext, Input, Result>,
    input: z.input<Input>,
  ) => runOperation(operation, context, owner, input)
  const named = <Thing>(things: readonly Thing[], isMeant: (thing: Thing) => boolean): Thing =>
    assertDefined(things.find(isMeant), 'the reference year names something unknown')
  const accountId = async (code: string) =>
    named(await run(listAccounts, {}), (account) => account.code === code).id
  const contactId = async (name: string) =>
    named(await run(listContacts, {}), (contact) => contact.name === name).id
  const taxCodeId = async (name: string) =>
    named(await run(listTaxCodes, {}), (code) => code.name === name).id
  const read = ({ id }: Paper) => run(getDocument, { id })
  const lines = (facts: Pick<PaperFacts, 'lines'>) =>
    Promise.all(
      facts.lines.map(async ({ account, tax, ...line }) => ({
        ...line,
        accountId: await accountId(account),
        ...(tax && { taxCodeId: await taxCodeId(tax) }),
      })),
    )
  const rows = (wanted: readonly JournalRow[]) =>
    Promise.all(
      wanted.map(async ({ account, ...side }) => ({
        accountId: await accountId(account),
        ...side,
      })),
    )
  const moved = async ({ account, ...money }: Money) => ({
    ...money,
    accountId: await accountId(account),
  })
  // The newest payment of a document.
  const payments = new Map<string, string>()
  return {
    addAccount: async (account) => void (await run(createAccount, account)),
    async renumber(code, newCode) {
      const account = named(await run(listAccounts, {}), (one) => one.code === code)
      const { id, name } = account
      await run(updateAccounts, { accounts: [{ id, name, code: newCode }] })
    },
    async addTax(name, rate, isInclusive) {
      await run(createTaxCode, { name, isInclusive, components: [{ name, rate }] })
    },
    async addContact({ name, type, currency }) {
      const isCustomer = type !== 'supplier'
      await run(createContact, { name, isCustomer, isSupplier: type !== 'customer', currency })
    },
    async importRates(csv) {
      await run(importCsv, { name: 'exchange-rates', bytes: new TextEncoder().encode(csv) })
    },
    setRate: async (currency, date, rate) =>
      void (await run(setExchangeRate, { currency, date, rate })),
    postOpeningBalances: async (date, balances) =>
      void (await run(postOpeningBalances, { date, balances: await rows(balances) })),
    async draft(kind, { contact, rate, ...facts }) {
      const { id } = await run(createDocument, {
        kind,
        ...facts,
        contactId: await contactId(contact),
        lines: await lines(facts),
        ...(rate && { fxRate: rate }),
      })
      return { kind, id }
    },
    async changeDate(paper, date) {
      const { version, contactId: id, currency, reference, ...document } = await read(paper)
      await run(editDocument, {
        ...copied(document.lines),
        id: paper.id,
        version,
        contactId: id,
        currency,
        date,
        ...(reference !== null && { reference }),
      })
    },
    async book({ kind, id }) {
      await run(isSale(kind) ? issueDocument : approveDocument, { id })
    },
    async pay(paper, money) {
      const { contactId: payer, currency, totalMinor, ...settled } = await read(paper)
      const dueMinor =
        totalMinor - settled.paidMinor - settled.creditedMinor - settled.writtenOffMinor
      const due = `${dueMinor / 100n}.${String(dueMinor % 100n).padStart(2, '0')}`
      const isWhole = Number(money.amount) >= Number(due)
      const { id } = await run(recordPayment, {
        direction: isSale(paper.kind) ? 'in' : 'out',
        contactId: payer,
        currency,
        ...(await moved(money)),
        allocations: [{ itemId: paper.id, amount: isWhole ? due : money.amount }],
      })
      payments.set(paper.id, id)
    },
    async undoPayment({ id }, date) {
      const paymentId = assertDefined(payments.get(id), 'nothing was paid')
      await run(removePayment, { paymentId, date })
    },
    async credit(paper, date) {
      const kind = isSale(paper.kind) ? 'credit_note' : 'supplier_credit'
      const document = await read(paper)
      const { id } = await run(createDocument, {
        kind,
        contactId: document.contactId,
        currency: document.currency,
        date,
        creditsDocumentId: paper.id,
        ...copied(document.lines),
      })
      return { kind, id }
    },
    async useCredit(paper, credit, date) {
      const { contactId: id } = await read(paper)
      const isMeant = ({ source, openMinor }: { source: string; openMinor: bigint }) =>
        source === 'payment' && openMinor < 0n
      const creditId =
        credit === 'overpayment'
          ? named(await run(listOpenItems, { contactId: id }), isMeant).id
          : credit.id
      await run(allocateCredit, { creditId, documentId: paper.id, date })
    },
    refund: async ({ id }, money) =>
      void (await run(refundCredit, { itemId: id, ...(await moved(money)) })),
    async writeOff({ id }, { account, ...wanted }) {
      const input = { documentId: id, ...wanted }
      if (!account) await run(writeOffInvoice, input)
      else await run(writeOffBill, { ...input, accountId: await accountId(account) })
    },
    void: async ({ id }, date) => void (await run(voidDocument, { id, date })),
    async invoiceQuote({ contact, ...facts }) {
      const { id } = await run(createQuote, {
        ...facts,
        contactId: await contactId(contact),
        lines: await lines(facts),
      })
      const { publicId } = await run(sendQuote, { id, isMailed: false })
      const { businessId, environment } = owner
      const page = { kind: 'system', name: 'quote page', businessId, environment } as const
      await runOperation(decideQuote, context, page, {
        id,
        publicId: assertDefined(publicId, 'a sent quote has no page'),
        decision: 'accept',
        name: 'Ada',
      })
      return { kind: 'invoice', id: (await run(invoiceQuote, { id })).id }
    },
    postJournal: async (date, description, wanted) =>
      (await run(postManualJournal, { date, description, lines: await rows(wanted) })).id,
    reverse: async (journalId, date) => void (await run(reverseManualJournal, { journalId, date })),
    revalue: async (date) => void (await run(revalueBalances, { date })),
    lock: async (until) => void (await run(setLockDates, { softLockedUntil: until })),
  }
}

type ReadLine = {
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  readonly discountPct: string
  readonly accountId: string | null
  readonly taxCodeId: string | null
}

function copied(lines: readonly ReadLine[]) {
  return {
    lines: lines.map(({ description, quantity, unitPrice, discountPct, ...line }) => ({
      ...{ description, quantity, unitPrice, discountPct },
      ...(line.accountId && { accountId: line.accountId }),
      ...(line.taxCodeId && { taxCodeId: line.taxCodeId }),
    })),
  }
}
