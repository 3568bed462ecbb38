// Assigns the next number of a series. Call it as late as possible, right before the entry is
// posted, because the counter stays locked until the transaction ends.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { formatNumber, type NumberedKind, numberPeriod } from './number-series.ts'
import { lockPattern, updateCounter } from './number-series-store.ts'

export type AssignedNumber = {
  readonly number: string
  readonly numberPeriod: string
  readonly numberPosition: bigint
}

export async function assignNumber(
  tx: Tx,
  tenant: Tenant,
  kind: NumberedKind,
  date: string,
): Promise<AssignedNumber> {
  const pattern = await lockPattern(tx, tenant, kind, 'share')
  const period = numberPeriod(pattern, date)
  const position = await updateCounter(tx, tenant, kind, period)
  return {
    number: formatNumber(pattern, date, position),
    numberPeriod: period,
    numberPosition: position,
  }
}
