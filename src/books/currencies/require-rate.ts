// The rate that something in a currency is booked at: the one that a person states, or that of the
// day.
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
    const missing = `No rate from ${currency} to ${baseCurrency} is known for ${date}.`
    throw new Fault('conflict', `${missing} Set one with set-exchange-rate, or state it here.`)
  }
  return rate
}

// What is wrong with a rate that a person states, as decimal text.
export function statedRateProblem(
  rate: string | undefined,
  currency: string,
  baseCurrency: string,
): string | undefined {
  if (rate === undefined || rate === '1' || currency !== baseCurrency) return undefined
  return `${baseCurrency} is the base currency; its rate is 1.`
}
