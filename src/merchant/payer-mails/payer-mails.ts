// Which mails the payers of a business get.
import { z } from 'zod'

export const payerMailsSchema = z.strictObject({
  // After every payment that a payer has made.
  receipts: z.boolean(),
  // After every renewal that was charged to the saved card.
  renewals: z.boolean(),
  // When money is on its way back.
  refunds: z.boolean(),
  subscriptionStarts: z.boolean(),
  // With the address on which the card can be changed.
  failedRenewals: z.boolean(),
  subscriptionEnds: z.boolean(),
})

export type PayerMails = Readonly<z.infer<typeof payerMailsSchema>>

export type PayerMailKind =
  | 'receipt'
  | 'refund'
  | 'subscription_start'
  | 'failed_renewal'
  | 'subscription_end'

// What a mail tells, and to whom. It is told once.
export type PayerMailFact = {
  readonly kind: PayerMailKind
  // The payment, refund or subscription.
  readonly factId: string
  readonly recipient: string
}
