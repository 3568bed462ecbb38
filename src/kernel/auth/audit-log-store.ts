// The statements of the audit log. Rows are inserted unsealed; the only update seals them, and
// triggers refuse every other.
import type { Environment, Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { JsonValue } from '../db/database-values.ts'

export type NewAct = {
  readonly id: string
  readonly at: Date
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly objectKind: string
  readonly objectId: string
  readonly detail: JsonValue
}

// A row as it is hashed.
export type UnsealedAct = {
  readonly businessId: string
  readonly environment: Environment
  readonly id: string
  readonly atMicroseconds: bigint
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly objectKind: string
  readonly objectId: string
  readonly detailText: string
}

export type SealedAct = UnsealedAct & {
  readonly sequence: bigint
  readonly previousHash: Uint8Array
  readonly hash: Uint8Array
}

export type Chain = {
  readonly businessId: string
  readonly environment: Environment
  readonly sequence: bigint
  readonly hash: Uint8Array
}

export async function insertAct(tx: Tx, tenant: Tenant, act: NewAct): Promise<void> {
  await tx`
    insert into kernel.audit_log (
      business_id, environment, id, at, actor_kind, actor_id, action, object_kind, object_id, detail
    )
    values (
      ${tenant.businessId}, ${tenant.environment}, ${act.id}, ${act.at}, ${act.actorKind},
      ${act.actorId}, ${act.action}, ${act.objectKind}, ${act.objectId}, ${tx.json(act.detail)}
    )`
}

export async function listUnsealedTenants(sql: Sql, limit: number): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select distinct business_id, environment
    from kernel.audit_log
    where sequence is null
    limit ${limit}`
}

export async function insertChain(tx: Tx, tenant: Tenant, hash: Uint8Array): Promise<void> {
  await tx`
    insert into kernel.audit_chains (business_id, environment, sequence, hash)
    values (${tenant.businessId}, ${tenant.environment}, 0, ${hash})
    on conflict (business_id, environment) do nothing`
}

// The holder of this row is the only sealer of its tenant.
export async function lockChain(tx: Tx, tenant: Tenant): Promise<Chain | undefined> {
  const [row] = await tx<Chain[]>`
    select business_id, environment, sequence, hash
    from kernel.audit_chains
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    for update`
  return row
}

export async function listUnsealedActs(
  tx: Tx,
  tenant: Tenant,
  limit: number,
): Promise<UnsealedAct[]> {
  return tx<UnsealedAct[]>`
    select business_id, environment, id, (extract(epoch from at) * 1000000)::bigint
      as at_microseconds, actor_kind, actor_id, action, object_kind, object_id,
      detail::text as detail_text
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and sequence is null
    order by id
    limit ${limit}`
}

export type Seal = { readonly id: string; readonly sequence: bigint; readonly hash: Uint8Array }

// `previousHash` belongs to the first; each of the others follows the one before it.
export async function updateSealed(
  tx: Tx,
  tenant: Tenant,
  previousHash: Uint8Array,
  seals: readonly Seal[],
): Promise<number> {
  const ids = seals.map((seal) => seal.id)
  const sequences = seals.map((seal) => String(seal.sequence))
  const hashes = seals.map((seal) => hex(seal.hash))
  const previous = [hex(previousHash), ...hashes.slice(0, -1)]
  const result = await tx`
    update kernel.audit_log
    set sequence = seal.sequence,
      previous_hash = decode(seal.previous_hash, 'hex'),
      hash = decode(seal.hash, 'hex')
    from unnest(
      ${ids}::uuid[], ${sequences}::bigint[], ${previous}::text[], ${hashes}::text[]
    ) as seal (id, sequence, previous_hash, hash)
    where audit_log.business_id = ${tenant.businessId}
      and audit_log.environment = ${tenant.environment}
      and audit_log.id = seal.id
      and audit_log.sequence is null`
  return result.count
}

export async function updateChain(
  tx: Tx,
  tenant: Tenant,
  end: { sequence: bigint; hash: Uint8Array },
): Promise<void> {
  await tx`
    update kernel.audit_chains
    set sequence = ${end.sequence},
      hash = ${end.hash}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
}

export async function findChain(sql: Sql, tenant: Tenant): Promise<Chain | undefined> {
  const [row] = await sql<Chain[]>`
    select business_id, environment, sequence, hash
    from kernel.audit_chains
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row
}

// The next chains after that of `after`, or the first ones.
export async function listChains(sql: Sql, after: Tenant | null, limit: number): Promise<Chain[]> {
  return sql<Chain[]>`
    select business_id, environment, sequence, hash
    from kernel.audit_chains
    where ${after === null}
      or (business_id, environment)
        > (${after?.businessId ?? null}::uuid, ${after?.environment ?? null}::text)
    order by business_id, environment
    limit ${limit}`
}

export async function listSealedActs(
  sql: Sql,
  tenant: Tenant,
  afterSequence: bigint,
  limit: number,
): Promise<SealedAct[]> {
  return sql<SealedAct[]>`
    select business_id, environment, id, (extract(epoch from at) * 1000000)::bigint
      as at_microseconds, actor_kind, actor_id, action, object_kind, object_id,
      detail::text as detail_text, sequence, previous_hash, hash
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and sequence > ${afterSequence}
    order by sequence
    limit ${limit}`
}

// Sealed rows whose chain end is not recorded. Only tampering can cause that.
export async function listTenantsWithoutChain(sql: Sql, limit: number): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select distinct audit_log.business_id, audit_log.environment
    from kernel.audit_log
    left join kernel.audit_chains
      on audit_chains.business_id = audit_log.business_id
      and audit_chains.environment = audit_log.environment
    where audit_log.sequence is not null
      and audit_chains.business_id is null
    limit ${limit}`
}

// The oldest unsealed row of each tenant. Not of demos: their sample data is made with the time of
// months ago, so a row is old before the sealer can have seen it.
export async function listUnsealedBefore(
  sql: Sql,
  before: Date,
  limit: number,
): Promise<(Tenant & { id: string; at: Date })[]> {
  return sql<(Tenant & { id: string; at: Date })[]>`
    select distinct on (business_id, environment) business_id, environment, id, at
    from kernel.audit_log as act
    where act.sequence is null
      and act.at < ${before}
      and not exists (
        select 1
        from kernel.businesses as business
        where business.id = act.business_id
          and business.is_demo
      )
    order by act.business_id, act.environment, act.at
    limit ${limit}`
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
