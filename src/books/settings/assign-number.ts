// Assigns the next number of a series. Call it as late as possible, right before the entry is
// posted, because the counter stays locked until the transaction ends.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  formatNumber,
  importedPeriod,
  isOfPattern,
  type NumberedKind,
  numberPeriod,
} from './number-series.ts'
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

// The number that an imported document had before. Imported numbers are their own series, in which
// only the positions count. A number that fits the pattern is refused, because the pattern would
// assign it again.
export async function takeOwnNumber(
  tx: Tx,
  tenant: Tenant,
  kind: NumberedKind,
  number: string,
): Promise<AssignedNumber> {
  const pattern = await lockPattern(tx, tenant, kind, 'share')
  if (isOfPattern(pattern, number)) {
    throw new Fault(
      'conflict',
      `Number ${number} fits your own numbers (${pattern}), so a later document would get it ` +
        'again. Change the pattern of your numbers first.',
    )
  }
  const position = await updateCounter(tx, tenant, kind, importedPeriod)
  return { number, numberPeriod: importedPeriod, numberPosition: position }
}
