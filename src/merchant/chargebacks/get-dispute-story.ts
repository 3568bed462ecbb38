// Everything that is known about one dispute: the payment, what was booked, who did what, and what
// people noted as evidence.
import { z } from 'zod'
import { listActsOfObjects } from '../../kernel/auth/logged-act-store.ts'
import { type NamedAct, nameActors } from '../../kernel/auth/name-actors.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { type BookedLine, listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findDiscrepancy } from '../discrepancies/discrepancy-store.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { type DisputePhase, phaseOf } from './chargeback.ts'
import type { Dispute, DisputeNote } from './dispute.ts'
import { findDispute, listDisputeNotes } from './dispute-store.ts'

export type DisputeStory = {
  readonly dispute: Dispute
  readonly phase: DisputePhase
  readonly payment: Payment
  readonly lines: readonly BookedLine[]
  // Oldest first.
  readonly acts: readonly NamedAct[]
  readonly notes: readonly DisputeNote[]
  // It was won, and the provider now says otherwise. Nothing is booked until a person has asked.
  readonly isTakenAgain: boolean
}

export const getDisputeStory = defineOperation({
  name: 'get-dispute-story',
  summary: 'Read everything that happened to a disputed payment',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, { id }): Promise<DisputeStory> {
    const dispute = await findDispute(sql, actor, id)
    if (!dispute) throw notFound('dispute')
    const takenAgain = { cause: 'chargeback_taken_again', objectKind: 'chargeback', objectId: id }
    const [payment, lines, acts, notes, again] = await Promise.all([
      findPayment(sql, actor, dispute.paymentId),
      listLinesOfSource(sql, actor, id),
      listActsOfObjects(sql, actor, [id]),
      listDisputeNotes(sql, actor, id),
      findDiscrepancy(sql, actor, takenAgain),
    ])
    return {
      dispute,
      phase: phaseOf(dispute, clock.now()),
      payment: assertDefined(payment, 'a dispute without its payment'),
      lines,
      acts: await nameActors(sql, actor, acts),
      notes,
      isTakenAgain: again !== undefined && again.resolvedAt === null,
    }
  },
})
