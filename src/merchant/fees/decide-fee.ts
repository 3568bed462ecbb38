import type { Tx } from '../../kernel/db/database.ts'
import { defaultFeeSchedule, feeOf } from './fee-schedule.ts'
import { findFeeSchedule } from './fee-store.ts'

// The fee that a payment will have. It is fixed when the payment begins, as a recipient's share is:
// were the schedule raised before the payer has paid, both together might be more than the amount.
export async function decideFee(
  tx: Tx,
  businessId: string,
  { currency, amountMinor }: { readonly currency: string; readonly amountMinor: bigint },
): Promise<bigint> {
  const schedule = await findFeeSchedule(tx, businessId, currency)
  return feeOf(schedule ?? defaultFeeSchedule, amountMinor)
}
