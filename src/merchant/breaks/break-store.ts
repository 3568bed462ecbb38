import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'

export type NewBreak = {
  readonly id: string
  // What does not agree, for example `late_success`.
  readonly cause: string
  readonly objectKind: string
  readonly objectId: string
  // For a person to read; amounts as text.
  readonly detail: Readonly<Record<string, string | null>>
  readonly createdAt: Date
}

// The same fact seen again is the same break: false then.
export async function insertBreak(tx: Tx, tenant: Tenant, found: NewBreak): Promise<boolean> {
  const { businessId, environment } = tenant
  const rows = await tx`
    insert into merchant.breaks
      (business_id, environment, id, cause, object_kind, object_id, detail, created_at)
    values
      (${businessId}, ${environment}, ${found.id}, ${found.cause}, ${found.objectKind},
       ${found.objectId}, ${tx.json(found.detail)}, ${found.createdAt})
    on conflict (business_id, environment, cause, object_kind, object_id) do nothing
    returning id`
  return rows.length > 0
}

// False when it was resolved before, or there is none.
export async function updateBreakResolved(
  tx: Tx,
  tenant: Tenant,
  { cause, objectKind, objectId }: Pick<NewBreak, 'cause' | 'objectKind' | 'objectId'>,
  { resolution, resolvedAt }: { readonly resolution: string; readonly resolvedAt: Date },
): Promise<boolean> {
  const rows = await tx`
    update merchant.breaks
    set resolved_at = ${resolvedAt},
      resolution = ${resolution}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and cause = ${cause}
      and object_kind = ${objectKind}
      and object_id = ${objectId}
      and resolved_at is null
    returning id`
  return rows.length > 0
}
