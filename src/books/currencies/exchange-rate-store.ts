import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type ExchangeRate = {
  readonly currency: string
  readonly date: string
  // Decimal text: the value of one unit of the currency in the base currency.
  readonly rate: string
}

// The newest rate on or before the day, as decimal text.
export async function findRate(
  sql: Sql | Tx,
  tenant: Tenant,
  currency: string,
  date: string,
): Promise<string | undefined> {
  const [row] = await sql<{ rate: string }[]>`
    select rate
    from books.exchange_rates
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency}
      and date <= ${date}
    order by date desc
    limit 1`
  return row?.rate
}

export type RateFilter = {
  readonly currency?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

// The newest first.
export async function listRates(
  sql: Sql | Tx,
  tenant: Tenant,
  { currency, from, to }: RateFilter,
  limit: number,
): Promise<ExchangeRate[]> {
  return sql<ExchangeRate[]>`
    select currency, date, rate
    from books.exchange_rates
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${currency ? sql`and currency = ${currency}` : sql``}
      ${from ? sql`and date >= ${from}` : sql``}
      ${to ? sql`and date <= ${to}` : sql``}
    order by date desc, currency
    limit ${limit}`
}

// A rate for the same day replaces the earlier one. Posted entries keep their rate.
export async function insertRate(
  tx: Tx,
  tenant: Tenant,
  rate: ExchangeRate & { readonly createdAt: Date },
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into books.exchange_rates ${tx({ businessId, environment, ...rate })}
    on conflict (business_id, environment, currency, date)
      do update set rate = excluded.rate, created_at = excluded.created_at`
}
