// What links and QR codes have in common when they are created.
import { uuid } from '../../kernel/operations/schemas.ts'
import { returnAddress } from '../../kernel/operations/web-address.ts'

export const returnUrl = returnAddress()
  .optional()
  .meta({
    description:
      'Where the payer is sent after checkout, with `payment_id` and `status` (`success` or ' +
      '`cancelled`) appended to the query: an http or https address, or the scheme of an app ' +
      '(`myapp://return`). Without it we show a confirmation page.',
  })

export const splitRecipientId = uuid()
  .optional()
  .meta({ description: 'Who receives the share of each charge. Needs `splits:assign`.' })
