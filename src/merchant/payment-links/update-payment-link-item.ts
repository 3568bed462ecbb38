import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { toMinor } from '../../kernel/money/minor-units.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { limitedMajorAmount } from '../amount-limit.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { type ItemisedLink, paymentLinkSchema, presentLink } from './payment-link.ts'
import { itemStock, type LinkItem } from './payment-link-item.ts'
import { lockLinkItems, updateLinkItem } from './payment-link-item-store.ts'
import { findLink } from './payment-link-store.ts'

const changes = {
  amount: limitedMajorAmount().optional(),
  stock: itemStock().nullable().optional(),
}

export const updatePaymentLinkItem = defineOperation({
  name: 'update-payment-link-item',
  summary: 'Change the price or the stock of an item of a payment link',
  kind: 'write',
  input: z.strictObject({ id: uuid(), itemId: uuid(), ...changes }),
  scopes: ['payment_links:write'],
  roles: writerRoles,
  run: (context, actor, input): Promise<ItemisedLink> =>
    context.database.transaction(async (tx) => {
      const link = await findLink(tx, actor, input.id)
      if (!link) throw notFound('payment link')
      const items = await lockLinkItems(tx, actor, link.id)
      const item = items.find(({ id }) => id === input.itemId)
      if (!item) throw notFound('item')
      const changed = changedItem(link.currency, item, input)
      const { unitAmountMinor, stock } = changed
      if (unitAmountMinor === item.unitAmountMinor && stock === item.stock) {
        context.call.nothingChanged()
        return { ...link, items }
      }
      await updateLinkItem(tx, actor, item, { unitAmountMinor, stock })
      await recordAct(tx, context, actor, {
        action: 'payment_link.change_item',
        objectKind: 'payment_link',
        objectId: link.id,
        detail: { item: item.name, amountMinor: String(unitAmountMinor), stock },
      })
      return { ...link, items: items.map((one) => (one === item ? changed : one)) }
    }),
})

type Changes = { amount?: Decimal | undefined; stock?: number | null | undefined }

function changedItem(code: string, item: LinkItem, wanted: Changes): LinkItem {
  const { amount, stock = item.stock } = wanted
  const currency = currencyOf(code)
  const unitAmountMinor = amount === undefined ? item.unitAmountMinor : toMinor(amount, currency)
  if (typeof unitAmountMinor !== 'bigint') {
    throw invalidField('amount', `${code} has ${currency.decimals || 'no'} decimals.`)
  }
  const taken = item.sold + item.reserved
  if (stock !== null && stock < taken) {
    throw invalidField('stock', `At least ${taken}: so many are sold or being paid for.`)
  }
  return { ...item, unitAmountMinor, stock }
}

export const updatePaymentLinkItemRoute = defineRoute({
  operation: updatePaymentLinkItem,
  method: 'PATCH',
  path: '/payment-links/:id/items/:itemId',
  operationId: 'updatePaymentLinkItem',
  tag: 'Payment links',
  description:
    'What is left out stays as it is. Payments that have begun keep their price. The stock counts ' +
    'what is sold, so it can’t be less than that.',
  params: z.object({ id: uuid(), itemId: uuid() }),
  body: z.strictObject({
    amount: changes.amount.meta({ description: 'Of one.' }),
    stock: changes.stock.meta({ description: 'Null for no limit.' }),
  }),
  responses: { 200: { description: 'The payment link as it is now.', schema: paymentLinkSchema } },
  faults: ['not_found'],
  input: ({ params, body }) => ({
    id: params.id,
    itemId: params.itemId,
    amount: body.amount,
    stock: body.stock,
  }),
  answer: (link, { publicUrl, clock }, { actor }) =>
    ok(presentLink(link, actor, publicUrl, clock.now())),
})
