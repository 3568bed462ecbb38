import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { paymentSchema } from './payment.ts'
import { findPayment } from './payment-store.ts'
import { readPaymentRecord } from './read-payment-records.ts'

export const getPayment = defineOperation({
  name: 'get-payment',
  summary: 'Read one payment',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: ['payments:read'],
  roles: everyRole,
  async run({ database }, actor, { id }) {
    const payment = await findPayment(database.sql, actor, id)
    if (!payment) throw notFound('payment')
    return payment
  },
})

export const getPaymentRoute = defineRoute({
  operation: getPayment,
  method: 'GET',
  path: '/payments/:id',
  operationId: 'getPayment',
  tag: 'Payments',
  description: 'The current state of a payment, regardless of which events have arrived.',
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The payment.', schema: paymentSchema } },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: async (payment, { database }, { actor }) =>
    ok(await readPaymentRecord(database.sql, actor, payment)),
})
