// Everything that people do in the books, by name: what the application's pages and the CLI call.
// Input is JSON as it came; each operation checks its own.
import { z } from 'zod'
import type { Actor } from '../kernel/auth/actor.ts'
import { invalidField } from '../kernel/basics/fault.ts'
import { validated } from '../kernel/http/errors.ts'
import { currencyCode, day, line, uuid } from '../kernel/http/schemas.ts'
import { createAccount } from './accounts/create-account.ts'
import { updateAccount } from './accounts/update-account.ts'
import { amountText, minorOf } from './amount-input.ts'
import { createContactInApplication } from './contacts/create-contact.ts'
import { updateContact } from './contacts/update-contact.ts'
import type { BooksContext } from './context.ts'
import { revalueBalances } from './currencies/revalue-balances.ts'
import { setExchangeRate } from './currencies/set-exchange-rate.ts'
import { approveDocument } from './documents/approve-document.ts'
import { createDocument } from './documents/create-document.ts'
import { discardDocument } from './documents/discard-document.ts'
import { documentKinds } from './documents/document-status.ts'
import { editDocument } from './documents/edit-document.ts'
import { issueDocument } from './documents/issue-document.ts'
import { reopenDocument } from './documents/reopen-document.ts'
import { returnDocument } from './documents/return-document.ts'
import { markDocumentSent, sendDocument } from './documents/send-document.ts'
import { setApprovalLimit } from './documents/set-approval-limit.ts'
import { submitDocument } from './documents/submit-document.ts'
import { voidDocument } from './documents/void-document.ts'
import { createItem } from './items/create-item.ts'
import { updateItem } from './items/update-item.ts'
import { postManualJournal } from './journal/post-manual-journal.ts'
import { postOpeningBalances } from './journal/post-opening-balances.ts'
import { reverseManualJournal } from './journal/reverse-manual-journal.ts'
import { createLead, editLead, loseLead, moveLead, winLead } from './leads/manage-leads.ts'
import { allocateCredit } from './payments/allocate-credit.ts'
import { bookLinkPayment } from './payments/book-link-payment.ts'
import { bookLinkRefund } from './payments/book-link-refund.ts'
import { bookPayout } from './payments/book-payout.ts'
import { recordPayment } from './payments/record-payment.ts'
import { refundCredit } from './payments/refund-credit.ts'
import { removeAllocation } from './payments/remove-allocation.ts'
import { removePayment } from './payments/remove-payment.ts'
import { writeOffInvoice } from './payments/write-off-invoice.ts'
import { invoiceQuote } from './quotes/invoice-quote.ts'
import { quoteUrl } from './quotes/quote.ts'
import { reviseQuote, sendQuote } from './quotes/send-quote.ts'
import { createQuote, editQuote } from './quotes/write-quote.ts'
import { setLockDates } from './settings/set-lock-dates.ts'
import { setNumberPattern } from './settings/set-number-pattern.ts'
import { updateOrganisation } from './settings/update-organisation.ts'
import { createTaxCode } from './taxes/create-tax-code.ts'
import { updateTaxCode } from './taxes/update-tax-code.ts'

export type OperationInput = Readonly<Record<string, unknown>>

export type BooksOperation = {
  readonly summary: string
  run(context: BooksContext, actor: Actor, input: OperationInput): Promise<unknown>
}

const createdDocument = z.looseObject({ kind: z.enum(documentKinds) })
const editedDocument = z.looseObject({ id: uuid(), version: z.int() })
const named = z.looseObject({ id: uuid() })
const namedAlone = z.strictObject({ id: uuid() })

// What the payment service says of its money, in major units.
const money = { date: day(), currency: currencyCode(), amount: amountText() }
const linkPayment = z.strictObject({
  ...money,
  externalId: line(255),
  documentId: uuid(),
  fee: amountText().optional(),
})
const linkRefund = z.strictObject({
  ...money,
  externalId: line(255),
  paymentExternalId: line(255),
})
const payout = z.strictObject({ ...money, id: uuid(), accountId: uuid() })

