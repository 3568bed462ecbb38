// What payers read about items of a link and the fields that it asks for, in English.
export const englishOrders = {
  order: {
    items: 'What you buy',
    total: 'Total',
    each: (price: string) => `${price} each`,
    left: (count: number) => (count === 1 ? 'only one left' : `only ${count} left`),
    soldOut: 'sold out',
    newTotal: (total: string) =>
      `The total is ${total}. Nothing was charged. Check it and press Pay again.`,
    short: 'There is not enough left for your order. Nothing was charged.',
    quantity: (least: number, most: number) => `Enter a number from ${least} to ${most}.`,
    tooMany: (left: number) =>
      left === 0 ? 'None is left.' : `Only ${left} left: enter ${left} at most.`,
    nothingChosen: 'Choose at least one.',
    atMost: (amount: string) => `One payment can be ${amount} at most.`,
  },
  answers: {
    name: 'Name',
    phone: 'Phone',
    address: 'Address',
    note: 'Note',
    optional: (label: string) => `${label} (optional)`,
    missing: {
      name: 'Enter your name.',
      phone: 'Enter your phone number.',
      address: 'Enter your address.',
      note: 'Write a note.',
    },
    noPhone: 'Enter a phone number, such as +44 20 7946 0958.',
    tooLong: (max: number) => `At most ${max} characters.`,
    notPrintable: 'Remove characters that can’t be printed.',
  },
}
