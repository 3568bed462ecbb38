import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { listChargebacksOfPayment } from '../chargebacks/chargeback-store.ts'
import { defineOperation } from '../context.ts'
import { listRefundsOfPayment } from '../refunds/refund-store.ts'
import { findPayment } from './payment-store.ts'
import { type TimelineStep, timelineOf } from './payment-timeline.ts'
import { listUnmatchedChargesOfPayment } from './unmatched-charge-store.ts'

export const getPaymentTimeline = defineOperation({
  name: 'get-payment-timeline',
  summary: 'Show what happened to a payment and its money',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: ['payments:read'],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<TimelineStep[]> {
    const payment = await findPayment(sql, actor, id)
    if (!payment) throw notFound('payment')
    return timelineOf({
      payment,
      unmatchedCharges: await listUnmatchedChargesOfPayment(sql, actor, id),
      refunds: await listRefundsOfPayment(sql, actor, id),
      chargebacks: await listChargebacksOfPayment(sql, actor, id),
    })
  },
})
