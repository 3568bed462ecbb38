import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { type Payout, payoutSchema, presentPayout } from './payout.ts'
import { findPayout } from './payout-store.ts'

export const getPayout = defineOperation({
  name: 'get-payout',
  summary: 'Read one payout',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: ['payouts:read'],
  roles: everyRole,
  async run({ database }, actor, { id }): Promise<Payout> {
    const payout = await findPayout(database.sql, actor, id)
    if (!payout) throw notFound('payout')
    return payout
  },
})

export const getPayoutRoute = defineRoute({
  operation: getPayout,
  method: 'GET',
  path: '/payouts/:id',
  operationId: 'getPayout',
  tag: 'Payouts',
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The payout.', schema: payoutSchema } },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: (payout) => ok(presentPayout(payout)),
})
