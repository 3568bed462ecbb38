// What the provider's list of refunds holds and nobody here knows. A person has to see to it: the
// books lack it, or a refund of ours was paid twice.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { insertBreak } from '../breaks/break-store.ts'
import type { RefundFact } from '../provider/provider.ts'
import type { Refund } from './refund.ts'

// refund_unclear: it may be the refund itself, which is therefore not sent.
// refund_repeated: it came after the send, beside the entry that is the refund.
// refund_missing_here: it was there before.
type StrangerCause = 'refund_unclear' | 'refund_repeated' | 'refund_missing_here'

export async function recordStrangers(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  { id: objectId, paymentId, currency, amountMinor, sends }: Refund,
  cause: StrangerCause,
  strangers: readonly RefundFact[],
): Promise<void> {
  if (strangers.length === 0) return
  const entries = strangers.map(
    ({ refundId, amount, status }) => `${refundId}: ${toText(amount)} ${status}`,
  )
  await insertBreak(tx, tenant, {
    id: context.ids.uuid(),
    cause,
    objectKind: 'refund',
    objectId,
    detail: {
      paymentId,
      currency,
      amountMinor: amountMinor.toString(),
      sends: sends.toString(),
      entries: entries.join(', '),
    },
    createdAt: context.clock.now(),
  })
}
