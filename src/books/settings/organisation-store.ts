import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type Organisation = {
  readonly baseCurrency: string
  readonly defaultPaymentTermsDays: number
  readonly createdAt: Date
}

export async function findOrganisation(sql: Sql | Tx, tenant: Tenant): Promise<Organisation> {
  const [row] = await sql<Organisation[]>`
    select base_currency, default_payment_terms_days, created_at
    from books.organisations
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return assertDefined(row, 'a business without books')
}

export async function insertOrganisation(
  tx: Tx,
  tenant: Tenant,
  organisation: Organisation,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.organisations ${tx({ businessId, environment, ...organisation })}`
}
