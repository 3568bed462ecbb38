import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { findPayment } from '../payments/payment-store.ts'
import type { Refund } from './refund.ts'
import { listRefundsOfPayment } from './refund-store.ts'
import { presentRefund, refundSchema } from './shown-refund.ts'

export const listPaymentRefunds = defineOperation({
  name: 'list-payment-refunds',
  summary: 'List the refunds of a payment',
  kind: 'read',
  input: z.strictObject({ paymentId: uuid() }),
  scopes: ['payments:read'],
  roles: everyRole,
  async run({ database: { sql } }, actor, { paymentId }): Promise<Refund[]> {
    if (!(await findPayment(sql, actor, paymentId))) throw notFound('payment')
    return listRefundsOfPayment(sql, actor, paymentId)
  },
})

export const listPaymentRefundsRoute = defineRoute({
  operation: listPaymentRefunds,
  method: 'GET',
  path: '/payments/:id/refunds',
  operationId: 'listPaymentRefunds',
  tag: 'Payments',
  description: 'Oldest first, also those that failed.',
  params: z.object({ id: uuid() }),
  responses: {
    200: { description: 'The refunds.', schema: z.object({ data: z.array(refundSchema) }) },
  },
  faults: ['not_found'],
  input: ({ params }) => ({ paymentId: params.id }),
  answer: (refunds) => ok({ data: refunds.map(presentRefund) }),
})
