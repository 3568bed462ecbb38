// What links and QR codes have in common.
import { z } from 'zod'
import { describedAs, line, uuid } from '../../kernel/operations/schemas.ts'
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

export const reference = line(200).optional().meta({
  description: 'Your name for it, such as an order number. Its payments show it.',
  example: 'order-1001',
})

export type Metadata = Readonly<Record<string, string>>

const keysMax = 20
const valueMax = 500
const keyPattern = /^[A-Za-z][\w.-]{0,39}$/

// Text only, so that it comes back exactly as it was sent.
export const metadata = describedAs(
  z
    .unknown()
    .refine(hasNoPrototype, { error: 'Has a key that is not allowed.' })
    .pipe(
      z
        .record(
          z.string().regex(keyPattern, {
            error: 'A key has 1 to 40 letters, digits, dots, dashes and underscores.',
          }),
          z
            .string({ error: 'Values are strings.' })
            .refine((value) => value.isWellFormed() && !value.includes('\0'), {
              error: 'Must not contain control characters.',
            })
            .refine((value) => [...value].length <= valueMax, {
              error: `At most ${valueMax} characters.`,
            }),
        )
        .refine((value) => Object.keys(value).length <= keysMax, {
          error: `At most ${keysMax} keys.`,
        }),
    ),
  {
    type: 'object',
    maxProperties: keysMax,
    additionalProperties: { type: 'string', maxLength: valueMax },
    example: { order_id: '1001' },
  },
)
  .optional()
  .meta({
    description: `Up to ${keysMax} private notes. Payments show them; payers never see them.`,
  })

// Zod would leave this key out and say nothing.
function hasNoPrototype(value: unknown): boolean {
  return typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')
}

export const metadataSchema = describedAs(z.record(z.string(), z.string()), {
  type: 'object',
  additionalProperties: { type: 'string' },
  example: { order_id: '1001' },
})

export type OfferFilter = {
  readonly limit: number
  readonly startingAfter?: string | undefined
  readonly reference?: string | undefined
  // Part of its title, description or reference.
  readonly search?: string | undefined
}

// The body of a PATCH.
export const disabled = z.boolean().meta({
  description: 'Whether it can no longer be paid. Payments that have begun can still complete.',
  example: true,
})
