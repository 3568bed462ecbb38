import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { payoutSchema, presentPayout } from './payout.ts'
import { listPayouts as listStoredPayouts } from './payout-store.ts'

const shownMax = 50

export const listPayouts = defineOperation({
  name: 'list-payouts',
  summary: `List the ${shownMax} most recent payouts`,
  kind: 'read',
  input: z.strictObject({}),
  scopes: ['payouts:read'],
  roles: everyRole,
  run: ({ database }, actor) => listStoredPayouts(database.sql, actor, shownMax),
})

export const listPayoutsRoute = defineRoute({
  operation: listPayouts,
  method: 'GET',
  path: '/payouts',
  operationId: 'listPayouts',
  tag: 'Payouts',
  description: 'Newest first. A sandbox key sees none: the sandbox has no payouts.',
  responses: {
    200: {
      description: 'The most recent payouts.',
      schema: z.object({ data: z.array(payoutSchema) }),
    },
  },
  input: () => ({}),
  answer: (payouts) => ok({ data: payouts.map(presentPayout) }),
})
