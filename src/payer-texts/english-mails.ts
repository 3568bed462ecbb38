// What mails to payers say, in English.
export const englishMails = {
  // How it was paid, by the provider's names.
  methods: {
    card: 'Card',
    account: 'Bank account',
    bank_transfer: 'Bank transfer',
    ussd: 'USSD',
    mobilemoney: 'Mobile money',
  },

  receipt: {
    subject: (merchant: string, amount: string) => `Your receipt from ${merchant}: ${amount}`,
    heading: (amount: string) => `You paid ${amount}`,
    text: (merchant: string) => `Thank you. ${merchant} has received your payment.`,
    see: 'See your receipt',
    manage: 'Change your card or cancel',
  },
  subscriptionStart: {
    subject: (merchant: string, plan: string) => `Your subscription with ${merchant}: ${plan}`,
    heading: 'Your subscription has started',
    text: (merchant: string) =>
      `Thank you for subscribing with ${merchant}. On your page you see all payments, change your ` +
      'card and cancel at any time. Keep the address for yourself.',
    manage: 'See your subscription',
  },
  failedRenewal: {
    subject: (merchant: string, plan: string) =>
      `Payment failed for your subscription with ${merchant}: ${plan}`,
    heading: (amount: string) => `We could not charge ${amount} to your card`,
    text: (day: string) =>
      `We try again on ${day}. If the card is out of date, change it before then, or pay now.`,
    change: 'Change card or pay now',
    invoiceOpen:
      'The invoice is still open. We don’t try this card again for it: please pay the invoice on ' +
      'its page. If the card is out of date, change it for the next invoices.',
    payInvoice: 'Pay the invoice',
    changeOnly: 'Change card',
  },
  subscriptionEnd: {
    subject: (merchant: string, plan: string) =>
      `The end of your subscription with ${merchant}: ${plan}`,
    ended: 'Your subscription has ended',
    ends: (day: string) => `Your subscription ends on ${day}`,
    unpaid: 'We could not charge your card several times.',
    text: (merchant: string) =>
      `You will not be charged again. If you have not asked for this, contact ${merchant}.`,
    see: 'See your payments',
  },
  refundNotice: {
    subject: (merchant: string, amount: string) => `Your refund from ${merchant}: ${amount}`,
    heading: (amount: string) => `${amount} is on its way back to you`,
    causes: {
      requested: (merchant: string) => `${merchant} has refunded your payment.`,
      card_check: (merchant: string) =>
        `Your card for ${merchant} was checked. What was charged for it is refunded.`,
      overpayment: (merchant: string) =>
        `You paid ${merchant} more than was due. The rest was refunded.`,
      repeated_charge: (merchant: string) =>
        `You paid ${merchant} twice. The second payment was refunded.`,
      late_success: (merchant: string) =>
        `Your money arrived after the payment to ${merchant} had ended. It was refunded.`,
    },
    text: 'It can take a few days until the money is in your account.',
    see: 'See the payment',
  },

  // Of an invoice that is open.
  reminder: {
    subjects: {
      before: (number: string, sender: string, day: string) =>
        `Invoice ${number} from ${sender} is due on ${day}`,
      today: (number: string, sender: string) => `Invoice ${number} from ${sender} is due today`,
      after: (number: string, sender: string) => `Invoice ${number} from ${sender} is overdue`,
    },
    headings: {
      before: (amount: string, day: string) => `${amount} is due on ${day}`,
      today: (amount: string) => `${amount} is due today`,
      after: (amount: string, day: string) => `${amount} was due on ${day}`,
    },
    greeting: (name: string) => `Dear ${name},`,
    texts: {
      before: (number: string) => `this is a reminder of invoice ${number}.`,
      today: (number: string) => `this is a reminder that invoice ${number} is due today.`,
      after: (number: string) => `invoice ${number} has not been paid in full yet.`,
    },
    paidMeanwhile: 'If you have paid it meanwhile, you can ignore this mail.',
    invoice: 'Invoice',
    total: 'Total',
    due: 'Still to pay',
    dueDate: 'Due date',
    pay: 'See it and pay it online',
    see: 'See the invoice',
  },

  // Of what happened between the business and a customer in a period.
  statement: {
    title: 'Statement of account',
    titleOf: (name: string) => `Statement of ${name}`,
    subject: (sender: string, period: string) => `Statement from ${sender}, ${period}`,
    period: (from: string, to: string) => `${from} to ${to}`,
    greeting: (name: string) => `Dear ${name},`,
    attached: (period: string) => `please find attached your statement for ${period}.`,
    balanceOn: (day: string) => `Balance on ${day}`,
    asOf: (day: string) => `Printed on ${day}`,
    nothing: 'Nothing was open in this period, and nothing was booked.',
    file: 'statement',
    sandbox: 'SANDBOX: THESE ARE NOT REAL FIGURES',
    taxNumber: 'Tax number {number}',
    date: 'Date',
    what: 'What',
    charged: 'Charged',
    settled: 'Paid or credited',
    balance: 'Balance',
    opening: 'Opening balance',
    closing: 'Closing balance',
    kinds: {
      invoice: 'Invoice',
      credit_note: 'Credit note',
      bill: 'Bill',
      supplier_credit: 'Supplier credit',
      expense_claim: 'Expense claim',
      payment: 'Payment',
      other: 'Adjustment',
      voided: 'void',
    },
  },
}
