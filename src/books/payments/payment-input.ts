// The input of payments.
import { z } from 'zod'
import { currencyCode, optionalLine, uuid } from '../../kernel/operations/schemas.ts'
import { amountText, rateText } from '../input/amount-input.ts'
import { bookDay, oldDate } from '../input/day-input.ts'

const allocationsMax = 200

// The value of a payment in the base currency: the rate, or the amount that the bank states; the
// default is the rate of its day.
const worth = {
  rate: rateText().optional(),
  baseAmount: amountText().optional(),
  // On an account in a third currency: what came in or left there.
  accountAmount: amountText().optional(),
  // That this amount is right, although it is far from the known rates.
  confirmsRate: z.boolean().optional(),
}

export const paymentInput = z.strictObject({
  direction: z.enum(['in', 'out']),
  contactId: uuid(),
  date: bookDay(),
  currency: currencyCode(),
  amount: amountText(),
  // The account that the money came into or left.
  accountId: uuid(),
  ...worth,
  reference: optionalLine(255).optional(),
  // Documents, or payments and credits on the other side.
  allocations: z
    .array(z.strictObject({ itemId: uuid(), amount: amountText() }))
    .max(allocationsMax, { error: `At most ${allocationsMax} documents.` })
    .default([]),
  ...oldDate,
})

export const refundInput = z.strictObject({
  // The credit note, supplier credit or payment that is refunded.
  itemId: uuid(),
  date: bookDay(),
  // The default is the whole open amount.
  amount: amountText().optional(),
  accountId: uuid(),
  ...worth,
  reference: optionalLine(255).optional(),
  ...oldDate,
})
