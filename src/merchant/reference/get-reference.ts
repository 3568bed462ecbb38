// The vocabulary of the interface: all status values and event types.
import { z } from 'zod'
import { definePublicRoute, ok } from '../../kernel/http/route.ts'
import { paymentStatuses } from '../payments/payment.ts'
import { payoutStatuses } from '../payouts/payout.ts'
import { merchantEventTypes } from '../webhooks/event-contracts.ts'

export const getReference = definePublicRoute({
  path: '/reference',
  operationId: 'getReference',
  tag: 'Reference',
  summary: 'Read the status values and event types',
  responses: {
    200: {
      description: 'The status values and the webhook event types currently sent.',
      schema: z.object({
        payment_statuses: z.array(z.enum(paymentStatuses)),
        payout_statuses: z.array(z.enum(payoutStatuses)),
        webhook_events: z.array(z.enum(merchantEventTypes)),
      }),
    },
  },
  handle: () =>
    ok({
      payment_statuses: paymentStatuses,
      payout_statuses: payoutStatuses,
      webhook_events: merchantEventTypes,
    }),
})
