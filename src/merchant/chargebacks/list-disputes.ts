import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type Page, pageInput, pageOf } from '../page.ts'
import { type Dispute, type DisputeTotal, disputeFilterInput } from './dispute.ts'
import {
  findDispute,
  findWaitingDisputes,
  listDisputeTotals,
  listDisputes as listStoredDisputes,
  type WaitingDisputes,
} from './dispute-store.ts'

export const listDisputes = defineOperation({
  name: 'list-disputes',
  summary: 'List disputed payments, newest first',
  kind: 'read',
  input: z.strictObject({ ...pageInput, ...disputeFilterInput }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, wanted): Promise<Page<Dispute>> {
    const { limit, startingAfter } = wanted
    if (startingAfter && !(await findDispute(sql, actor, startingAfter))) {
      throw invalidField('startingAfter', 'Must be the id of a dispute.')
    }
    return pageOf(await listStoredDisputes(sql, actor, { ...wanted, now: clock.now() }), limit)
  },
})

export type DisputeSums = {
  // Of what a filter finds.
  readonly totals: readonly DisputeTotal[]
  // Of all disputes that can still be answered.
  readonly waiting: WaitingDisputes
}

export const getDisputeTotals = defineOperation({
  name: 'get-dispute-totals',
  summary: 'Sum up disputed payments, and say how many need an answer until when',
  kind: 'read',
  input: z.strictObject(disputeFilterInput),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, wanted): Promise<DisputeSums> {
    const now = clock.now()
    const [totals, waiting] = await Promise.all([
      listDisputeTotals(sql, actor, { ...wanted, now }),
      findWaitingDisputes(sql, actor, now),
    ])
    return { totals, waiting }
  },
})
