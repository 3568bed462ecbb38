import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { searchText } from '../../kernel/operations/schemas.ts'
import { reference } from '../checkout/offer-fields.ts'
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
import { type ItemisedLink, paymentLinkSchema, presentLink } from './payment-link.ts'
import { findLink, listLinks as listStored } from './payment-link-store.ts'
import { withItems } from './read-payment-links.ts'

export const listPaymentLinks = defineOperation({
  name: 'list-payment-links',
  summary: 'List payment links, newest first',
  kind: 'read',
  input: z.strictObject({ ...pageInput, reference, search: searchText.optional() }),
  scopes: ['payment_links:write'],
  roles: everyRole,
  async run({ database: { sql } }, actor, wanted): Promise<Page<ItemisedLink>> {
    const { limit, startingAfter } = wanted
    if (startingAfter && !(await findLink(sql, actor, startingAfter))) {
      throw invalidField('starting_after', 'Must be the id of a payment link.')
    }
    return pageOf(await withItems(sql, actor, await listStored(sql, actor, wanted)), limit)
  },
})

export const listPaymentLinksRoute = defineRoute({
  operation: listPaymentLinks,
  method: 'GET',
  path: '/payment-links',
  operationId: 'listPaymentLinks',
  tag: 'Payment links',
  description: pageDescription,
  query: z.strictObject({
    ...pageQuery,
    reference: reference.meta({ description: 'Only those with this reference.' }),
  }),
  responses: {
    200: { description: 'One page of payment links.', schema: pageSchema(paymentLinkSchema) },
  },
  input: ({ query }) => ({
    limit: query.limit ?? limitDefault,
    startingAfter: query.starting_after,
    reference: query.reference,
  }),
  answer: (page, { publicUrl, clock }, { actor }) =>
    ok(
      presentPage(
        page.items.map((one) => presentLink(one, actor, publicUrl, clock.now())),
        page,
      ),
    ),
})
