// Records of a payout besides its postings.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
import type { TransferFact } from '../provider/provider.ts'
import type { Payout } from './payout.ts'

// In the audit log.
export async function recordPayoutAct(
  tx: Tx,
  context: Context,
  actor: Actor,
  { id, currency, amountMinor }: Payout,
  action: string,
): Promise<void> {
  const detail = { currency, amountMinor: amountMinor.toString() }
  await recordAct(tx, context, actor, { action, objectKind: 'payout', objectId: id, detail })
}

// The provider's result does not agree with the payout, so a person must look at it.
export async function recordPayoutDiscrepancy(
  tx: Tx,
  context: Context,
  actor: Actor,
  { id, status, amountMinor, currency }: Payout,
  fact: TransferFact,
  cause: string,
): Promise<void> {
  await recordDiscrepancy(tx, context, actor, {
    id: context.ids.uuid(),
    cause,
    objectKind: 'payout',
    objectId: id,
    detail: {
      status,
      amountMinor: amountMinor.toString(),
      currency,
      transferId: fact.transferId,
      transferStatus: fact.status,
      transferAmount: toText(fact.amount),
      transferCurrency: fact.currency,
      failureReason: fact.failureReason,
    },
    createdAt: context.clock.now(),
  })
}
