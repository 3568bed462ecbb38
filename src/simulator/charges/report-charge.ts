// Reports a change of a charge, in the transaction of the change: the webhook, the timeline, and
// the record of effects.
import type { Tx } from '../../kernel/db/database.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import type { SimulatorContext } from '../context.ts'
import { insertEffect } from '../effects/effect-store.ts'
import { queueWebhook } from '../webhooks/queue-webhook.ts'
import type { World } from '../world.ts'
import { type Charge, chargeWebhook } from './charge.ts'
import { insertChargeEvent } from './charge-event-store.ts'

export async function queueChargeWebhook(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
): Promise<void> {
  const status = charge.status === 'successful' ? 'failed' : 'successful'
  await queueWebhook(tx, context, world, {
    event: 'charge.completed',
    reference: charge.txRef,
    amount: charge.amount,
    body: chargeWebhook(charge, world.accountId),
    contradiction: chargeWebhook({ ...charge, status }, world.accountId),
  })
}

export async function noteEvent(
  tx: Tx,
  { clock }: SimulatorContext,
  { tenant }: World,
  { id }: Charge,
  note: string,
  action: string,
): Promise<void> {
  await insertChargeEvent(tx, tenant, id, { note, action, createdAt: clock.now() })
}

export async function recordEffect(
  tx: Tx,
  { clock }: SimulatorContext,
  { tenant }: World,
  charge: Charge,
  kind: 'charge' | 'charge_reversal' | 'chargeback' | 'chargeback_return',
  amount: Decimal,
): Promise<bigint> {
  return insertEffect(tx, tenant, {
    kind,
    reference: charge.txRef,
    subjectId: charge.id,
    amount,
    currency: charge.currency,
    createdAt: clock.now(),
  })
}
