// Rows of the queue by tenant: a distributed database locks and changes rows of one business with a
// statement.
import type { Tenant } from '../basics/tenant.ts'

export type TenantInShard = Tenant & { readonly shard: number }

// In the order of their ids, so that two workers lock in the same order.
export function byTenant<T extends TenantInShard>(all: readonly T[]): [TenantInShard, T[]][] {
  const groups = Map.groupBy(all, ({ businessId, environment }) => `${businessId} ${environment}`)
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]) => (group[0] ? [[group[0], group] as [T, T[]]] : []))
}
