import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { readComponents, type StoredComponent, type TaxCode, writeComponent } from './tax-code.ts'

type StoredTaxCode = Omit<TaxCode, 'components'> & {
  readonly components: readonly StoredComponent[]
}

export async function listTaxCodes(sql: Sql | Tx, tenant: Tenant): Promise<TaxCode[]> {
  const rows = await sql<StoredTaxCode[]>`
    select id, name, is_inclusive, components, account_id, active, created_at
    from books.tax_codes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by name collate "C"`
  return rows.map(readTaxCode)
}

export async function listTaxCodesByIds(
  sql: Sql | Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<TaxCode[]> {
  const rows = await sql<StoredTaxCode[]>`
    select id, name, is_inclusive, components, account_id, active, created_at
    from books.tax_codes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]}::uuid[])`
  return rows.map(readTaxCode)
}

export async function findTaxCodeIdByName(
  sql: Sql | Tx,
  tenant: Tenant,
  name: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from books.tax_codes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and name = ${name}`
  return row?.id
}

export async function insertTaxCode(tx: Tx, tenant: Tenant, code: TaxCode): Promise<void> {
  const { businessId, environment } = tenant
  const components = tx.json(code.components.map(writeComponent))
  await tx`insert into books.tax_codes ${tx({ businessId, environment, ...code, components })}`
}

export async function updateTaxCode(
  tx: Tx,
  tenant: Tenant,
  id: string,
  {
    components,
    ...changes
  }: Partial<Pick<TaxCode, 'name' | 'accountId' | 'active' | 'components'>>,
): Promise<void> {
  const row = {
    ...changes,
    ...(components && { components: tx.json(components.map(writeComponent)) }),
  }
  await tx`
    update books.tax_codes
    set ${tx(row)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function readTaxCode(row: StoredTaxCode): TaxCode {
  return { ...row, components: readComponents(row.components) }
}
