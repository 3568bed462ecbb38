// The postings of a movement.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'

// The first and last entry that a system actor posted after a sequence.
export async function findPostedSince(
  tx: Tx,
  tenant: Tenant,
  postedBy: string,
  sequence: bigint,
): Promise<{ firstSequence: bigint | null; lastSequence: bigint | null }> {
  const [row] = await tx<{ firstSequence: bigint | null; lastSequence: bigint | null }[]>`
    select min(sequence) as first_sequence, max(sequence) as last_sequence
    from books.journal_entries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and sequence > ${sequence}
      and posted_by_kind = 'system'
      and posted_by = ${postedBy}`
  return row ?? { firstSequence: null, lastSequence: null }
}

export async function findLastSequence(tx: Tx, tenant: Tenant): Promise<bigint> {
  const [row] = await tx<{ sequence: bigint }[]>`
    select sequence
    from books.journal_heads
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row?.sequence ?? 0n
}
