// Money that was taken goes back: the issuer reverses a charge, or the cardholder disputes it.
// Either may leave the wallet below zero, as it would at the provider.
import { addMilliseconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { type Decimal, negate } from '../../kernel/money/decimal.ts'
import type { SimulatorContext } from '../context.ts'
import { insertOrUpdateWallet } from '../wallets/wallet-store.ts'
import { queueWebhook } from '../webhooks/queue-webhook.ts'
import type { World } from '../world.ts'
import type { Charge } from './charge.ts'
import { updateCharge } from './charge-store.ts'
import { noteEvent, queueChargeWebhook, recordEffect } from './report-charge.ts'

export async function reverseCharge(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
): Promise<void> {
  if (charge.status !== 'successful') return
  const reversed: Charge = { ...charge, status: 'failed', processorResponse: 'Reversed by issuer' }
  await updateCharge(tx, world.tenant, reversed)
  await takeBack(tx, world, charge, charge.amountSettled)
  await recordEffect(tx, context, world, reversed, 'charge_reversal', charge.amount)
  await noteEvent(tx, context, world, reversed, 'Payment reversed by the issuer', 'reversal')
  await queueChargeWebhook(tx, context, world, reversed)
}

// The whole amount is taken from the merchant, who keeps neither the fee nor the shares.
export async function chargeBack(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
): Promise<void> {
  if (charge.status !== 'successful') return
  await takeBack(tx, world, charge, charge.amount)
  const id = await recordEffect(tx, context, world, charge, 'chargeback', charge.amount)
  await noteEvent(tx, context, world, charge, 'Chargeback initiated', 'chargeback')
  const now = context.clock.now()
  const data = {
    id,
    amount: charge.amount,
    currency: charge.currency,
    flw_ref: charge.flwRef,
    tx_ref: charge.txRef,
    tx_id: charge.id,
    status: 'initiated',
    stage: 'new',
    comment: 'The cardholder does not recognise the payment',
    due_date: addMilliseconds(now, chargebackAnswerMs).toISOString(),
    created_at: now.toISOString(),
  }
  await queueWebhook(tx, context, world, {
    event: 'chargeback.initiated',
    reference: charge.txRef,
    amount: charge.amount,
    body: { event: 'chargeback.initiated', data },
    contradiction: { event: 'chargeback.initiated', data: { ...data, status: 'won' } },
  })
}

// A merchant has five days to contest one.
const chargebackAnswerMs = 5 * 24 * 60 * 60 * 1000

async function takeBack(tx: Tx, { tenant }: World, charge: Charge, amount: Decimal) {
  const { currency } = charge
  const ledger = negate(amount)
  const movement = charge.settledAt ? { currency, ledger, available: ledger } : { currency, ledger }
  await insertOrUpdateWallet(tx, tenant, movement)
}
