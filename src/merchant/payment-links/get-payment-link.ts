import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { type ItemisedLink, paymentLinkSchema, presentLink } from './payment-link.ts'
import { readPaymentLink } from './read-payment-links.ts'

export const getPaymentLink = defineOperation({
  name: 'get-payment-link',
  summary: 'Read one payment link',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: ['payment_links:write'],
  roles: everyRole,
  async run({ database }, actor, { id }): Promise<ItemisedLink> {
    const link = await readPaymentLink(database.sql, actor, id)
    if (!link) throw notFound('payment link')
    return link
  },
})

export const getPaymentLinkRoute = defineRoute({
  operation: getPaymentLink,
  method: 'GET',
  path: '/payment-links/:id',
  operationId: 'getPaymentLink',
  tag: 'Payment links',
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The payment link.', schema: paymentLinkSchema } },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: (link, { publicUrl, clock }, { actor }) =>
    ok(presentLink(link, actor, publicUrl, clock.now())),
})
