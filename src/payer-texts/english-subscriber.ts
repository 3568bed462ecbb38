// What the page of a subscriber says, in English.
export const englishSubscriber = {
  yourSubscription: 'Your subscription with',
  status: {
    incomplete: 'Not started',
    active: 'Active',
    past_due: 'Payment failed',
    cancelled: 'Ended',
  },
  nextCharge: 'Next charge',
  nextRetry: 'Next try',
  endsOn: 'Ends on',
  endedOn: 'Ended on',
  price: 'Price',
  card: 'Card',
  noCard: 'None saved',
  start: 'Your subscription starts when the first period is paid.',
  payFirst: 'Pay the first period',
  charging: 'A payment is being made. This can take a few minutes.',
  invoiced: (amount: string) =>
    `You get an invoice for each period. It is charged to your card when it is sent, at most ${amount}. ` +
    'Cancel your subscription to stop this.',
  failed: (day: string) =>
    `We could not charge your card. We try again on ${day}. You can also pay now, with this card or ` +
    'another one. It is then used for the next payments too.',
  payNow: 'Pay now',
  ending: (day: string) =>
    `Your subscription is cancelled. It ends on ${day}, and you will not be charged again.`,
  ended: 'You will not be charged again.',
  changeCard: 'Change card',
  cancel: 'Cancel subscription',
  payments: 'Payments',
  noPayments: 'There are no payments yet.',
  receipt: 'Receipt',
  older: 'Older payments',
  newest: 'Newest payments',
  back: 'Back to your subscription',
  paymentStatus: {
    pending: 'Not finished',
    processing: 'Under way',
    succeeded: 'Paid',
    partially_refunded: 'Partly refunded',
    refunded: 'Refunded',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },

  cardTitle: 'Change your card',
  cardNow: (card: string) => `Your card now: ${card}.`,
  cardCheck: (amount: string) =>
    `To check the new card, ${amount} is charged and refunded at once. It is not a payment for your ` +
    'subscription.',
  cardStays: 'Your present card stays until the new one works.',
  cardContinue: 'Continue',
  cardSecure: (merchant: string) =>
    `You enter the card on the payment provider’s secure page. ${merchant} never sees it.`,
  cardTaken: 'A card is being checked right now. Wait a moment, then try again.',
  cardChanged: 'Your card is changed',
  cardChangedText: (amount: string) =>
    `The next payments are charged to it. The ${amount} of the check are on their way back to you, ` +
    'which can take a few days.',
  cardNotKept: 'This card can’t be used',
  cardNotKeptText: (amount: string) =>
    'It can’t be charged again later, so your present card stays. The ' +
    `${amount} of the check are on their way back to you.`,
  cardLate: (amount: string) =>
    'Your subscription has ended, or you have chosen another card since. The ' +
    `${amount} of the check are on their way back to you.`,
  cardDeclined: 'Your card was not changed',
  cardDeclinedText: 'Your present card stays.',

  cancelTitle: 'Cancel your subscription?',
  cancelWhen: 'When should it end?',
  cancelAtEnd: (day: string) => `On ${day}, at the end of the time that you have paid for`,
  cancelNow: 'Now',
  cancelNowText: 'It ends now, and you will not be charged again.',
  cancelText: 'Nothing is refunded.',
  cancelCharging: 'A payment is under way. It may still be completed.',
  cancelConfirm: 'Cancel subscription',
  keep: 'Keep my subscription',
  cancelBusy: 'A payment has just been started. Nothing has changed yet. Try again in a moment.',
}
