// Money that moved, and entries that people write themselves.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { currencyCode, day, line, uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { revaluationInput, revalueBalances } from '../currencies/revalue-balances.ts'
import { amountText, minorOf } from '../input/amount-input.ts'
import { journalInput, postManualJournal } from '../journal/post-manual-journal.ts'
import { openingBalancesInput, postOpeningBalances } from '../journal/post-opening-balances.ts'
import { reversalInput, reverseManualJournal } from '../journal/reverse-manual-journal.ts'
import { allocateCredit, allocationInput } from '../payments/allocate-credit.ts'
import { paymentInput, refundInput } from '../payments/payment-input.ts'
import { recordPayment } from '../payments/record-payment.ts'
import { refundCredit } from '../payments/refund-credit.ts'
import { allocationRemovalInput, removeAllocation } from '../payments/remove-allocation.ts'
import { paymentRemovalInput, removePayment } from '../payments/remove-payment.ts'
import { billWriteOffInput, writeOffBill } from '../payments/write-off-bill.ts'
import { invoiceWriteOffInput, writeOffInvoice } from '../payments/write-off-invoice.ts'
import {
  allocateServicePayment,
  servicePaymentInput,
} from '../service-money/allocate-service-payment.ts'
import {
  bookPaymentByHand,
  bookPayoutByHand,
  bookRefundByHand,
} from '../service-money/book-by-hand.ts'
import { offerInvoiceInput, setInvoiceOfOffer } from '../service-money/set-invoice-of-offer.ts'
import {
  retryServiceMoney,
  serviceMoneyInput,
  setServiceMoney,
} from '../service-money/set-service-money.ts'
import { type BooksOperation, defineOperation } from './operation.ts'

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

export const moneyOperations = {
  'record-payment': defineOperation(
    'Book money that came in or went out',
    paymentInput,
    recordPayment,
  ),
  'remove-payment': defineOperation(
    'Take a payment out of the books again',
    paymentRemovalInput,
    removePayment,
  ),
  'allocate-credit': defineOperation(
    'Use a credit or an overpayment for a document',
    allocationInput,
    allocateCredit,
  ),
  'remove-allocation': defineOperation(
    'Take back what was allocated',
    allocationRemovalInput,
    removeAllocation,
  ),
  'refund-credit': defineOperation(
    'Pay a credit or an overpayment back',
    refundInput,
    refundCredit,
  ),
  'write-off-invoice': defineOperation(
    'Give up an invoice, or a part of it',
    invoiceWriteOffInput,
    writeOffInvoice,
  ),
  'write-off-bill': defineOperation(
    'Note that a bill, or a part of it, is not owed any more',
    billWriteOffInput,
    writeOffBill,
  ),
  'book-link-payment': defineOperation(
    'Book what was paid through a payment link',
    linkPayment,
    (context, actor, input) => {
      const { amount, fee, ...told } = validated(linkPayment, input)
      const amountMinor = minorOf('amount', amount, told.currency)
      const feeMinor = fee === undefined ? 0n : minorOf('fee', fee, told.currency)
      if (feeMinor > amountMinor) throw invalidField('fee', 'Must not be more than the amount.')
      return bookPaymentByHand(context, actor, { ...told, amountMinor, feeMinor })
    },
  ),
  'book-link-refund': defineOperation(
    'Book what the payment service gave back',
    linkRefund,
    (context, actor, input) => {
      const { amount, ...told } = validated(linkRefund, input)
      const amountMinor = minorOf('amount', amount, told.currency)
      return bookRefundByHand(context, actor, { ...told, amountMinor })
    },
  ),
  'book-payout': defineOperation(
    'Book a payout that the bank received',
    payout,
    (context, actor, input) => {
      const { amount, ...told } = validated(payout, input)
      const amountMinor = minorOf('amount', amount, told.currency)
      return bookPayoutByHand(context, actor, { ...told, amountMinor })
    },
  ),
  'set-service-money': defineOperation(
    'Have the money of the payment service booked by itself, or not',
    serviceMoneyInput,
    setServiceMoney,
  ),
  'link-invoice': defineOperation(
    'Say which invoice is paid through a link, code or subscription',
    offerInvoiceInput,
    setInvoiceOfOffer,
  ),
  'assign-service-payment': defineOperation(
    'Say which invoice a payment was for that named none',
    servicePaymentInput,
    allocateServicePayment,
  ),
  'retry-service-money': defineOperation(
    'Try now to book what waits of the payment service',
    z.strictObject({}),
    retryServiceMoney,
  ),
  'post-manual-journal': defineOperation(
    'Post an entry of your own',
    journalInput,
    postManualJournal,
  ),
  'reverse-manual-journal': defineOperation(
    'Reverse an entry of your own',
    reversalInput,
    reverseManualJournal,
  ),
  'post-opening-balances': defineOperation(
    'Post what the accounts held at the beginning',
    openingBalancesInput,
    postOpeningBalances,
  ),
  'revalue-balances': defineOperation(
    'Value open foreign amounts at the rates of a day',
    revaluationInput,
    revalueBalances,
  ),
} as const satisfies Readonly<Record<string, BooksOperation>>
