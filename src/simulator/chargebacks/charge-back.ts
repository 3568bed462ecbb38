// The cardholder disputes a charge, and the bank decides. The wallet can go below zero, as at the
// real provider.
import { addMilliseconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { Charge } from '../charges/charge.ts'
import { noteEvent, recordEffect } from '../charges/report-charge.ts'
import { debitCharge } from '../charges/reverse-charge.ts'
import type { SimulatorContext } from '../context.ts'
import { insertOrUpdateWallet } from '../wallets/wallet-store.ts'
import { queueWebhook } from '../webhooks/queue-webhook.ts'
import type { World } from '../world.ts'
import { type Chargeback, presentChargeback } from './chargeback.ts'
import { insertChargeback, lockOpenChargeback, updateChargebackStatus } from './chargeback-store.ts'

// A merchant has five days to contest a chargeback.
const answerMs = 5 * 24 * 60 * 60 * 1000

// The whole amount is taken from the merchant; the fee and the shares are not returned.
export async function chargeBack(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
): Promise<void> {
  if (charge.status !== 'successful') return
  const now = context.clock.now()
  await debitCharge(tx, world, charge, charge.amount)
  await recordEffect(tx, context, world, charge, 'chargeback', charge.amount)
  await noteEvent(tx, context, world, charge, 'Chargeback initiated', 'chargeback')
  const opened: Omit<Chargeback, 'id'> = {
    chargeId: charge.id,
    amount: charge.amount,
    status: 'initiated',
    stage: 'new',
    comment: 'The cardholder does not recognise the payment',
    dueAt: addMilliseconds(now, answerMs),
    createdAt: now,
  }
  const id = await insertChargeback(tx, world.tenant, opened)
  const data = presentChargeback({ ...opened, id }, charge)
  await queueWebhook(tx, context, world, {
    event: 'chargeback.initiated',
    reference: charge.txRef,
    amount: charge.amount,
    body: { event: 'chargeback.initiated', data },
    contradiction: { event: 'chargeback.initiated', data: { ...data, status: 'won' } },
  })
}

// The merchant declines it in the provider's dashboard, with evidence.
export async function contestChargeback(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
): Promise<void> {
  const chargeback = await lockOpenChargeback(tx, world.tenant, charge.id)
  if (!chargeback) return
  await updateChargebackStatus(tx, world.tenant, chargeback.id, 'declined')
  await noteEvent(tx, context, world, charge, 'Chargeback declined', 'chargeback')
}

// The bank decides. No webhook is documented for this, so none is sent; callers must poll.
export async function decideChargeback(
  tx: Tx,
  context: SimulatorContext,
  world: World,
  charge: Charge,
  status: 'won' | 'lost',
): Promise<void> {
  const chargeback = await lockOpenChargeback(tx, world.tenant, charge.id)
  if (!chargeback) return
  await updateChargebackStatus(tx, world.tenant, chargeback.id, status)
  await noteEvent(tx, context, world, charge, `Chargeback ${status}`, 'chargeback')
  if (status === 'lost') return
  const { currency } = charge
  const { amount } = chargeback
  await insertOrUpdateWallet(tx, world.tenant, { currency, ledger: amount, available: amount })
  await recordEffect(tx, context, world, charge, 'chargeback_return', amount)
}
