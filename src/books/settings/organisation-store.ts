import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Organisation } from './organisation.ts'

export async function findOrganisation(sql: Sql | Tx, tenant: Tenant): Promise<Organisation> {
  const [row] = await sql<Organisation[]>`
    select
      base_currency, default_payment_terms_days, legal_name, address, tax_number,
      payment_details, time_zone, locale, fiscal_year_start_month, tax_rounding, approvals_on,
      four_eyes_on, soft_locked_until, hard_locked_until, default_sales_account_id,
      default_purchase_account_id, default_sales_tax_code_id, default_purchase_tax_code_id,
      created_at
    from books.organisations
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return assertDefined(row, 'a business without books')
}

export async function lockOrganisation(tx: Tx, tenant: Tenant): Promise<Organisation> {
  await tx`
    select business_id
    from books.organisations
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    for no key update`
  return findOrganisation(tx, tenant)
}

export async function updateOrganisation(
  tx: Tx,
  tenant: Tenant,
  changes: Partial<Omit<Organisation, 'baseCurrency' | 'createdAt'>>,
): Promise<void> {
  await tx`
    update books.organisations
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
}

export type NewOrganisation = Pick<
  Organisation,
  'baseCurrency' | 'defaultPaymentTermsDays' | 'createdAt'
>

export async function insertOrganisation(
  tx: Tx,
  tenant: Tenant,
  organisation: NewOrganisation,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.organisations ${tx({ businessId, environment, ...organisation })}`
}
