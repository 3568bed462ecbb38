// A person records incoming or outgoing money: a customer's payment, a payment to a supplier, or a
// reimbursed expense claim. It can settle several documents; the rest stays as the contact's
// credit.

import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  approverRoles,
  requirePermission,
  writerRoles,
} from '../../kernel/operations/permission.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { isCredit } from '../documents/document-status.ts'
import { amountWords, minorOf } from '../input/amount-input.ts'
import { requireNotFuture } from '../journal/date-limits.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { Payment } from './payment.ts'
import { paymentInput } from './payment-input.ts'
import { findPayment } from './payment-store.ts'
import { postPayment, type WantedUse } from './post-payment.ts'
import { requireMoney } from './require-money.ts'
import { lockItems } from './settle-items.ts'

export const recordPayment = defineOperation({
  name: 'record-payment',
  summary: 'Record money that came in or went out',
  kind: 'write',
  input: paymentInput,
  scopes: [],
  roles: writerRoles,
  idempotency: {
    name: 'record-payment',
    isBodyBound: true,
    replay: async ({ database }, actor, id) =>
      assertDefined(await findPayment(database.sql, actor, id), 'a booked payment vanished'),
  },
  async run(context, actor, input): Promise<Payment> {
    const payment = await context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      return addPayment(tx, context, actor, id, input)
    })
    context.failpoint('settlement.recorded')
    return payment
  },
})

// Also for imports. The input has passed `paymentInput`.
export async function addPayment(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  wanted: z.output<typeof paymentInput>,
): Promise<Payment> {
  const { direction, contactId, date, currency, confirmsOldDate } = wanted
  requireNotFuture(await findOrganisation(tx, actor), context.clock.now(), date)
  const amountMinor = minorOf('amount', wanted.amount, currency)
  const allocations = usesOf(wanted, amountMinor)
  await requireOwed(tx, actor, allocations)
  const money = await requireMoney(tx, actor, { ...wanted, amountMinor })
  const payment = await postPayment(tx, { ...context, confirmsOldDate }, actor, {
    id,
    direction,
    method: 'cash',
    contactId,
    date,
    currency,
    amountMinor,
    ...money,
    feeMinor: 0n,
    reference: wanted.reference || null,
    externalId: null,
    allocations,
  })
  await recordAct(tx, context, actor, {
    action: 'payment.record',
    objectKind: 'payment',
    objectId: payment.id,
    detail: { direction, amount: wanted.amount, currency, date },
  })
  return payment
}

// Allocating to a credit or another payment refunds it, so this needs the permission of
// `refund-credit`.
async function requireOwed(tx: Tx, actor: Actor, uses: readonly WantedUse[]): Promise<void> {
  if (actor.kind !== 'person' || approverRoles.includes(actor.role)) return
  const { documents, items } = await lockItems(
    tx,
    actor,
    uses.map(({ itemId }) => itemId),
  )
  const isPaidBack = [...items.keys()].some((id) => {
    const document = documents.get(id)
    return !document || isCredit(document.kind)
  })
  if (isPaidBack) requirePermission({ scopes: [], roles: approverRoles }, actor)
}

function usesOf(
  { allocations, currency }: z.output<typeof paymentInput>,
  amountMinor: bigint,
): WantedUse[] {
  const uses = allocations.map(({ itemId, amount }) => ({
    itemId,
    amountMinor: minorOf('allocations', amount, currency),
  }))
  if (new Set(uses.map(({ itemId }) => itemId)).size < uses.length) {
    throw invalidField('allocations', 'Name each document once.')
  }
  const usedMinor = uses.reduce((sum, use) => sum + use.amountMinor, 0n)
  if (usedMinor > amountMinor) {
    const used = amountWords(usedMinor, currency)
    throw invalidField('allocations', `${used} is more than the payment.`)
  }
  return uses
}
