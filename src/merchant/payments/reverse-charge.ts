// The provider reports that a charge it collected failed after all, and perhaps later that it has
// the money again. The payment keeps its status, because the merchant was told of it. The ledger
// follows the provider each time, and the discrepancy stays open while the two disagree.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { post } from '../../kernel/ledger/ledger.ts'
import { type BookedLine, listLinesOfSource } from '../../kernel/ledger/ledger-store.ts'
import {
  updateDiscrepancyReopened,
  updateDiscrepancyResolved,
} from '../discrepancies/discrepancy-store.ts'
import { isReversed, restoringPosting, reversalPosting } from './charge-posting.ts'
import type { FactStep } from './fact-step.ts'
import { recordChargeDiscrepancy } from './record-unmatched-charge.ts'

const cause = 'failure_after_success'

// False if nothing is posted under that id that could be reversed.
export async function reverseBooked(step: FactStep, sourceId: string): Promise<boolean> {
  const { tx, context, tenant } = step
  const booked = await listLinesOfSource(tx, tenant, sourceId)
  if (booked.length === 0 || isReversed(booked)) return false
  await post(tx, context, tenant, reversalPosting(sourceId, booked))
  if (!(await recordChargeDiscrepancy(step, cause)))
    await updateDiscrepancyReopened(tx, tenant, discrepancyOf(step))
  return true
}

// False if the posting was not reversed.
export async function restoreBooked(
  step: FactStep,
  sourceId: string,
  booked: readonly BookedLine[],
): Promise<boolean> {
  const { tx, context, tenant, payment, fact } = step
  if (!isReversed(booked)) return false
  await post(tx, context, tenant, restoringPosting(sourceId, booked))
  const resolution = 'the provider says again that it has the money'
  await updateDiscrepancyResolved(tx, tenant, discrepancyOf(step), {
    resolution,
    resolvedAt: context.clock.now(),
  })
  await recordAct(
    tx,
    context,
    { ...tenant, kind: 'system', name: 'payment provider' },
    {
      action: 'charge.restore',
      objectKind: 'payment',
      objectId: payment.id,
      detail: { transaction_id: fact.transactionId },
    },
  )
  return true
}

function discrepancyOf({ payment, fact: { transactionId } }: FactStep) {
  return { cause, objectKind: 'payment', objectId: payment.id, transactionId }
}
