// Settlement: the merchant's part of a charge becomes available and is listed in a settlement, one
// per currency and day.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { SimulatorContext } from '../context.ts'
import { providerReference } from '../envelope.ts'
import { findSettlementOfDay, insertSettlement } from '../settlements/settlement-store.ts'
import { insertOrUpdateWallet } from '../wallets/wallet-store.ts'
import type { World } from '../world.ts'
import type { Charge } from './charge.ts'
import { insertChargeEvent } from './charge-event-store.ts'
import { updateCharge } from './charge-store.ts'

export async function settleCharge(
  tx: Tx,
  context: SimulatorContext,
  { tenant }: World,
  charge: Charge,
  now: Date,
): Promise<Charge> {
  if (charge.status !== 'successful' || charge.settledAt) return charge
  const { currency, amountSettled } = charge
  const day = now.toISOString().slice(0, 10)
  if ((await findSettlementOfDay(tx, tenant, currency, day)) === undefined) {
    const disburseRef = providerReference(context.ids, 'FLW-SETTLE-')
    await insertSettlement(tx, tenant, { currency, dueDate: day, disburseRef, createdAt: now })
  }
  const settlementId = assertDefined(
    await findSettlementOfDay(tx, tenant, currency, day),
    'the settlement that was just made',
  )
  const settled: Charge = { ...charge, settlementId, settledAt: now }
  await updateCharge(tx, tenant, settled)
  await insertOrUpdateWallet(tx, tenant, { currency, available: amountSettled })
  await insertChargeEvent(tx, tenant, charge.id, {
    note: `Settled in settlement ${settlementId}`,
    action: 'settlement',
    createdAt: now,
  })
  return settled
}