export const booksOperations = {
  'update-organisation': on('Change how the books are kept', updateOrganisation),
  'set-lock-dates': on('Lock the books up to a day', setLockDates),
  'set-number-pattern': on('Change how documents of a kind are numbered', setNumberPattern),
  'create-account': on('Add an account to the chart', createAccount),
  'update-account': about('Rename an account, or make it inactive', updateAccount),
  'create-tax-code': on('Add a tax code', createTaxCode),
  'update-tax-code': about('Rename a tax code, or make it inactive', updateTaxCode),
  'set-exchange-rate': on('Say what a currency is worth from a day on', setExchangeRate),
  'create-contact': on('Add a customer or supplier', createContactInApplication),
  'update-contact': about('Change a contact', updateContact),
  'create-item': on('Add an item', createItem),
  'update-item': about('Change an item', updateItem),
  'create-document': {
    summary: 'Enter a draft of the given kind',
    run(context, actor, input) {
      const { kind, ...rest } = validated(createdDocument, input)
      return createDocument(context, actor, kind, rest as never)
    },
  },
  'edit-document': {
    summary: 'Change a draft; its version says which one was looked at',
    run(context, actor, input) {
      const { id, version, ...rest } = validated(editedDocument, input)
      return editDocument(context, actor, id, version, rest as never)
    },
  },
  'submit-document': alone('Hand a draft to whoever approves it', submitDocument),
  'return-document': about('Give a submitted document back, with the reason', returnDocument),
  'approve-document': about('Approve a document; a purchase enters the books', approveDocument),
  'reopen-document': alone('Make a draft of an approved sale again', reopenDocument),
  'issue-document': about('Issue a sale: it gets its number and enters the books', issueDocument),
  'send-document': about('Mail an issued document with its PDF', sendDocument),
  'mark-document-sent': alone('Say that a document was sent otherwise', markDocumentSent),
  'void-document': about('Take a document out of the books again', voidDocument),
  'discard-document': alone('Throw away what is not in the books yet', discardDocument),
  'set-approval-limit': on('Say up to what amount somebody approves', setApprovalLimit),
  'record-payment': on('Book money that came in or went out', recordPayment),
  'remove-payment': on('Take a payment out of the books again', removePayment),
  'allocate-credit': on('Use a credit or an overpayment for a document', allocateCredit),
  'remove-allocation': on('Take back what was allocated', removeAllocation),
  'refund-credit': on('Pay a credit or an overpayment back', refundCredit),
  'write-off-invoice': on('Give up the rest of an invoice', writeOffInvoice),
  'book-link-payment': {
    summary: 'Book what was paid through a payment link',
    run(context, actor, input) {
      const { amount, fee, ...told } = validated(linkPayment, input)
      const amountMinor = minorOf('amount', amount, told.currency)
      const feeMinor = fee === undefined ? 0n : minorOf('fee', fee, told.currency)
      if (feeMinor > amountMinor) throw invalidField('fee', 'Must not be more than the amount.')
      return bookLinkPayment(context, actor, { ...told, amountMinor, feeMinor })
    },
  },
  'book-link-refund': {
    summary: 'Book what the payment service gave back',
    run(context, actor, input) {
      const { amount, currency, ...told } = validated(linkRefund, input)
      const amountMinor = minorOf('amount', amount, currency)
      return bookLinkRefund(context, actor, { ...told, amountMinor })
    },
  },
  'book-payout': {
    summary: 'Book a payout that the bank received',
    run(context, actor, input) {
      const { amount, ...told } = validated(payout, input)
      const amountMinor = minorOf('amount', amount, told.currency)
      return bookPayout(context, actor, { ...told, amountMinor })
    },
  },
  'post-manual-journal': on('Post an entry of your own', postManualJournal),
  'reverse-manual-journal': on('Reverse an entry of your own', reverseManualJournal),
  'post-opening-balances': on('Post what the accounts held at the beginning', postOpeningBalances),
  'revalue-balances': on('Value open foreign amounts at the rates of a day', revalueBalances),
  'create-quote': on('Write a quote', createQuote),
  'edit-quote': about('Change the draft of a quote', editQuote),
  'send-quote': {
    summary: 'Send a quote to its customer, and say where its page is',
    async run(context, actor, input) {
      const { id, ...rest } = validated(named, input)
      const quote = await sendQuote(context, actor, id, rest as never)
      return { ...quote, url: quoteUrl(context.publicUrl, actor, quote) }
    },
  },
  'revise-quote': alone('Take a quote back to send a new version', reviseQuote),
  'invoice-quote': alone('Make a draft invoice of an accepted quote', invoiceQuote),
  'create-lead': on('Note somebody who may buy', createLead),
  'edit-lead': about('Change a lead', editLead),
  'move-lead': about('Move a lead a step on or back', moveLead),
  'win-lead': about('Mark a lead won', winLead),
  'lose-lead': about('Mark a lead lost', loseLead),
} as const satisfies Readonly<Record<string, BooksOperation>>

type OfInput = (context: BooksContext, actor: Actor, input: never) => Promise<unknown>
type OfIdAlone = (context: BooksContext, actor: Actor, id: string) => Promise<unknown>
type OfOne = (context: BooksContext, actor: Actor, id: string, input: never) => Promise<unknown>

function on(summary: string, operation: OfInput): BooksOperation {
  return { summary, run: (context, actor, input) => operation(context, actor, input as never) }
}

// About the one thing that `id` names.
function about(summary: string, operation: OfOne): BooksOperation {
  return {
    summary,
    run(context, actor, input) {
      const { id, ...rest } = validated(named, input)
      return operation(context, actor, id, rest as never)
    },
  }
}

// The same where there is nothing more to say.
function alone(summary: string, operation: OfIdAlone): BooksOperation {
  return {
    summary,
    run(context, actor, input) {
      const { id } = validated(namedAlone, input)
      return operation(context, actor, id)
    },
  }
}
