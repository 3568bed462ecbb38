// The rate that something in a currency is booked at, when it brings none itself.
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findRate } from './exchange-rate-store.ts'

export async function requireRate(
  sql: Sql | Tx,
  tenant: Tenant,
  baseCurrency: string,
  currency: string,
  date: string,
): Promise<string> {
  if (currency === baseCurrency) return '1'
  const rate = await findRate(sql, tenant, currency, date)
  if (rate === undefined) {
    const message = `No rate from ${currency} to ${baseCurrency} is known for ${date}. Set one.`
    throw new Fault('conflict', message)
  }
  return rate
}
