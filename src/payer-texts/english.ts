// What payers read, in English. Every language has the same texts: a missing one is a type error.
// To add a language, copy the files of English, translate them and add the language to
// `payer-language.ts`.
import { englishMails } from './english-mails.ts'
import { englishOrders } from './english-orders.ts'
import { englishReasons } from './english-reasons.ts'
import { englishReceipts } from './english-receipts.ts'
import { englishSubscriber } from './english-subscriber.ts'

export const english = {
  terms: 'Terms',
  privacy: 'Privacy',
  poweredBy: 'Payments by Tillbook',
  languages: 'Language',
  testMode: { label: 'Test mode:', text: 'no real money moves.' },
  demonstration: {
    label: 'Demonstration:',
    text: 'this payment is simulated. No real money moves.',
  },

  pay: {
    payTo: 'Pay to',
    paymentTo: (merchant: string) => `Payment to ${merchant}`,
    pay: 'Pay',
    payAmount: (amount: string) => `Pay ${amount}`,
    amountIn: (currency: string) => `Amount in ${currency}`,
    canChange: 'You can change it.',
    canPayPart: 'All that is due. You can pay a part.',
    email: 'Your e-mail address',
    emailHint: 'The payment provider needs it for the receipt.',
    secure: (merchant: string) =>
      `You pay on the payment provider’s secure page. ${merchant} never sees your card.`,
    preview: (merchant: string) => `Pay to ${merchant}.`,
    previewAmount: (amount: string, merchant: string) => `Pay ${amount} to ${merchant}.`,
    subscription: (amount: string, interval: string, merchant: string) =>
      `${amount} ${interval} until you cancel. To cancel, contact ${merchant}. ` +
      'The payment provider saves your card and charges it each time.',
    every: {
      day: (count: number) => (count === 1 ? 'every day' : `every ${count} days`),
      week: (count: number) => (count === 1 ? 'every week' : `every ${count} weeks`),
      month: (count: number) => (count === 1 ? 'every month' : `every ${count} months`),
      year: (count: number) => (count === 1 ? 'every year' : `every ${count} years`),
    },
    pressAgain: 'Nothing was charged. Please press Pay again.',
    unreachable: 'The payment provider is not responding. Nothing was charged. Please try again.',
  },

  problems: {
    emailMissing: 'Enter your e-mail address.',
    emailWrong: 'This is not a complete e-mail address. It looks like name@example.com.',
    figures: (example: string) => `Enter the amount in figures, for example ${example}.`,
    wholeNumber: (currency: string) => `${currency} has no decimals: enter a whole number.`,
    decimals: (currency: string, decimals: number, example: string) =>
      `${currency} has ${decimals} decimals: enter for example ${example}.`,
    aboveZero: 'Enter an amount above zero.',
    atMost: (amount: string) => `Enter at most ${amount}.`,
  },

  // "Used", "taken", "paid" and subscriptions don't say that nothing was charged: the reader may be
  // the one who paid.
  closed: {
    expired: {
      title: 'This link has expired',
      text: 'It can no longer be paid. Ask for a new link. Nothing was charged.',
    },
    disabled: {
      title: 'This can no longer be paid',
      text: 'It was switched off. Ask for a new one. Nothing was charged.',
    },
    used: { title: 'Already paid', text: 'This code can be used only once.' },
    taken: {
      title: 'Another payment is in progress',
      text: 'This code can be used only once. If that payment fails, you can pay here.',
    },
    closed: {
      title: 'Payments are not available',
      text: 'This business can’t take payments right now. Nothing was charged.',
    },
    soldOut: { title: 'Sold out', text: 'There is nothing left to buy. Nothing was charged.' },
    paid: { title: 'This invoice is paid', text: 'There is nothing left to pay.' },
    offline: {
      title: 'This invoice can’t be paid online',
      text: 'Pay it in another way, or ask how to pay it.',
    },
  },
  closedInvoice: {
    disabled: { title: 'This invoice is void', text: 'It does not need to be paid.' },
    taken: {
      title: 'This invoice can’t be paid now',
      text: 'It was paid or withdrawn a moment ago. Nothing was charged. Open it again to see.',
    },
  },
  closedSubscription: {
    disabled: { title: 'This subscription has ended', text: 'You will not be charged again.' },
    used: { title: 'No payment is due', text: 'This subscription is paid.' },
    taken: {
      title: 'A payment is in progress',
      text: 'If that payment fails, you can pay here again.',
    },
  },
  paused: {
    title: 'Payments are paused',
    text: (moment: string) =>
      `We are doing maintenance. Please come back after ${moment}. Nothing was charged.`,
  },
  unknown: {
    title: 'We don’t know this page',
    text:
      'Check that you have the whole address, to the last letter. If it still does not work, ask ' +
      'the business that sent it for a new one. Nothing was charged.',
  },
  tryAgain: 'Try again',

  ends: {
    paid: 'Paid',
    notPaid: 'Not paid',
    waiting: 'Waiting for your bank',
    refunded: 'Refunded',
    partlyRefunded: 'Partly refunded',
    paidThanks: 'Paid. Thank you!',
    paidPartlyRefunded: 'Paid, and partly refunded',
    wasRefunded: 'Your payment was refunded',
    wholeRefunded: (merchant: string) =>
      `${merchant} refunded the whole amount. It can take a few days until the money is in your ` +
      'account.',
    partRefunded: (merchant: string, amount: string) =>
      `${merchant} refunded ${amount} of it. It can take a few days until the money is in your ` +
      'account.',
    canClose: 'You can close this page.',
    excess: (amount: string) => `You paid ${amount} more than was due.`,
    excessKept: (merchant: string) =>
      `It could not be refunded yet. Please contact ${merchant} and quote the payment ID below.`,
    excessReturned: 'It was refunded, which can take a few days.',
    excessGoingBack: 'It is being refunded, which can take a few days.',
    nothingCharged: 'Nothing was charged.',
    goingBack:
      'Your money arrived after that. It is being refunded, which can take a few days. You don’t ' +
      'need to do anything.',
    onHold: (merchant: string) =>
      'Your money arrived, but it does not match the payment. It is on hold. Please contact ' +
      `${merchant} and quote the payment ID below. Don’t pay again until you hear back.`,
    notConfirmed:
      'The payment is not confirmed yet. This page updates automatically. You can close it; your ' +
      'payment will continue.',
    checkAgain: 'Check again now',
    notFinished: 'Not finished?',
    goBack: 'Go back to the payment page',
  },
  facts: {
    from: 'From',
    to: 'To',
    for: 'For',
    amount: 'Amount',
    refunded: 'Refunded',
    paidOn: 'Paid on',
    startedOn: 'Started on',
    refundedOn: 'Refunded on',
    payment: 'Payment',
    method: 'Method',
    reference: 'Reference',
    paymentId: 'Payment ID',
  },
  ...englishMails,
  subscriber: englishSubscriber,
  ...englishOrders,
  ...englishReceipts,

  reasons: englishReasons,

  invoice: {
    title: (number: string) => `Invoice ${number}`,
    status: {
      open: 'Open',
      partly_paid: 'Partly paid',
      overdue: 'Overdue',
      paid: 'Paid',
      void: 'Void',
    },
    dueOn: (day: string) => `due ${day}`,
    changed: 'The amount due has changed. Nothing was charged. Check it and press Pay again.',
    see: 'See the invoice',
    unconfirmed: (amount: string) =>
      `A payment of ${amount} is being confirmed. Don’t pay it twice.`,
    // Nothing is due any more.
    unconfirmedToo: (amount: string) =>
      `Another payment of ${amount} is being confirmed. If it succeeds, it is kept as credit.`,
    otherWays: 'Other ways to pay',
    download: 'Download as PDF',
    for: 'Billed to',
    date: 'Date',
    dueDate: 'Due',
    reference: 'Reference',
    items: 'What it is for',
    description: 'Description',
    net: 'Net',
    subtotal: 'Subtotal',
    total: 'Total',
    settled: 'Paid or credited',
    due: 'Due',
  },

  quote: {
    title: (number: string) => `Quote ${number}`,
    titleFrom: (number: string, organisation: string) => `Quote ${number} from ${organisation}`,
    error: 'Error:',
    sandbox: 'this quote is a test and not binding.',
    validUntil: (day: string) => `valid until ${day}`,
    acceptedBy: (name: string) => `Accepted by ${name}.`,
    accepted: 'Accepted.',
    acceptedNext: (organisation: string) =>
      `Thank you. ${organisation} has been notified and will contact you.`,
    declinedBy: (name: string) => `Declined by ${name}.`,
    declined: 'Declined.',
    declinedNext: (organisation: string) => `${organisation} has been notified.`,
    expired: 'This quote can no longer be accepted.',
    expiredNext: (organisation: string) => `Ask ${organisation} for a new one.`,
    preparedFor: 'For',
    date: 'Date',
    reference: 'Reference',
    taxNumber: (number: string) => `Tax number ${number}`,
    items: (currency: string) => `Items of the quote, in ${currency}`,
    description: 'Description',
    quantity: 'Quantity',
    price: 'Price',
    net: 'Net',
    less: (percent: string) => `less ${percent} %`,
    subtotal: 'Subtotal',
    totalIn: (currency: string) => `Total in ${currency}`,
    download: 'Download as PDF',
    answer: 'Your answer',
    name: 'Your name',
    nameMissing: 'Enter your name.',
    tooLong: (max: number) => `At most ${max} characters, in one line.`,
    accept: 'Accept this quote',
    declineInstead: 'Decline instead',
    reason: 'Reason',
    reasonHint: 'Helps the sender improve the offer.',
    decline: 'Decline this quote',
  },
}

export type PayerTexts = typeof english
