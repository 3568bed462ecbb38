// Everything that is known about one payment, for the people of the business: its refunds, who did
// what to it, what was booked, and which events went where.
import { z } from 'zod'
import { listActsOfObjects } from '../../kernel/auth/logged-act-store.ts'
import { type NamedAct, nameActors } from '../../kernel/auth/name-actors.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { type BookedLine, listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import {
  listDeliveriesOfEvents,
  listEventsOfObject,
  type SentDelivery,
  type SentEvent,
} from '../../kernel/webhooks/sent-event-store.ts'
import type { Chargeback } from '../chargebacks/chargeback.ts'
import { listChargebacksOfPayment } from '../chargebacks/chargeback-store.ts'
import { defineOperation } from '../context.ts'
import type { OrderLine } from '../payment-links/payment-link-item.ts'
import type { Refund } from '../refunds/refund.ts'
import { listRefundsOfPayment } from '../refunds/refund-store.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './payment-store.ts'
import { type TimelineStep, timelineOf } from './payment-timeline.ts'
import { type PaymentRecord, readPaymentItems, readPaymentRecord } from './read-payment-records.ts'
import { listUnmatchedChargesOfPayment } from './unmatched-charge-store.ts'

export type PaymentStory = {
  readonly payment: Payment
  // As the interface shows it.
  readonly record: PaymentRecord
  // What it was for, if its link has items.
  readonly items: readonly OrderLine[]
  readonly refunds: readonly Refund[]
  readonly chargebacks: readonly Chargeback[]
  readonly steps: readonly TimelineStep[]
  readonly acts: readonly NamedAct[]
  // The ledger entries of the payment, its refunds and its disputes.
  readonly lines: readonly BookedLine[]
  readonly events: readonly (SentEvent & { readonly deliveries: readonly SentDelivery[] })[]
}

export const getPaymentStory = defineOperation({
  name: 'get-payment-story',
  summary: 'Read everything that happened to a payment',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<PaymentStory> {
    const payment = await findPayment(sql, actor, id)
    if (!payment) throw notFound('payment')
    const refunds = await listRefundsOfPayment(sql, actor, id)
    const chargebacks = await listChargebacksOfPayment(sql, actor, id)
    const ids = [id, ...[...refunds, ...chargebacks].map((one) => one.id)]
    const [acts, lines, events, unmatchedCharges] = await Promise.all([
      listActsOfObjects(sql, actor, ids),
      Promise.all(ids.map((sourceId) => listLinesOfSource(sql, actor, sourceId))),
      listEventsOfObject(sql, actor, id),
      listUnmatchedChargesOfPayment(sql, actor, id),
    ])
    const eventIds = events.map((event) => event.id)
    const deliveries = await listDeliveriesOfEvents(sql, actor, eventIds)
    return {
      payment,
      record: await readPaymentRecord(sql, actor, payment),
      items: (await readPaymentItems(sql, actor, [payment])).get(id) ?? [],
      refunds,
      chargebacks,
      steps: timelineOf({ payment, refunds, unmatchedCharges, chargebacks }),
      acts: await nameActors(sql, actor, acts),
      lines: lines.flat(),
      events: events.map((event) => ({
        ...event,
        deliveries: deliveries.filter(({ eventId }) => eventId === event.id),
      })),
    }
  },
})
