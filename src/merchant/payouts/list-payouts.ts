import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { type Payout, payoutSchema, presentPayout } from './payout.ts'
import { findPayout, listPayouts as listStoredPayouts } from './payout-store.ts'

const shownMax = 50

export const listPayouts = defineOperation({
  name: 'list-payouts',
  summary: `List the ${shownMax} most recent payouts`,
  kind: 'read',
  input: z.strictObject({ startingAfter: uuid().optional() }),
  scopes: ['payouts:read'],
  roles: everyRole,
  async run({ database: { sql } }, actor, { startingAfter }): Promise<Payout[]> {
    if (startingAfter && !(await findPayout(sql, actor, startingAfter))) {
      throw invalidField('starting_after', 'Must be the id of a payout.')
    }
    return listStoredPayouts(sql, actor, shownMax, startingAfter)
  },
})

export const listPayoutsRoute = defineRoute({
  operation: listPayouts,
  method: 'GET',
  path: '/payouts',
  operationId: 'listPayouts',
  tag: 'Payouts',
  description: 'Newest first. A sandbox key sees none: the sandbox has no payouts.',
  query: z.strictObject({
    starting_after: uuid()
      .optional()
      .meta({ description: 'The id of the last payout that was read, to read older ones.' }),
  }),
  responses: {
    200: {
      description: 'The most recent payouts.',
      schema: z.object({ data: z.array(payoutSchema) }),
    },
  },
  input: ({ query }) => ({ startingAfter: query.starting_after }),
  answer: (payouts) => ok({ data: payouts.map(presentPayout) }),
})
