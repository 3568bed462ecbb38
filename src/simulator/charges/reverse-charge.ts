// The issuer reverses a charge. The wallet can go below zero, as at the real provider.
import type { Tx } from '../../kernel/db/database.ts'
import { type Decimal, negate } from '../../kernel/money/decimal.ts'
import type { SimulatorContext } from '../context.ts'
import { insertOrUpdateWallet } from '../wallets/wallet-store.ts'
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
  await debitCharge(tx, world, charge, charge.amountSettled)
  await recordEffect(tx, context, world, reversed, 'charge_reversal', charge.amount)
  await noteEvent(tx, context, world, reversed, 'Payment reversed by the issuer', 'reversal')
  await queueChargeWebhook(tx, context, world, reversed)
}

// Debits the available balance only if the charge had settled.
export async function debitCharge(tx: Tx, { tenant }: World, charge: Charge, amount: Decimal) {
  const { currency } = charge
  const ledger = negate(amount)
  const movement = charge.settledAt ? { currency, ledger, available: ledger } : { currency, ledger }
  await insertOrUpdateWallet(tx, tenant, movement)
}
