import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { defineHandledRoute } from '../context.ts'
import { payoutSchema, presentPayout } from './payout.ts'
import { listPayouts as listStoredPayouts } from './payout-store.ts'

const shownMax = 50

export const listPayouts = defineHandledRoute({
  method: 'GET',
  path: '/payouts',
  operationId: 'listPayouts',
  tag: 'Payouts',
  summary: `List the ${shownMax} most recent payouts`,
  description: 'Newest first. A sandbox key sees none: the sandbox has no payouts.',
  scopes: ['payouts:read'],
  responses: {
    200: {
      description: 'The most recent payouts.',
      schema: z.object({ data: z.array(payoutSchema) }),
    },
  },
  async handle({ database }, { actor }) {
    const payouts = await listStoredPayouts(database.sql, actor, shownMax)
    return ok({ data: payouts.map(presentPayout) })
  },
})
