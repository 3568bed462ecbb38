// Documents by the numbers that people know.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { importedPeriod } from '../settings/number-series.ts'
import type { Document } from './document.ts'

// Numbers are unique among the documents of a kind.
export async function findIdByNumber(
  sql: Sql | Tx,
  tenant: Tenant,
  kind: Document['kind'],
  number: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and kind = ${kind}
      and number = ${number}`
  return row?.id
}

// Documents in the books with the number of the other side.
export async function listPostedIdsByReference(
  sql: Sql | Tx,
  tenant: Tenant,
  kind: Document['kind'],
  reference: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and kind = ${kind}
      and reference = ${reference}
      and posted_at is not null
      and voided_at is null
    order by id`
  return rows.map(({ id }) => id)
}

// The number that an imported document brought with it.
export async function findOwnNumber(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<string | undefined> {
  const [row] = await sql<{ number: string }[]>`
    select number
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and number_period = ${importedPeriod}`
  return row?.number
}
