// A race with the payer's success is decided by the lock of the payment, once: whoever comes first
// wins. A success that the provider reports after a cancel is refunded (see `applyChargeFact`).
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalid, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute } from '../context.ts'
import { mayBecome, type Payment, paymentSchema, presentPayment } from './payment.ts'
import { lockPayment, updatePayment } from './payment-store.ts'
import { releaseCode } from './reserve-code.ts'

export const cancelPayment = defineHandledRoute({
  method: 'POST',
  path: '/payments/:id/cancel',
  operationId: 'cancelPayment',
  tag: 'Payments',
  summary: 'Cancel a pending payment',
  description: 'Repeating the call leaves the payment cancelled.',
  scopes: ['payments:cancel'],
  params: z.object({ id: uuid() }),
  body: z.strictObject({}),
  responses: { 200: { description: 'The cancelled payment.', schema: paymentSchema } },
  faults: ['not_found'],
  async handle(context, { actor, params }) {
    const payment = await context.database.transaction(async (tx) => {
      const voided = await voidPayment(tx, context, actor, params.id)
      context.failpoint('cancel.keeping')
      return voided
    })
    context.failpoint('cancel.kept')
    if (!payment) throw notFound('payment')
    if (payment.status !== 'cancelled') {
      throw invalid(`Only a pending payment can be cancelled; this one is ${payment.status}.`)
    }
    return ok(presentPayment(payment))
  },
})

// The payment as it is afterwards: cancelled, or what had happened to it before.
export async function voidPayment(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  actor: Actor,
  id: string,
): Promise<Payment | undefined> {
  const payment = await lockPayment(tx, actor, id)
  if (!payment || !mayBecome(payment.status, 'cancelled')) return payment
  const changes = { status: 'cancelled', updatedAt: context.clock.now() } as const
  await updatePayment(tx, actor, id, changes)
  await releaseCode(tx, actor, payment)
  await recordAct(tx, context, actor, {
    action: 'payment.cancel',
    objectKind: 'payment',
    objectId: id,
  })
  return { ...payment, ...changes }
}
