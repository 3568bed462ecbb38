import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type UsedCurrency = {
  readonly currency: string
  // The newest one up to the day, and its day; null while none is known.
  readonly rate: string | null
  readonly rateDate: string | null
  readonly openItems: number
}

// Foreign currencies with a rate, an open item, an account or a contact.
export async function listUsedCurrencies(
  sql: Sql | Tx,
  tenant: Tenant,
  baseCurrency: string,
  day: string,
): Promise<UsedCurrency[]> {
  return sql<UsedCurrency[]>`
    with open as (
      select currency, count(*)::int as items
      from books.open_items
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and open_minor <> 0
      group by currency
    ),
    used as (
      select currency
      from books.exchange_rates
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      union
      select currency
      from books.accounts
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      union
      select currency
      from books.contacts
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      union
      select currency
      from open
    )
    select
      used.currency, newest.rate, newest.date as rate_date, coalesce(open.items, 0) as open_items
    from used
    left join open
      on open.currency = used.currency
    left join lateral (
      select rate, date
      from books.exchange_rates
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and currency = used.currency
        and date <= ${day}
      order by date desc
      limit 1
    ) as newest on true
    where used.currency <> ${baseCurrency}
    order by used.currency`
}
