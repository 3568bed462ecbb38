// Details and owners of the dossier. Documents have their own store.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Details } from './details.ts'
import type { Owner } from './owner.ts'

export async function findDetails(sql: Sql | Tx, tenant: Tenant): Promise<Details | undefined> {
  const [row] = await sql<Details[]>`
    select legal_name, kind, registration_number, street, city, activity
    from merchant.verification_details
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row
}

export async function insertOrUpdateDetails(
  tx: Tx,
  tenant: Tenant,
  details: Details,
  updatedAt: Date,
): Promise<void> {
  const { businessId, environment } = tenant
  const values = { ...details, updatedAt }
  await tx`
    insert into merchant.verification_details ${tx({ businessId, environment, ...values })}
    on conflict (business_id, environment) do update
    set ${tx(values)}`
}

export type SealedOwner = Omit<Owner, 'bornOn'> & { readonly bornOnSealed: Buffer }

// Rows from before the dossier have only a name and are not part of one.
export async function listOwners(sql: Sql | Tx, tenant: Tenant): Promise<SealedOwner[]> {
  return sql<SealedOwner[]>`
    select id, name, share_basis_points, born_on_sealed
    from merchant.beneficial_owners
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and born_on_sealed is not null
    order by created_at, id`
}

export async function insertOwner(
  tx: Tx,
  tenant: Tenant,
  owner: SealedOwner & { createdAt: Date },
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.beneficial_owners ${tx({ businessId, environment, ...owner })}`
}

// A person whose name or date of birth changed must be verified again.
export async function updateOwner(
  tx: Tx,
  tenant: Tenant,
  { id, ...owner }: SealedOwner,
): Promise<void> {
  await tx`
    update merchant.beneficial_owners
    set ${tx({ ...owner, verifiedAt: null })}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function deleteOwner(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await tx`
    delete from merchant.beneficial_owners
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Null removes it, as after a rejection.
export async function updateOwnersVerified(
  tx: Tx,
  tenant: Tenant,
  verifiedAt: Date | null,
): Promise<void> {
  await tx`
    update merchant.beneficial_owners
    set verified_at = ${verifiedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and born_on_sealed is not null`
}

export async function findCounts(sql: Sql | Tx, tenant: Tenant): Promise<Counts> {
  const [row] = await sql<[Counts]>`
    select
      (select count(*)::int
       from merchant.verification_documents
       where business_id = ${tenant.businessId}
         and environment = ${tenant.environment}
         and submitted_at is not null
         and removed_at is null) as documents_submitted,
      (select count(*)::int
       from merchant.beneficial_owners
       where business_id = ${tenant.businessId}
         and environment = ${tenant.environment}
         and verified_at is not null) as beneficial_owners_verified`
  return row
}

type Counts = { readonly documentsSubmitted: number; readonly beneficialOwnersVerified: number }
