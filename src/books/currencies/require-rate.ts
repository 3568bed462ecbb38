// The exchange rate of a posting: the stated one, or that of the day.
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { minorOf } from '../input/amount-input.ts'
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
    const missing = missingRate(currency, baseCurrency, date)
    throw new Fault('conflict', `${missing} Or state the rate here.`)
  }
  return rate
}

// Read in the application, at the terminal and by programs, so it names the place and the command.
export function missingRate(currency: string, baseCurrency: string, date: string): string {
  return (
    `No rate from ${currency} to ${baseCurrency} is known for ${date}. ` +
    'Set one in Settings → Currencies and rates (command set-exchange-rate).'
  )
}

// The problem with a stated rate, as decimal text.
export function statedRateProblem(
  rate: string | undefined,
  currency: string,
  baseCurrency: string,
): string | undefined {
  if (rate === undefined || rate === '1' || currency !== baseCurrency) return undefined
  return `${baseCurrency} is the base currency; its rate is 1.`
}

// A stated value in the base currency must equal an amount that is already in the base currency.
export function requireOwnWorth(
  baseCurrency: string,
  amountMinor: bigint,
  { rate, baseAmount }: { rate?: string | undefined; baseAmount?: string | undefined },
): void {
  const problem = statedRateProblem(rate, baseCurrency, baseCurrency)
  if (problem) throw invalidField('rate', problem)
  if (baseAmount === undefined) return
  if (minorOf('baseAmount', baseAmount, baseCurrency) === amountMinor) return
  throw invalidField('baseAmount', `The amount is already in ${baseCurrency}, the base currency.`)
}
