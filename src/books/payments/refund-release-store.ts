// How much a refund took from each document that its payment had paid.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'

export type Release = { readonly documentId: string; readonly amountMinor: bigint }

// A payment can be allocated to one document several times.
export async function insertReleases(
  tx: Tx,
  tenant: Tenant,
  refundId: string,
  releases: readonly Release[],
): Promise<void> {
  const { businessId, environment } = tenant
  for (const release of releases) {
    await tx`
      insert into books.refund_releases ${tx({ businessId, environment, refundId, ...release })}
      on conflict (business_id, environment, refund_id, document_id)
        do update set amount_minor = refund_releases.amount_minor + excluded.amount_minor`
  }
}

export async function listReleases(tx: Tx, tenant: Tenant, refundId: string): Promise<Release[]> {
  return tx<Release[]>`
    select document_id, amount_minor
    from books.refund_releases
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and refund_id = ${refundId}
    order by document_id`
}
