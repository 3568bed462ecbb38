import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { describedAs, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute } from '../context.ts'
import { paymentSchema, paymentStatuses, presentPayment } from './payment.ts'
import { findPayment, listPayments as listStoredPayments } from './payment-store.ts'

const limitMax = 100
const limitDefault = 20

const limit = describedAs(
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

export const listPayments = defineHandledRoute({
  method: 'GET',
  path: '/payments',
  operationId: 'listPayments',
  tag: 'Payments',
  summary: 'List payments, newest first',
  description:
    'Pass `next_cursor` as `starting_after` to read on. `has_more` is true when the page was ' +
    'full, so a full last page is followed by an empty one. Stop when `data` is empty or ' +
    '`next_cursor` is null.',
  scopes: ['payments:read'],
  query: z.object({
    limit,
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
  async handle({ database: { sql } }, { actor, query }) {
    const { limit: pageSize = limitDefault, status, starting_after: startingAfter } = query
    if (startingAfter && !(await findPayment(sql, actor, startingAfter))) {
      throw invalidField('starting_after', 'Must be the id of a payment.')
    }
    const payments = await listStoredPayments(sql, actor, {
      limit: pageSize,
      status,
      startingAfter,
    })
    const hasMore = payments.length === pageSize
    return ok({
      data: payments.map(presentPayment),
      has_more: hasMore,
      next_cursor: hasMore ? (payments.at(-1)?.id ?? null) : null,
    })
  },
})
