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

export async function listBusinesses(sql: Sql | Tx): Promise<Business[]> {
  return sql<Business[]>`
    select id, name, is_demo, created_at
    from kernel.businesses
    order by created_at, id`
}
