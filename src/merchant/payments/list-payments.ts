import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { dayOrMoment } from '../../kernel/operations/day-or-moment.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { emailAddress, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import {
  limitDefault,
  type Page,
  pageDescription,
  pageInput,
  pageOf,
  pageQuery,
  pageSchema,
  presentPage,
} from '../page.ts'
import { type Payment, paymentSchema, paymentStatuses } from './payment.ts'
import { paymentFilterInput } from './payment-filter.ts'
import { findPayment, listPayments as listStoredPayments } from './payment-store.ts'
import { readPaymentRecords } from './read-payment-records.ts'
import { readPaymentSearch } from './read-payment-search.ts'

export const listPayments = defineOperation({
  name: 'list-merchant-payments',
  summary: 'List payments, newest first',
  kind: 'read',
  input: z.strictObject({
    ...pageInput,
    ...paymentFilterInput,
  }),
  scopes: ['payments:read'],
  roles: everyRole,
  async run({ database: { sql } }, actor, wanted): Promise<Page<Payment>> {
    const { limit, startingAfter } = wanted
    if (startingAfter && !(await findPayment(sql, actor, startingAfter))) {
      throw invalidField('starting_after', 'Must be the id of a payment.')
    }
    const found = await readPaymentSearch(sql, actor, wanted)
    return pageOf(await listStoredPayments(sql, actor, { ...wanted, ...found }), limit)
  },
})

export const listPaymentsRoute = defineRoute({
  operation: listPayments,
  method: 'GET',
  path: '/payments',
  operationId: 'listPayments',
  tag: 'Payments',
  description: pageDescription,
  query: z.strictObject({
    limit: pageQuery.limit,
    status: oneOf(paymentStatuses)
      .optional()
      .meta({ description: 'Only payments with this status.' }),
    starting_after: pageQuery.starting_after,
    payment_link_id: uuid().optional().meta({ description: 'Only payments of this link.' }),
    qr_code_id: uuid().optional().meta({ description: 'Only payments of this QR code.' }),
    email: emailAddress().optional().meta({ description: 'Only payments of this payer.' }),
    created_from: dayOrMoment('start')
      .optional()
      .meta({ description: 'Only payments since this day (in UTC) or moment.' }),
    created_to: dayOrMoment('end')
      .optional()
      .meta({ description: 'Only payments until this day (in UTC) or moment, which is included.' }),
  }),
  responses: { 200: { description: 'One page of payments.', schema: pageSchema(paymentSchema) } },
  input: ({ query }) => ({
    limit: query.limit ?? limitDefault,
    status: query.status,
    startingAfter: query.starting_after,
    paymentLinkId: query.payment_link_id,
    qrCodeId: query.qr_code_id,
    email: query.email,
    createdSince: query.created_from,
    createdBefore: query.created_to,
  }),
  answer: async (page, { database }, { actor }) =>
    ok(presentPage(await readPaymentRecords(database.sql, actor, page.items), page)),
})
