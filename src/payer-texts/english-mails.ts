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
}
