// Which mails the payers of a business get.
import { z } from 'zod'

export const payerMailsSchema = z.strictObject({
  // After every payment that has succeeded.
  receipts: z.boolean(),
  // When money is on its way back.
  refunds: z.boolean(),
})

export type PayerMails = Readonly<z.infer<typeof payerMailsSchema>>
