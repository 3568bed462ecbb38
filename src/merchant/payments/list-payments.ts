import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { describedAs, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { type Payment, paymentSchema, paymentStatuses, presentPayment } from './payment.ts'
import { findPayment, listPayments as listStoredPayments } from './payment-store.ts'

const limitMax = 100
const limitDefault = 20

export type PaymentPage = {
  readonly payments: readonly Payment[]
  // Where to read on; null on the last page.
  readonly nextCursor: string | null
}

export const listPayments = defineOperation({
  name: 'list-merchant-payments',
  summary: 'List payments, newest first',
  kind: 'read',
  input: z.strictObject({
    limit: z.int().min(1).max(limitMax).default(limitDefault),
    status: oneOf(paymentStatuses).optional(),
    startingAfter: uuid().optional(),
  }),
  scopes: ['payments:read'],
  roles: everyRole,
  async run({ database: { sql } }, actor, { limit, status, startingAfter }): Promise<PaymentPage> {
    if (startingAfter && !(await findPayment(sql, actor, startingAfter))) {
      throw invalidField('starting_after', 'Must be the id of a payment.')
    }
    const payments = await listStoredPayments(sql, actor, { limit, status, startingAfter })
    const isFull = payments.length === limit
    return { payments, nextCursor: isFull ? (payments.at(-1)?.id ?? null) : null }
  },
})

const limitText = describedAs(
  z
    .string()
    .regex(/^\d{1,3}$/, { error: `Must be a whole number from 1 to ${limitMax}.` })
    .transform((text) => Number.parseInt(text, 10))
    .refine((value) => value >= 1 && value <= limitMax, {
      error: `Must be a whole number from 1 to ${limitMax}.`,
    })
    .optional(),
  { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault },
)

export const listPaymentsRoute = defineRoute({
  operation: listPayments,
  method: 'GET',
  path: '/payments',
  operationId: 'listPayments',
  tag: 'Payments',
  description:
    'Pass `next_cursor` as `starting_after` to read on. `has_more` is true when the page was ' +
    'full, so a full last page is followed by an empty one. Stop when `data` is empty or ' +
    '`next_cursor` is null.',
  query: z.strictObject({
    limit: limitText,
    status: oneOf(paymentStatuses).optional().meta({ description: 'Only payments in this state.' }),
    starting_after: uuid()
      .optional()
      .meta({ description: 'The `next_cursor` of the page before.' }),
  }),
  responses: {
    200: {
      description: 'One page of payments.',
      schema: z.object({
        data: z.array(paymentSchema),
        has_more: z.boolean(),
        next_cursor: z.uuid().nullable(),
      }),
    },
  },
  input: ({ query: { limit = limitDefault, status, starting_after } }) => ({
    limit,
    status,
    startingAfter: starting_after,
  }),
  answer: ({ payments, nextCursor }) =>
    ok({
      data: payments.map(presentPayment),
      has_more: nextCursor !== null,
      next_cursor: nextCursor,
    }),
})
