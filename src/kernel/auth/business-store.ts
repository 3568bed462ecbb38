import type { Sql, Tx } from '../db/database.ts'

export type Business = { id: string; name: string; isDemo: boolean; createdAt: Date }

export async function insertBusiness(tx: Tx, business: Business): Promise<void> {
  await tx`insert into kernel.businesses ${tx(business)}`
}

export async function findBusiness(sql: Sql | Tx, id: string): Promise<Business | undefined> {
  const [row] = await sql<Business[]>`
    select id, name, is_demo, created_at
    from kernel.businesses
    where id = ${id}`
  return row
}

// For limits per business: calls that create one more object take turns. Rows that refer to the
// business don't wait.
export async function lockBusiness(tx: Tx, id: string): Promise<void> {
  await tx`
    select 1
    from kernel.businesses
    where id = ${id}
    for no key update`
}

export async function listBusinesses(sql: Sql | Tx): Promise<Business[]> {
  return sql<Business[]>`
    select id, name, is_demo, created_at
    from kernel.businesses
    order by created_at, id`
}
