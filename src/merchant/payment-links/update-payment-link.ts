import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { disabled } from '../checkout/offer-fields.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { type ItemisedLink, paymentLinkSchema, presentLink } from './payment-link.ts'
import { listLinkItems } from './payment-link-item-store.ts'
import { lockLink, updateLinkState } from './payment-link-store.ts'

export const updatePaymentLink = defineOperation({
  name: 'update-payment-link',
  summary: 'Disable a payment link, or enable it again',
  kind: 'write',
  input: z.strictObject({ id: uuid(), disabled }),
  scopes: ['payment_links:write'],
  roles: writerRoles,
  run: (context, actor, input): Promise<ItemisedLink> =>
    context.database.transaction(async (tx) => {
      const { id } = input
      const locked = await lockLink(tx, actor, id)
      if (!locked) throw notFound('payment link')
      const link = { ...locked, items: await listLinkItems(tx, actor, [id]) }
      const state = input.disabled ? 'disabled' : 'active'
      if (link.state === state) {
        context.call.nothingChanged()
        return link
      }
      await updateLinkState(tx, actor, id, state)
      await recordAct(tx, context, actor, {
        action: `payment_link.${input.disabled ? 'disable' : 'enable'}`,
        objectKind: 'payment_link',
        objectId: id,
      })
      return { ...link, state }
    }),
})

export const updatePaymentLinkRoute = defineRoute({
  operation: updatePaymentLink,
  method: 'PATCH',
  path: '/payment-links/:id',
  operationId: 'updatePaymentLink',
  tag: 'Payment links',
  params: z.object({ id: uuid() }),
  body: z.strictObject({ disabled }),
  responses: { 200: { description: 'The payment link as it is now.', schema: paymentLinkSchema } },
  faults: ['not_found'],
  input: ({ params, body }) => ({ ...body, id: params.id }),
  answer: (link, { publicUrl, clock }, { actor }) =>
    ok(presentLink(link, actor, publicUrl, clock.now())),
})
