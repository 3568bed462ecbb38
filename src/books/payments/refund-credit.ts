// Refunds a credit of a contact (a credit note, an overpayment) in money, or records a supplier's
// refund.

import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { isCredit } from '../documents/document-status.ts'
import { amountWords, minorOf } from '../input/amount-input.ts'
import { requireNotFuture } from '../journal/date-limits.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { Payment } from './payment.ts'
import { refundInput } from './payment-input.ts'
import { findPayment } from './payment-store.ts'
import { postPayment } from './post-payment.ts'
import { requireMoney } from './require-money.ts'
import { itemLabel, lockItems, requireItem, requireOpen, requireUsableOn } from './settle-items.ts'

export const refundCredit = defineOperation({
  name: 'refund-credit',
  summary: 'Refund a credit or an overpayment',
  kind: 'write',
  input: refundInput,
  scopes: [],
  roles: approverRoles,
  idempotency: {
    name: 'refund-credit',
    isBodyBound: true,
    replay: async ({ database }, actor, id) =>
      assertDefined(await findPayment(database.sql, actor, id), 'a booked payment vanished'),
  },
  async run(context, actor, input): Promise<Payment> {
    return context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      return refund(tx, context, actor, id, input)
    })
  },
})

async function refund(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  wanted: z.output<typeof refundInput>,
): Promise<Payment> {
  const { itemId, date, amount, confirmsOldDate } = wanted
  requireNotFuture(await findOrganisation(tx, actor), context.clock.now(), date)
  const locked = await lockItems(tx, actor, [itemId])
  const item = requireItem(locked, itemId)
  const document = locked.documents.get(itemId)
  if (document && !isCredit(document.kind)) {
    throw invalidField('itemId', `${itemLabel(locked, item)} is not a credit. Credit it first.`)
  }
  const openMinor = item.openMinor < 0n ? -item.openMinor : item.openMinor
  const amountMinor = amount === undefined ? openMinor : minorOf('amount', amount, item.currency)
  requireOpen(locked, item, amountMinor === 0n ? 1n : amountMinor)
  await requireUsableOn(tx, actor, locked, item, amountMinor, date)
  const { currency } = item
  const direction = item.amountMinor < 0n ? 'out' : 'in'
  const money = await requireMoney(tx, actor, { ...wanted, currency, amountMinor })
  const payment = await postPayment(tx, { ...context, confirmsOldDate }, actor, {
    id,
    direction,
    method: 'cash',
    contactId: item.contactId,
    date,
    currency,
    amountMinor,
    ...money,
    feeMinor: 0n,
    reference: wanted.reference || null,
    externalId: null,
    allocations: [{ itemId, amountMinor }],
  })
  await recordAct(tx, context, actor, {
    action: 'credit.refund',
    objectKind: 'payment',
    objectId: payment.id,
    detail: { itemId, direction, amount: amountWords(amountMinor, currency), date },
  })
  return payment
}
