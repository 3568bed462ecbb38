import type { Tx } from '../../kernel/db/database.ts'
import { defaultFeeSchedule, feeOf } from './fee-schedule.ts'
import { findFeeSchedule } from './fee-store.ts'

// The fee of a payment, fixed when the payment starts, like a recipient's share: if the schedule
// rose before the payer paid, both together could exceed the amount.
export async function decideFee(
  tx: Tx,
  businessId: string,
  { currency, amountMinor }: { readonly currency: string; readonly amountMinor: bigint },
): Promise<bigint> {
  const schedule = await findFeeSchedule(tx, businessId, currency)
  return feeOf(schedule ?? defaultFeeSchedule, amountMinor)
}
