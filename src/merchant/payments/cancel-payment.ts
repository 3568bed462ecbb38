// A race with the payer's success is decided by the lock of the payment: the first one wins. A
// success that the provider reports after a cancel is refunded (see `applyChargeFact`).
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { brokenRule, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { mayBecome, type Payment, paymentSchema } from './payment.ts'
import { lockPayment, updatePayment } from './payment-store.ts'
import { readPaymentRecord } from './read-payment-records.ts'
import { releaseCode } from './reserve-code.ts'
import { releaseItems } from './reserve-items.ts'

export const cancelPayment = defineOperation({
  name: 'cancel-payment',
  summary: 'Cancel a pending payment',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: ['payments:cancel'],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Payment> {
    const cancelled = await context.database.transaction(async (tx) => {
      const payment = await lockPayment(tx, actor, id)
      if (!payment) throw notFound('payment')
      if (payment.status === 'cancelled') {
        context.call.nothingChanged()
        return payment
      }
      if (!mayBecome(payment.status, 'cancelled')) {
        throw brokenRule('Only a pending payment can be cancelled.')
      }
      const after = await cancelLocked(tx, context, actor, payment)
      context.failpoint('cancel.keeping')
      return after
    })
    context.failpoint('cancel.kept')
    return cancelled
  },
})

export const cancelPaymentRoute = defineRoute({
  operation: cancelPayment,
  method: 'POST',
  path: '/payments/:id/cancel',
  operationId: 'cancelPayment',
  tag: 'Payments',
  description: 'Repeating the call leaves the payment cancelled.',
  params: z.object({ id: uuid() }),
  body: z.strictObject({}),
  responses: { 200: { description: 'The cancelled payment.', schema: paymentSchema } },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: async (payment, { database }, { actor }) =>
    ok(await readPaymentRecord(database.sql, actor, payment)),
})

// Returns the payment afterwards: cancelled, or in the state it had reached before.
export async function voidPayment(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  actor: Actor,
  id: string,
): Promise<Payment | undefined> {
  const payment = await lockPayment(tx, actor, id)
  if (!payment || !mayBecome(payment.status, 'cancelled')) return payment
  return cancelLocked(tx, context, actor, payment)
}

async function cancelLocked(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  actor: Actor,
  payment: Payment,
): Promise<Payment> {
  const { id } = payment
  const changes = { status: 'cancelled', updatedAt: context.clock.now() } as const
  await updatePayment(tx, actor, id, changes)
  await releaseCode(tx, actor, payment)
  await releaseItems(tx, actor, payment)
  await recordAct(tx, context, actor, {
    action: 'payment.cancel',
    objectKind: 'payment',
    objectId: id,
  })
  return { ...payment, ...changes }
}
