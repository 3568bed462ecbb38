import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { Customer } from './customer.ts'
import { type CustomerSum, listCustomerSums, listLastPayments } from './customer-store.ts'

// The customers with these addresses, in their order. Addresses without a payment are left out.
export async function readCustomers(
  sql: Sql,
  tenant: Tenant,
  keys: readonly string[],
): Promise<Customer[]> {
  const sums = Map.groupBy(await listCustomerSums(sql, tenant, keys), ({ key }) => key)
  const newest = [...sums.values()].map(newestPaymentId)
  const payments = await listLastPayments(sql, tenant, newest)
  return keys.flatMap((key) => {
    const own = sums.get(key)
    if (!own) return []
    const last = assertDefined(
      payments.find(({ id }) => id === newestPaymentId(own)),
      'a customer without a payment',
    )
    return [
      {
        key,
        email: last.payerEmail,
        name: last.payerName,
        lastPaymentId: last.id,
        lastPaymentAt: last.createdAt,
        totals: own.map(({ currency, count, paidMinor }) => ({ currency, count, paidMinor })),
      },
    ]
  })
}

// Ids sort by time.
function newestPaymentId(sums: readonly CustomerSum[]): string {
  const ids = sums.map(({ lastPaymentId }) => lastPaymentId).toSorted()
  return assertDefined(ids.at(-1), 'a customer without sums')
}
