import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/http/schemas.ts'
import { defineRoute } from '../context.ts'
import { paymentSchema, presentPayment } from './payment.ts'
import { findPayment } from './payment-store.ts'

export const getPayment = defineRoute({
  method: 'GET',
  path: '/payments/:id',
  operationId: 'getPayment',
  tag: 'Payments',
  summary: 'Read one payment',
  description: 'The source of truth about a payment, whatever events arrived.',
  scopes: ['payments:read'],
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The payment.', schema: paymentSchema } },
  faults: ['not_found'],
  async handle({ database }, { actor, params }) {
    const payment = await findPayment(database.sql, actor, params.id)
    if (!payment) throw notFound('payment')
    return ok(presentPayment(payment))
  },
})
