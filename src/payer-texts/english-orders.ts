// What payers read about items of a link, in English.
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
}
